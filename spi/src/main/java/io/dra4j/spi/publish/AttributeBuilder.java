package io.dra4j.spi.publish;

import io.dra4j.common.PrintableText;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Quantity;
import io.dra4j.model.SliceLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the attributes and capacities of a device within the limits of the API server
 * (resource.k8s.io/v1): valid names, strings of at most 64 bytes, at most 32 attributes and
 * capacities together, at most 48 values in attributes. Values beyond these limits are cut or left
 * out; {@link #cuts} lists them with the reasons.
 *
 * <p>The order of the calls is the order of importance: when the limits are reached, later entries
 * are left out. It is also the order in the device, so that the same facts always give the same
 * device. An entry that is set again keeps its place.
 *
 * <pre>{@code
 * AttributeBuilder attributes = AttributeBuilder.forDriver("gpu.example.com");
 * attributes.whole(StandardAttributes.PCIE_ROOT, function.pcieRoot())
 *     .text("model", function.deviceName())
 *     .capacity("memory", "80Gi");
 * Device device = attributes.build("gpu-0");
 * attributes.cuts().forEach(cut -> log.warn("gpu-0: {}", cut));
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class AttributeBuilder {

  /**
   * An entry of a device that was cut or left out.
   *
   * @param name the attribute or capacity
   * @param reason the change and its cause, for example {@code cut from 70 to 64 bytes: …}
   */
  public record Cut(String name, String reason) {

    /** {@return name and reason of the cut, for messages} */
    @Override
    public String toString() {
      return name + " " + reason;
    }
  }

  /** An attribute or a capacity; a device may have both with the same name. */
  private record Key(String name, boolean isCapacity) {}

  private record Entry(@Nullable DeviceAttribute attribute, @Nullable DeviceCapacity capacity) {}

  private final String driver;
  private final Map<Key, Entry> entries = new LinkedHashMap<>();
  private final Map<String, String> shortened = new LinkedHashMap<>();

  private AttributeBuilder(String driver) {
    this.driver = driver;
  }

  /**
   * {@return a builder without attributes}
   *
   * @param driver the name of the driver, which is the domain of names without a domain
   * @throws IllegalArgumentException if the name is not a DNS subdomain of at most 63 bytes
   */
  public static AttributeBuilder forDriver(String driver) {
    if (!SliceLimits.isDriverName(driver)) {
      throw new IllegalArgumentException(
          "driver '%s': expected a DNS subdomain of at most %d bytes"
              .formatted(driver, SliceLimits.MAX_DOMAIN_BYTES));
    }
    return new AttributeBuilder(driver);
  }

  /**
   * Adds a string for people. If it is longer than 64 bytes, it is cut at a character boundary.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param value the string; nothing is added if it is null or empty
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public AttributeBuilder text(String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return this;
    }
    int bytes = bytes(value);
    if (bytes <= SliceLimits.MAX_TEXT_BYTES) {
      return attribute(name, DeviceAttribute.of(value));
    }
    int end = Math.min(value.length(), SliceLimits.MAX_TEXT_BYTES);
    while (bytes(value.substring(0, end)) > SliceLimits.MAX_TEXT_BYTES
        || Character.isHighSurrogate(value.charAt(end - 1))) {
      end--;
    }
    attribute(name, DeviceAttribute.of(value.substring(0, end)));
    shortened.put(
        name,
        "cut from %d to %d bytes: %s".formatted(bytes, SliceLimits.MAX_TEXT_BYTES, shown(value)));
    return this;
  }

  /**
   * Adds a string for programs, such as an address or an identifier. If it is longer than 64 bytes,
   * it is left out.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param value the string; nothing is added if it is null or empty
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public AttributeBuilder whole(String name, @Nullable String value) {
    return value == null || value.isEmpty() ? this : attribute(name, DeviceAttribute.of(value));
  }

  /**
   * Adds strings in one attribute, joined by commas: as many complete strings as fit into 64 bytes.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param values the strings in the order of importance; nothing is added if there are none
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public AttributeBuilder joined(String name, List<String> values) {
    StringBuilder text = new StringBuilder();
    int taken = 0;
    for (String value : values) {
      String next = (taken == 0 ? "" : ",") + value;
      if (bytes(text.toString()) + bytes(next) > SliceLimits.MAX_TEXT_BYTES) {
        break;
      }
      text.append(next);
      taken++;
    }
    whole(name, text.toString());
    if (taken < values.size()) {
      checkName(name, false);
      shortened.put(
          name,
          "has only %d of %d values, because more do not fit into %d bytes: %s"
              .formatted(
                  taken,
                  values.size(),
                  SliceLimits.MAX_TEXT_BYTES,
                  shown(String.join(",", values))));
    }
    return this;
  }

  /**
   * Adds a number.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param value the number
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public AttributeBuilder number(String name, long value) {
    return attribute(name, DeviceAttribute.of(value));
  }

  /**
   * Adds a Boolean value.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param value the Boolean value
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public AttributeBuilder flag(String name, boolean value) {
    return attribute(name, DeviceAttribute.of(value));
  }

  /**
   * Adds an attribute of any type. An attribute with a string of more than 64 bytes is left out.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param value the value
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public AttributeBuilder attribute(String name, DeviceAttribute value) {
    checkName(name, false);
    shortened.remove(name);
    for (String text : value.texts()) {
      if (bytes(text) > SliceLimits.MAX_TEXT_BYTES) {
        entries.remove(new Key(name, false));
        shortened.put(
            name,
            "left out: it has %d bytes, at most %d are allowed: %s"
                .formatted(bytes(text), SliceLimits.MAX_TEXT_BYTES, shown(text)));
        return this;
      }
    }
    entries.put(new Key(name, false), new Entry(value, null));
    return this;
  }

  /**
   * Adds a capacity.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param value the amount, for example {@code 80Gi}
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form, or {@code value} is not a
   *     quantity
   */
  public AttributeBuilder capacity(String name, String value) {
    return capacity(name, DeviceCapacity.of(Quantity.parse(value)));
  }

  /**
   * Adds a capacity.
   *
   * @param name {@code domain/id}, or {@code id} in the domain of the driver
   * @param value the amount, and the rules for requests of a share
   * @return this builder
   * @throws IllegalArgumentException if {@code name} is not of that form
   */
  public AttributeBuilder capacity(String name, DeviceCapacity value) {
    checkName(name, true);
    entries.put(new Key(name, true), new Entry(null, value));
    return this;
  }

  /**
   * {@return the entries that were cut or left out, in the order first added: strings that are too
   * long, and entries beyond the limits of 32 entries and 48 values; may be empty}
   */
  public List<Cut> cuts() {
    List<Cut> cuts = new ArrayList<>();
    shortened.forEach((name, reason) -> cuts.add(new Cut(name, reason)));
    fill(new LinkedHashMap<>(), new LinkedHashMap<>(), cuts);
    return List.copyOf(cuts);
  }

  /**
   * Replaces the attributes and capacities of a device by these.
   *
   * @param device the device
   * @return the device
   */
  public Device.Builder applyTo(Device.Builder device) {
    Map<String, DeviceAttribute> attributes = new LinkedHashMap<>();
    Map<String, DeviceCapacity> capacities = new LinkedHashMap<>();
    fill(attributes, capacities, new ArrayList<>());
    return device.attributes(attributes).capacity(capacities);
  }

  /**
   * {@return a device that has only the attributes and capacities}
   *
   * @param name the name of the device, a DNS label
   */
  public Device build(String name) {
    return applyTo(Device.named(name)).build();
  }

  private void fill(
      Map<String, DeviceAttribute> attributes,
      Map<String, DeviceCapacity> capacities,
      List<Cut> cuts) {
    int values = 0;
    int count = 0;
    for (Map.Entry<Key, Entry> one : entries.entrySet()) {
      DeviceAttribute attribute = one.getValue().attribute();
      DeviceCapacity capacity = one.getValue().capacity();
      int size = attribute == null ? 0 : attribute.valueCount();
      if (count == SliceLimits.MAX_ATTRIBUTES_AND_CAPACITIES) {
        cuts.add(
            new Cut(
                one.getKey().name(),
                "left out: a device has at most %d attributes and capacities"
                    .formatted(SliceLimits.MAX_ATTRIBUTES_AND_CAPACITIES)));
      } else if (values + size > SliceLimits.MAX_ATTRIBUTE_VALUES) {
        cuts.add(
            new Cut(
                one.getKey().name(),
                "left out: the attributes of a device have at most %d values"
                    .formatted(SliceLimits.MAX_ATTRIBUTE_VALUES)));
      } else {
        count++;
        values += size;
        if (attribute != null) {
          attributes.put(one.getKey().name(), attribute);
        } else if (capacity != null) {
          capacities.put(one.getKey().name(), capacity);
        }
      }
    }
  }

  /** {@code driver/id} and {@code id} are the same name. */
  private void checkName(String name, boolean isCapacity) {
    int slash = name.indexOf('/');
    String domain = slash < 0 ? driver : name.substring(0, slash);
    String id = name.substring(slash + 1);
    if (!SliceLimits.isQualifiedName(name)) {
      throw new IllegalArgumentException(
          ("attribute '%s': expected a C identifier of at most %d bytes, optionally after a DNS "
                  + "subdomain of at most %d bytes and a slash")
              .formatted(shown(name), SliceLimits.MAX_ID_BYTES, SliceLimits.MAX_DOMAIN_BYTES));
    }
    String other = slash < 0 ? driver + "/" + id : domain.equals(driver) ? id : name;
    if (!other.equals(name) && entries.containsKey(new Key(other, isCapacity))) {
      throw new IllegalArgumentException("'%s' is the same name as '%s'".formatted(name, other));
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String shown(String text) {
    return PrintableText.start(text, 200);
  }
}
