package io.dra4j.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.StructValue;
import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.EvaluationLimit;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Unicode;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.QuantityValue;
import java.util.Optional;

/** The variable {@code device} for the runtime of cel-java. */
@SuppressWarnings("Immutable") // the fields hold immutable maps
final class DeviceValue extends StructValue<String, DeviceValue> {

  static final StructType TYPE = type();

  private final MapValue fields;

  private DeviceValue(MapValue fields) {
    this.fields = fields;
  }

  static DeviceValue of(DeviceView device) {
    return new DeviceValue(
        device.all(new Frame(EvaluationLimit.STANDARD, new Patterns(Unicode.V15))));
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
}
