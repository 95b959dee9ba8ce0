package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The limits of the API server for a ResourceSlice: the numbers of devices, attributes and
 * counters, and the lengths of names and strings. Drivers use them for devices, planners for
 * slices, and tests for both.
 *
 * <p>Source: constants and validation of {@code resource.k8s.io/v1}, Kubernetes 1.37.
 */
public final class SliceLimits {

  /**
   * The maximum number of devices of a slice in which no device is {@linkplain #isAdvanced
   * advanced}.
   */
  public static final int MAX_DEVICES = 128;

  /**
   * The maximum number of devices of a slice in which any device is {@linkplain #isAdvanced
   * advanced}.
   */
  public static final int MAX_ADVANCED_DEVICES = 64;

  /** The maximum number of attributes and capacities of a device together. */
  public static final int MAX_ATTRIBUTES_AND_CAPACITIES = 32;

  /** The maximum number of values in the attributes of a device: each value of a list counts. */
  public static final int MAX_ATTRIBUTE_VALUES = 48;

  /** The maximum number of UTF-8 bytes of a string or a version in an attribute. */
  public static final int MAX_TEXT_BYTES = 64;

  /** The maximum number of bytes of the domain of an attribute name, and of a driver name. */
  public static final int MAX_DOMAIN_BYTES = 63;

  /** The maximum number of bytes of the name of an attribute or capacity without its domain. */
  public static final int MAX_ID_BYTES = 32;

  /** The maximum number of bytes of the name of a device, a counter set, or a counter. */
  public static final int MAX_LABEL_BYTES = 63;

  /** The maximum number of bytes of the name of a pool. */
  public static final int MAX_POOL_BYTES = 253;

  /** The maximum number of counter sets of a slice. */
  public static final int MAX_COUNTER_SETS = 8;

  /** The most counters of a counter set, and of the draws of a device from one counter set. */
  public static final int MAX_COUNTERS = 32;

  /** The maximum number of counter sets that a device draws from. */
  public static final int MAX_CONSUMED_COUNTER_SETS = 2;

  /** The maximum number of compatibility groups of a device for one counter set. */
  public static final int MAX_COMPATIBILITY_GROUPS = 2;

  /** The maximum number of taints of a device. */
  public static final int MAX_TAINTS = 16;

  /**
   * The maximum number of binding conditions of a device, and of its binding failure conditions.
   */
  public static final int MAX_BINDING_CONDITIONS = 4;

  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern ID = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final int SHOWN = 200;

  private SliceLimits() {}

  /**
   * {@return whether a name is valid for a driver: a DNS subdomain of at most 63 bytes}
   *
   * @param name the name
   */
  public static boolean isDriverName(String name) {
    return Checks.value("name", name).length() <= MAX_DOMAIN_BYTES
        && SUBDOMAIN.matcher(name).matches();
  }

  /**
   * {@return whether a name fits a device, counter set or counter: a DNS label of at most 63 bytes}
   *
   * @param name the name
   */
  public static boolean isLabel(String name) {
    return Checks.value("name", name).length() <= MAX_LABEL_BYTES && LABEL.matcher(name).matches();
  }

