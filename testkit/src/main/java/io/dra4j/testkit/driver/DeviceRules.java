package io.dra4j.testkit.driver;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What the API server demands of devices (resource.k8s.io/v1, validation of ResourceSlices). */
final class DeviceRules {

  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern ID = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,31}");
  private static final int MAX_DOMAIN = 63;
  private static final int MAX_ENTRIES = 32;
  private static final int MAX_VALUES = 48;
  private static final int MAX_TEXT = 64;

  private DeviceRules() {}

  static boolean isDriverName(String name) {
    return name.length() <= MAX_DOMAIN && DOMAIN.matcher(name).matches();
  }

  /** What the API server would refuse, one line each. */
  static List<String> problems(List<Device> devices) {
    List<String> problems = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Device device : devices) {
      if (!LABEL.matcher(device.name()).matches()) {
        problems.add("device name '" + device.name() + "' is no DNS label");
      }
      if (!names.add(device.name())) {
        problems.add("two devices are called " + device.name());
      }
      check(device, problems);
    }
    return problems;
  }

  private static void check(Device device, List<String> problems) {
    int entries = device.attributes().size() + device.capacity().size();
    if (entries > MAX_ENTRIES) {
      problems.add(
          "%s has %d attributes and capacities, at most %d are allowed"
              .formatted(device.name(), entries, MAX_ENTRIES));
    }
    int values = 0;
    for (Map.Entry<String, DeviceAttribute> one : device.attributes().entrySet()) {
      checkName(device, one.getKey(), problems);
      values += one.getValue().valueCount();
      for (String text : one.getValue().texts()) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_TEXT) {
          problems.add(
              "%s: %s has %d bytes, at most %d are allowed"
                  .formatted(device.name(), one.getKey(), bytes, MAX_TEXT));
        }
      }
    }
    if (values > MAX_VALUES) {
      problems.add(
          "%s has %d values in attributes, at most %d are allowed"
              .formatted(device.name(), values, MAX_VALUES));
    }
    device.capacity().keySet().forEach(name -> checkName(device, name, problems));
  }

  private static void checkName(Device device, String name, List<String> problems) {
    int slash = name.indexOf('/');
    boolean isDomain =
        slash < 0 || (slash <= MAX_DOMAIN && DOMAIN.matcher(name.substring(0, slash)).matches());
    if (!isDomain || !ID.matcher(name.substring(slash + 1)).matches()) {
      problems.add("%s: '%s' is no qualified name".formatted(device.name(), name));
    }
  }
}
