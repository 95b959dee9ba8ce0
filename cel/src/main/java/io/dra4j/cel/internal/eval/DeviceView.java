package io.dra4j.cel.internal.eval;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.dra4j.cel.internal.text.GoVersions;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.QuantityValue;
import io.dra4j.cel.internal.value.SemVerValue;
import io.dra4j.cel.internal.value.ValueList;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.SelectorException;
import io.dra4j.model.SemVer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The variable {@code device}, as {@code k8s.io/dynamic-resource-allocation/cel/compile.go} fills
 * it. Made of a device once, it serves any number of evaluations of any number of threads.
 *
 * <p>Names that programs read have a number; the value of a number is found once.
 */
public final class DeviceView {

  // Measured with JOL: 1,114 bytes with 12 attributes and a capacity.
  private static final long BYTES = 250;
  private static final long BYTES_PER_VALUE = 70;
  private static final long BYTES_PER_NUMBER = 4;

  private static final Object MISSING = new Object();
  private static final Object[] NONE = {};

  private final String driver;
  private final boolean allowMultipleAllocations;
  private final MapValue attributes;
  private final MapValue capacity;
  private @Nullable MapValue all; // made when a program needs the device as a whole
  private volatile @Nullable LongAdder bytes; // of those who remember it
  private @Nullable Object[] byNumber = NONE; // what is there is right; races only repeat work

  private DeviceView(
      String driver, boolean allowMultipleAllocations, MapValue attributes, MapValue capacity) {
    this.driver = driver;
    this.allowMultipleAllocations = allowMultipleAllocations;
    this.attributes = attributes;
    this.capacity = capacity;
  }

  /**
   * Makes the view of a device.
   *
   * @throws SelectorException if an attribute has no value, or a version that is none; every
   *     expression fails on such a device, whether it reads the attribute or not
   */
  static DeviceView of(String driver, Device device) throws SelectorException {
    Map<String, Map<String, Object>> attributes = new LinkedHashMap<>();
    for (Map.Entry<String, DeviceAttribute> entry : device.attributes().entrySet()) {
      put(attributes, driver, entry.getKey(), value(entry.getKey(), entry.getValue()));
    }
    Map<String, Map<String, Object>> capacity = new LinkedHashMap<>();
    device
        .capacity()
        .forEach((name, value) -> put(capacity, driver, name, new QuantityValue(value.value())));
    return new DeviceView(
        driver,
        device.allowMultipleAllocations(),
        MapValue.withDefault(Maps.transformValues(attributes, MapValue::of)),
        MapValue.withDefault(Maps.transformValues(capacity, MapValue::of)));
  }

  String driver() {
    return driver;
  }

  boolean allowMultipleAllocations() {
    return allowMultipleAllocations;
  }

  /** The device as the map that it is to cel-go. */
  public MapValue all() {
    MapValue known = all;
    if (known == null) {
      known =
          MapValue.of(
              ImmutableMap.of(
                  "driver",
                  driver,
                  "allowMultipleAllocations",
                  allowMultipleAllocations,
                  "attributes",
                  attributes,
                  "capacity",
                  capacity));
      all = known;
    }
    return known;
  }

  /** Returns the same view for the programs of another compiler, whose numbers are others. */
  public DeviceView withoutNumbers() {
    return new DeviceView(driver, allowMultipleAllocations, attributes, capacity);
  }

  /** Adds the bytes that it takes to a sum, from now on also those that it takes later. */
  void countIn(LongAdder sum) {
    long values = 0;
    for (Object domain : attributes.values()) {
      values += ((MapValue) domain).size();
    }
    for (Object domain : capacity.values()) {
      values += ((MapValue) domain).size();
    }
    sum.add(BYTES + BYTES_PER_VALUE * values + BYTES_PER_NUMBER * byNumber.length);
    bytes = sum;
  }

  /** The attributes or the capacities, by domain. */
  MapValue domains(AttributeName.Kind kind) {
    return kind == AttributeName.Kind.ATTRIBUTE ? attributes : capacity;
  }

  /** The value of a name, or null if the device does not have it. */
  public @Nullable Object value(AttributeName name) {
    @Nullable Object[] known = byNumber;
    int number = name.number();
    Object value = number < known.length ? known[number] : null;
    if (value == null) {
      value = find(name);
    }
    return value == MISSING ? null : value;
  }

  private Object find(AttributeName name) {
    Object value = name.equals(AttributeName.DRIVER) ? driver : read(name);
    if (name.number() == AttributeName.UNNUMBERED) {
      return value == null ? MISSING : value;
    } else if (value == null) {
      value = MISSING;
    } else if (value instanceof String text) {
      value = text.intern(); // as the texts of programs are, so that equal ones mostly are one
    }
    @Nullable Object[] known = byNumber;
    if (name.number() >= known.length) {
      LongAdder sum = bytes;
      int length = name.number() + 8;
      if (sum != null) {
        sum.add(BYTES_PER_NUMBER * (length - known.length));
      }
      known = Arrays.copyOf(known, length);
      byNumber = known;
    }
    known[name.number()] = value;
    return value;
  }

  private @Nullable Object read(AttributeName name) {
    Object domain = domains(name.kind()).entry(name.domain());
    return name.id() != null && domain instanceof MapValue values
        ? values.entry(name.id())
        : domain;
  }

  private static void put(
      Map<String, Map<String, Object>> domains, String driver, String name, Object value) {
    QualifiedName qualified = QualifiedName.of(driver, name);
    domains
        .computeIfAbsent(qualified.domain(), any -> new LinkedHashMap<>())
        .put(qualified.id(), value);
  }

  private static Object value(String name, DeviceAttribute attribute) throws SelectorException {
    if (attribute instanceof DeviceAttribute.StringValue string) {
      return string.value();
    } else if (attribute instanceof DeviceAttribute.IntValue number) {
      return number.value();
    } else if (attribute instanceof DeviceAttribute.BoolValue bool) {
      return bool.value();
    } else if (attribute instanceof DeviceAttribute.VersionValue version) {
      return version(name, version.value());
    } else if (attribute instanceof DeviceAttribute.StringValues strings) {
      return ValueList.ofDevice(strings.values().stream().map(String::intern).toList());
    } else if (attribute instanceof DeviceAttribute.IntValues numbers) {
      return ValueList.ofDevice(numbers.values());
    } else if (attribute instanceof DeviceAttribute.BoolValues bools) {
      return ValueList.ofDevice(bools.values());
    } else if (attribute instanceof DeviceAttribute.VersionValues versions) {
      return versions(name, versions.values());
    }
    throw new SelectorException("attribute " + name + ": unsupported attribute value");
  }

  private static ValueList versions(String name, List<String> texts) throws SelectorException {
    List<SemVerValue> versions = new ArrayList<>();
    for (String text : texts) {
      versions.add(version(name, text));
    }
    return ValueList.ofDevice(versions);
  }

  private static SemVerValue version(String name, String text) throws SelectorException {
    return new SemVerValue(
        SemVer.tryParse(text)
            .orElseThrow(
                () ->
                    new SelectorException(
                        "attribute "
                            + name
                            + ": parse semantic version: "
                            + GoVersions.semanticProblem(text))));
  }
}
