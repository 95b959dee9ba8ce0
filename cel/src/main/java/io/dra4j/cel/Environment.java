package io.dra4j.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.TypeType;
import io.dra4j.cel.Functions.Function;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The names that an expression may use, and what they mean to the checker. */
final class Environment {

  private static final ImmutableMap<String, CelType> TYPES =
      ImmutableMap.<String, CelType>builder()
          .put("bool", SimpleType.BOOL)
          .put("bytes", SimpleType.BYTES)
          .put("double", SimpleType.DOUBLE)
          .put("int", SimpleType.INT)
          .put("list", ListType.create(SimpleType.DYN))
          .put("map", MapType.create(SimpleType.DYN, SimpleType.DYN))
          .put("null_type", SimpleType.NULL_TYPE)
          .put("optional_type", OptionalType.create(SimpleType.DYN))
          .put("string", SimpleType.STRING)
          .put("type", TypeType.create(SimpleType.DYN))
          .put("uint", SimpleType.UINT)
          .put("google.protobuf.Duration", SimpleType.DURATION)
          .put("google.protobuf.Timestamp", SimpleType.TIMESTAMP)
          .put("net.IP", IpValue.TYPE)
          .put("net.CIDR", CidrValue.TYPE)
          .buildOrThrow();

  private static final ImmutableMap<String, CelType> TYPE_VALUES =
      ImmutableMap.copyOf(Maps.transformValues(TYPES, TypeType::create));

  private final StructType device;
  private final CelType attribute;
  private final ImmutableMap<String, Function> functions;

  Environment(CelEnvironment version) {
    this.attribute = version.attributeType();
    this.device = device(attribute, version.hasMultipleAllocations());
    this.functions =
        version.hasIncludes()
            ? Functions.all()
            : ImmutableMap.copyOf(
                Maps.filterKeys(Functions.all(), name -> !name.equals("includes")));
  }

  /** Returns the type of the values of attributes. */
  CelType attributeType() {
    return attribute;
  }

  /** Returns the type of a variable or, for the name of a type, the type of that value. */
  @Nullable CelType variable(String name) {
    return name.equals("device") ? device : TYPE_VALUES.get(name);
  }

  /** Returns whether a name is that of a type. */
  static boolean isType(String name) {
    return TYPES.containsKey(name.startsWith(".") ? name.substring(1) : name);
  }

  /** Returns a function; a leading dot makes no difference. */
  @Nullable Function function(String name) {
    return functions.get(name.startsWith(".") ? name.substring(1) : name);
  }

  /** Returns whether a type is a structure to cel-go. */
  boolean isStructure(CelType type) {
    return type.name().startsWith("kubernetes.");
  }

  private static StructType device(CelType attribute, boolean multipleAllocations) {
    ImmutableMap.Builder<String, CelType> fields = ImmutableMap.builder();
    fields.put("driver", SimpleType.STRING);
    fields.put("attributes", byDomain(attribute));
    fields.put("capacity", byDomain(QuantityValue.TYPE));
    if (multipleAllocations) {
      fields.put("allowMultipleAllocations", SimpleType.BOOL);
    }
    ImmutableMap<String, CelType> types = fields.buildOrThrow();
    return StructType.create(
        DeviceValue.TYPE.name(),
        ImmutableSet.copyOf(types.keySet()),
        field -> Optional.ofNullable(types.get(field)));
  }

  private static CelType byDomain(CelType value) {
    return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
  }
}