  /**
   * {@return whether a pool name is valid: DNS subdomains separated by slashes, at most 253 bytes}
   *
   * @param name the name
   */
  public static boolean isPoolName(String name) {
    if (Checks.value("name", name).length() > MAX_POOL_BYTES) {
      return false;
    }
    for (String part : name.split("/", -1)) {
      if (!SUBDOMAIN.matcher(part).matches()) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return whether a name is valid for an attribute or a capacity: the id is a C identifier of at
   * most 32 bytes, and the domain, if there is one, a DNS subdomain of at most 63 bytes}
   *
   * @param name the name, {@code domain/id} or {@code id}
   */
  public static boolean isQualifiedName(String name) {
    int slash = Checks.value("name", name).indexOf('/');
    String id = name.substring(slash + 1);
    return (slash < 0 || isDriverName(name.substring(0, slash)))
        && id.length() <= MAX_ID_BYTES
        && ID.matcher(id).matches();
  }

  /**
   * {@return whether taints, counters or a list attribute of a device limit its slice to 64}
   *
   * @param device the device
   */
  public static boolean isAdvanced(Device device) {
    return !Checks.value("device", device).taints().isEmpty()
        || !device.consumesCounters().isEmpty()
        || device.attributes().values().stream().anyMatch(SliceLimits::isList);
  }

  private static boolean isList(DeviceAttribute attribute) {
    return attribute instanceof DeviceAttribute.IntValues
        || attribute instanceof DeviceAttribute.BoolValues
        || attribute instanceof DeviceAttribute.StringValues
        || attribute instanceof DeviceAttribute.VersionValues;
  }

  /**
   * {@return one sentence for each reason to reject a slice with a device, for example {@code has
   * 33 attributes and capacities, at most 32 are allowed}; empty if the API server accepts it}
   *
   * @param device the device
   */
  public static List<String> problems(Device device) {
    Checks.value("device", device);
    List<String> problems = new ArrayList<>();
    if (!isLabel(device.name())) {
      problems.add("has a name that is not a DNS label of at most 63 bytes");
    }
    atMost(
        device.attributes().size() + device.capacity().size(),
        MAX_ATTRIBUTES_AND_CAPACITIES,
        "attributes and capacities",
        problems);
    int values = 0;
    for (Map.Entry<String, DeviceAttribute> one : device.attributes().entrySet()) {
      checkQualified("attribute", one.getKey(), problems);
      values += one.getValue().valueCount();
      if (one.getValue().valueCount() == 0) {
        problems.add("has an attribute %s without values".formatted(shown(one.getKey())));
      }
      for (String text : one.getValue().texts()) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_TEXT_BYTES) {
          problems.add(
              "has an attribute %s of %d bytes, at most %d are allowed"
                  .formatted(shown(one.getKey()), bytes, MAX_TEXT_BYTES));
        } else if (isVersion(one.getValue()) && SemVer.tryParse(text).isEmpty()) {
          problems.add(
              "has an attribute %s with '%s', which is not a semantic version"
                  .formatted(shown(one.getKey()), text));
        }
      }
    }
    atMost(values, MAX_ATTRIBUTE_VALUES, "values in attributes", problems);
    device.capacity().keySet().forEach(name -> checkQualified("capacity", name, problems));
    atMost(device.taints().size(), MAX_TAINTS, "taints", problems);
    checkConditions(device, problems);
    checkConsumption(device.consumesCounters(), problems);
    return List.copyOf(problems);
  }

  /**
   * {@return a sentence per limit that a counter set exceeds; empty if the API server accepts it}
   *
   * @param set the counter set
   */
  public static List<String> problems(CounterSet set) {
    Checks.value("set", set);
    List<String> problems = new ArrayList<>();
    if (!isLabel(set.name())) {
      problems.add("has a name that is not a DNS label of at most 63 bytes");
    }
    checkCounters("", set.counters(), problems);
    return List.copyOf(problems);
  }

  private static boolean isVersion(DeviceAttribute attribute) {
    return attribute instanceof DeviceAttribute.VersionValue
        || attribute instanceof DeviceAttribute.VersionValues;
  }

  private static void checkConditions(Device device, List<String> problems) {
    atMost(
        device.bindingConditions().size(), MAX_BINDING_CONDITIONS, "binding conditions", problems);
    atMost(
        device.bindingFailureConditions().size(),
        MAX_BINDING_CONDITIONS,
        "binding failure conditions",
        problems);
    if (device.bindingConditions().isEmpty() != device.bindingFailureConditions().isEmpty()) {
      problems.add("has binding conditions or binding failure conditions without the other");
    }
  }

  private static void checkConsumption(
      List<DeviceCounterConsumption> consumption, List<String> problems) {
    atMost(consumption.size(), MAX_CONSUMED_COUNTER_SETS, "counter sets it draws on", problems);
    Set<String> sets = new HashSet<>();
    for (DeviceCounterConsumption one : consumption) {
      String set = shown(one.counterSet());
      if (!sets.add(one.counterSet())) {
        problems.add("draws on counter set %s twice".formatted(set));
      }
      if (!isLabel(one.counterSet())) {
        problems.add("draws on counter set %s, which is not a DNS label".formatted(set));
      }
      checkCounters(" of counter set " + set, one.counters(), problems);
      atMost(
          one.compatibilityGroups().size(),
          MAX_COMPATIBILITY_GROUPS,
          "compatibility groups of counter set " + set,
          problems);
    }
  }

  private static void checkCounters(String of, Map<String, Quantity> counters, List<String> to) {
    if (counters.isEmpty()) {
      to.add("has no counters" + of);
    }
    atMost(counters.size(), MAX_COUNTERS, "counters" + of, to);
    for (String name : counters.keySet()) {
      if (!isLabel(name)) {
        to.add("has a counter %s%s, which is not a DNS label".formatted(shown(name), of));
      }
    }
  }

  private static void checkQualified(String kind, String name, List<String> problems) {
    if (!isQualifiedName(name)) {
      problems.add(
          ("has the %s '%s', whose name is not a C identifier of at most %d bytes, optionally"
                  + " after a DNS subdomain of at most %d bytes and a slash")
              .formatted(kind, shown(name), MAX_ID_BYTES, MAX_DOMAIN_BYTES));
    }
  }

  private static void atMost(int have, int most, String of, List<String> problems) {
    if (have > most) {
      problems.add("has %d %s, at most %d are allowed".formatted(have, of, most));
    }
  }

  private static String shown(String text) {
    return PrintableText.start(text, SHOWN);
  }
}
