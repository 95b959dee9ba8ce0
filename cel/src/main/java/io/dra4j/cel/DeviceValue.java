package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.StructValue;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.SelectorException;
import io.dra4j.model.SemVer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The variable {@code device}, as {@code k8s.io/dynamic-resource-allocation/cel/compile.go}
 * declares and fills it. Made of a device once, it serves any number of evaluations.
 */
@SuppressWarnings("Immutable") // the fields hold immutable maps
final class DeviceValue extends StructValue<String, DeviceValue> {

  static final StructType TYPE = type();

  private final String driver;
  private final ImmutableMap<String, Object> fields;

  private DeviceValue(String driver, ImmutableMap<String, Object> fields) {
    this.driver = driver;
    this.fields = fields;
  }

  /**
   * Makes the value of a device.
   *
   * @throws SelectorException if an attribute has no value, or a version that is none; every
   *     expression fails on such a device, whether it reads the attribute or not
   */
  static DeviceValue of(String driver, Device device) throws SelectorException {
    Map<String, Map<String, Object>> attributes = new LinkedHashMap<>();
    for (Map.Entry<String, DeviceAttribute> entry : device.attributes().entrySet()) {
      put(attributes, driver, entry.getKey(), value(entry.getKey(), entry.getValue()));
    }
    Map<String, Map<String, Object>> capacity = new LinkedHashMap<>();
    device
        .capacity()
        .forEach((name, value) -> put(capacity, driver, name, new QuantityValue(value.value())));
    return new DeviceValue(
        driver,
        ImmutableMap.of(
            "driver",
            driver,
            "allowMultipleAllocations",
            device.allowMultipleAllocations(),
            "attributes",
            MapValue.withDefault(Maps.transformValues(attributes, MapValue::of)),
            "capacity",
            MapValue.withDefault(Maps.transformValues(capacity, MapValue::of))));
  }

  String driver() {
    return driver;
  }

  @Override
  public DeviceValue value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return false;
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public Object select(String field) {
    return find(field)
        .orElseThrow(() -> CelAttributeNotFoundException.of("no such field: " + field));
  }

  @Override
  public Optional<Object> find(String field) {
    return Optional.ofNullable(fields.get(field));
  }

  private static StructType type() {
    ImmutableMap<String, CelType> types =
        ImmutableMap.of(
            "driver",
            SimpleType.STRING,
            "allowMultipleAllocations",
            SimpleType.BOOL,
            "attributes",
            mapOfMaps(SimpleType.DYN),
            "capacity",
            mapOfMaps(QuantityValue.TYPE));
    return StructType.create(
        "kubernetes.DRADevice",
        ImmutableSet.copyOf(types.keySet()),
        field -> Optional.ofNullable(types.get(field)));
  }

  private static MapType mapOfMaps(CelType valueType) {
    return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, valueType));
  }

  /** A name without domain belongs to the domain of the driver. */
  private static void put(
      Map<String, Map<String, Object>> domains, String driver, String name, Object value) {
    int slash = name.indexOf('/');
    String domain = slash < 0 ? driver : name.substring(0, slash);
    domains
        .computeIfAbsent(domain, any -> new LinkedHashMap<>())
        .put(name.substring(slash + 1), value);
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
      return strings.values();
    } else if (attribute instanceof DeviceAttribute.IntValues numbers) {
      return numbers.values();
    } else if (attribute instanceof DeviceAttribute.BoolValues bools) {
      return bools.values();
    } else if (attribute instanceof DeviceAttribute.VersionValues versions) {
      return versions(name, versions.values());
    }
    throw new SelectorException("attribute " + name + ": unsupported attribute value");
  }

  private static ImmutableList<SemVerValue> versions(String name, List<String> texts)
      throws SelectorException {
    ImmutableList.Builder<SemVerValue> versions = ImmutableList.builder();
    for (String text : texts) {
      versions.add(version(name, text));
    }
    return versions.build();
  }

  private static SemVerValue version(String name, String text) throws SelectorException {
    try {
      return new SemVerValue(SemVer.parse(text));
    } catch (IllegalArgumentException e) {
      throw new SelectorException("attribute " + name + ": " + e.getMessage());
    }
  }
}
