package io.dra4j.kubelet.cdi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A CDI file: devices of one kind, and the edits of containers that get them.
 *
 * @param vendor the vendor of the devices, normally the name of the driver
 * @param deviceClass the class of the devices, for example {@code claim}
 * @param devices the edits of containers, by the name of the device
 */
public record CdiSpec(String vendor, String deviceClass, Map<String, CdiEdits> devices) {

  // tags.cncf.io/container-device-interface, pkg/parser
  private static final Pattern VENDOR = Pattern.compile("[A-Za-z]([A-Za-z0-9._-]*[A-Za-z0-9])?");
  private static final Pattern CLASS = Pattern.compile("[A-Za-z]([A-Za-z0-9_-]*[A-Za-z0-9])?");
  private static final Pattern DEVICE =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?");

  /**
   * Copies the devices and checks the names. {@inheritDoc}
   *
   * @throws IllegalArgumentException if there is no device, or container runtimes do not accept a
   *     name
   */
  public CdiSpec {
    check("vendor", vendor, VENDOR);
    check("class", deviceClass, CLASS);
    devices = Collections.unmodifiableMap(new LinkedHashMap<>(devices));
    devices.keySet().forEach(name -> check("device", name, DEVICE));
    if (devices.isEmpty()) {
      throw new IllegalArgumentException(
          "CDI spec %s/%s has no device: expected at least one".formatted(vendor, deviceClass));
    }
  }

  private static void check(String field, String value, Pattern pattern) {
    Objects.requireNonNull(value, field);
    if (!pattern.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "CDI %s \"%s\" does not match %s".formatted(field, value, pattern));
    }
  }

  /**
   * {@return the ID of a device of this file, {@code vendor/class=device}, as the kubelet gets it}
   *
   * @param device the name of the device
   * @throws IllegalArgumentException if the file has no such device
   */
  public String id(String device) {
    if (!devices.containsKey(device)) {
      throw new IllegalArgumentException(
          "CDI spec %s/%s has no device \"%s\"".formatted(vendor, deviceClass, device));
    }
    return vendor + "/" + deviceClass + "=" + device;
  }

  /** {@return the file as JSON, with the oldest CDI version that supports its content} */
  public String toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("cdiVersion", version());
    json.put("kind", vendor + "/" + deviceClass);
    ArrayNode all = json.putArray("devices");
    devices.forEach(
        (name, edits) -> all.addObject().put("name", name).set("containerEdits", edits.toJson()));
    return json.toPrettyString() + "\n";
  }

  /** The version of the file. Versions compare as strings, since all parts have one digit. */
  private String version() {
    boolean hasDigits =
        devices.keySet().stream().anyMatch(name -> !Character.isLetter(name.charAt(0)));
    return devices.values().stream()
        .map(CdiEdits::version)
        .reduce(
            hasDigits ? "0.5.0" : "0.3.0", (one, other) -> one.compareTo(other) < 0 ? other : one);
  }
}
