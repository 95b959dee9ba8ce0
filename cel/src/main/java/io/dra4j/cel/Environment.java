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
import io.dra4j.cel.Functions.Overload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

  /** The messages of protobuf that cel-go can make, and no selector of a device needs. */
  private static final ImmutableSet<String> MESSAGES =
      Stream.of(
              "Any BoolValue BytesValue DoubleValue Duration Empty FloatValue Int32Value Int64Value",
              "ListValue StringValue Struct Timestamp UInt32Value UInt64Value Value")
          .flatMap(names -> Stream.of(names.split(" ", -1)))
          .map(name -> "google.protobuf." + name)
          .collect(ImmutableSet.toImmutableSet());

  private final String container;
  private final ImmutableMap<String, CelType> variables;
  private final ImmutableMap<String, Function> functions;
  private final Dialect dialect;

  /**
   * A variable, or the name of a type.
   *
   * @param name its full name
   * @param type its type; that of the type as a value
   */
  record Variable(String name, CelType type) {}

  /** Makes the environment of Kubernetes. */
  Environment(CelEnvironment version) {
    this("", ImmutableMap.of("device", device(version)), functions(version), Dialect.KUBERNETES);
  }

  /**
   * Makes an environment of other variables.
   *
   * @param container a prefix, such as {@code a.b}, that names of variables and functions may omit
   * @param variables the types of the variables by their names
   * @param functions all functions
   * @param dialect what it decides about the language
   */
  Environment(
      String container,
      Map<String, CelType> variables,
      ImmutableMap<String, Function> functions,
      Dialect dialect) {
    this.container = container;
    this.variables =
        ImmutableMap.<String, CelType>builder()
            .putAll(TYPE_VALUES)
            .putAll(variables)
            .buildKeepingLast();
    this.functions = functions;
    this.dialect = dialect;
  }

  String container() {
    return container;
  }

  Dialect dialect() {
    return dialect;
  }

  /**
   * Finds a variable or the name of a type. After a leading dot the name has to be the full one.
   */
  @Nullable Variable variable(String name) {
    if (name.startsWith(".")) {
      String full = name.substring(1);
      CelType type = variables.get(full);
      return type == null ? null : new Variable(full, type);
    }
    for (String prefix = container; !prefix.isEmpty(); prefix = outer(prefix)) {
      String full = prefix + "." + name;
      CelType type = variables.get(full);
      if (type != null) {
        return new Variable(full, type);
      }
    }
    CelType type = variables.get(name);
    return type == null ? null : new Variable(name, type);
  }

  /** Returns the type that expressions name so, or null. */
  static @Nullable CelType typeByName(String name) {
    return TYPES.get(name);
  }

  /** Returns whether a name is that of a type. */
  static boolean isType(String name) {
    return TYPES.containsKey(name.startsWith(".") ? name.substring(1) : name);
  }

  /** Returns whether a name is that of a message that only cel-go can make. */
  static boolean isMessage(String name) {
    return MESSAGES.contains(name.startsWith(".") ? name.substring(1) : name);
  }

  /** Finds a function. After a leading dot the name has to be the full one. */
  @Nullable Function function(String name) {
    if (name.startsWith(".")) {
      return functions.get(name.substring(1));
    }
    for (String prefix = container; !prefix.isEmpty(); prefix = outer(prefix)) {
      Function function = functions.get(prefix + "." + name);
      if (function != null) {
        return function;
      }
    }
    return functions.get(name);
  }

  private static String outer(String prefix) {
    return prefix.substring(0, Math.max(0, prefix.lastIndexOf('.')));
  }

  /** Finds the type of a variable that is a structure by the name of that type. */
  @Nullable StructType structure(String name) {
    String full = name.startsWith(".") ? name.substring(1) : name;
    for (CelType type : variables.values()) {
      if (type instanceof StructType struct && struct.name().equals(full)) {
        return struct;
      }
    }
    return null;
  }

  /** Returns whether a type is a structure to cel-go. */
  boolean isStructure(CelType type) {
    return type.name().startsWith("kubernetes.");
  }

  private static StructType device(CelEnvironment version) {
    ImmutableMap.Builder<String, CelType> fields = ImmutableMap.builder();
    fields.put("driver", SimpleType.STRING);
    fields.put("attributes", byDomain(version.attributeType()));
    fields.put("capacity", byDomain(QuantityValue.TYPE));
    if (version.hasMultipleAllocations()) {
      fields.put("allowMultipleAllocations", SimpleType.BOOL);
    }
    ImmutableMap<String, CelType> types = fields.buildOrThrow();
    return StructType.create(
        DeviceValue.TYPE.name(),
        ImmutableSet.copyOf(types.keySet()),
        field -> Optional.ofNullable(types.get(field)));
  }

  private static ImmutableMap<String, Function> functions(CelEnvironment version) {
    if (version.isStored()) {
      return Functions.all();
    }
    ImmutableMap.Builder<String, Function> functions = ImmutableMap.builder();
    Functions.all()
        .forEach(
            (name, function) -> {
              if (name.equals("indexOf") || name.equals("lastIndexOf")) {
                functions.put(name, listsFirst(function));
              } else if (!name.equals("includes") || version.hasIncludes()) {
                functions.put(name, function);
              }
            });
    return functions.buildOrThrow();
  }

  /** Only the second version of Kubernetes' functions of lists comes after those of texts. */
  private static Function listsFirst(Function function) {
    List<Overload> overloads = new ArrayList<>(function.overloads());
    overloads.sort(Comparator.comparing(overload -> !overload.id().startsWith("list_")));
    return new Function(function.name(), List.copyOf(overloads));
  }

  private static CelType byDomain(CelType value) {
    return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
  }
}
