package io.dra4j.cel.internal.check;

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
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.cel.internal.library.Functions.Function;
import io.dra4j.cel.internal.library.Functions.Overload;
import io.dra4j.cel.internal.message.WellKnownMessage;
import io.dra4j.cel.internal.value.CidrValue;
import io.dra4j.cel.internal.value.IpValue;
import io.dra4j.cel.internal.value.QuantityValue;
import io.dra4j.common.KubernetesVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The names that an expression may use, and what they mean to the checker. */
public final class Environment {

  private static final String DEVICE = "kubernetes.DRADevice";

  /** The type of types, of which nothing more is known. */
  static final CelType TYPE = TypeType.create(SimpleType.DYN);

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
          .put("type", TYPE)
          .put("uint", SimpleType.UINT)
          .put("google.protobuf.Duration", SimpleType.DURATION)
          .put("google.protobuf.Timestamp", SimpleType.TIMESTAMP)
          .put("net.IP", IpValue.TYPE)
          .put("net.CIDR", CidrValue.TYPE)
          .put(WellKnownMessage.EMPTY.fullName(), WellKnownMessage.EMPTY.type())
          .put(WellKnownMessage.STRUCT_ENTRY.fullName(), WellKnownMessage.STRUCT_ENTRY.type())
          .buildOrThrow();

  private static final ImmutableMap<String, CelType> GLOBALS =
      ImmutableMap.<String, CelType>builder()
          .putAll(Maps.transformValues(TYPES, TypeType::create))
          .put(WellKnownMessage.NULL_VALUE, SimpleType.INT)
          .buildOrThrow();

  private static final ImmutableMap<String, Structure> MESSAGES = messages();

  private final String container;
  private final ImmutableMap<String, CelType> variables;
  private final ImmutableMap<String, Structure> structures;
  private final ImmutableMap<String, Function> functions;
  private final Dialect dialect;
  private @Nullable Suggestions suggestions;

  /**
   * A variable, or the name of a type.
   *
   * @param name its full name
   * @param type its type; that of the type as a value
   */
  record Variable(String name, CelType type) {}

  /**
   * The types of literals with fields that the checker knows.
   *
   * @param name its full name
   * @param type the type of the literal
   * @param fields the names and types of the fields
   */
  record Structure(String name, CelType type, StructType fields) {}

  /** Creates the environment of Kubernetes. */
  public Environment(EnvironmentVersion version) {
    this("", ImmutableMap.of("device", device(version)), functions(version), version.dialect());
  }

  /**
   * Creates an environment of other variables.
   *
   * @param container a prefix, such as {@code a.b}, that names of variables and functions may omit
   * @param variables the types of the variables by their names
   * @param functions all functions
   * @param dialect the rules of the language that differ between releases
   */
  public Environment(
      String container,
      Map<String, CelType> variables,
      ImmutableMap<String, Function> functions,
      Dialect dialect) {
    this.container = container;
    this.structures = structures(variables);
    ImmutableMap.Builder<String, CelType> all = ImmutableMap.builder();
    for (Structure structure : structures.values()) {
      all.put(structure.name(), TypeType.create(structure.type()));
    }
    this.variables = all.putAll(GLOBALS).putAll(variables).buildKeepingLast();
    this.functions = functions;
    this.dialect = dialect;
  }

  String container() {
    return container;
  }

  Dialect dialect() {
    return dialect;
  }

  /** Returns whether errors suggest other names, which they do in place of the container. */
  boolean suggests() {
    return dialect.sparesFailures() && container.isEmpty();
  }

  /** Returns the declared names that an undeclared name may mean. */
  List<String> suggestions(String name) {
    Suggestions known = suggestions; // made with the first mistake; by two threads, it is the same
    if (known == null) {
      known = new Suggestions(functions);
      suggestions = known;
    }
    return known.find(name);
  }

  /**
   * Finds a variable or the name of a type. After a leading dot the name has to be the full one.
   */
  @Nullable Variable variable(String name) {
    String full = fullName(name, variables);
    CelType type = variables.get(full);
    return type == null ? null : new Variable(full, type);
  }

  /** Returns the type that expressions name so, or null. */
  public static @Nullable CelType typeByName(String name) {
    return TYPES.get(name);
  }

  /** Returns whether a name is that of a type. */
  static boolean isType(String name) {
    return TYPES.containsKey(name.startsWith(".") ? name.substring(1) : name);
  }

  /** Finds a function. After a leading dot the name has to be the full one. */
  @Nullable Function function(String name) {
    return functions.get(fullName(name, functions));
  }

  /**
   * Finds what a literal with fields makes. After a leading dot the name has to be the full one.
   */
  @Nullable Structure structure(String name) {
    return structures.get(fullName(name, structures));
  }

  private String fullName(String name, Map<String, ?> known) {
    if (name.startsWith(".")) {
      return name.substring(1);
    }
    for (String prefix = container; !prefix.isEmpty(); prefix = outer(prefix)) {
      String full = prefix + "." + name;
      if (known.containsKey(full)) {
        return full;
      }
    }
    return name;
  }

  private static String outer(String prefix) {
    return prefix.substring(0, Math.max(0, prefix.lastIndexOf('.')));
  }

  /** Returns whether a type is a structure to cel-go. */
  boolean isStructure(CelType type) {
    return type.name().startsWith("kubernetes.");
  }

  private static ImmutableMap<String, Structure> messages() {
    Map<String, Structure> messages = new HashMap<>();
    for (WellKnownMessage message : WellKnownMessage.values()) {
      add(message.fullName(), message, messages);
    }
    // The checker takes these names for messages, which the evaluator does not.
    add("duration", WellKnownMessage.DURATION, messages);
    add("timestamp", WellKnownMessage.TIMESTAMP, messages);
    add("list", WellKnownMessage.LIST, messages);
    StructType empty = WellKnownMessage.EMPTY.structure();
    messages.put("null_type", new Structure("null_type", SimpleType.NULL_TYPE, empty));
    return ImmutableMap.copyOf(messages);
  }

  private static void add(String name, WellKnownMessage message, Map<String, Structure> messages) {
    messages.put(name, new Structure(name, message.type(), message.structure()));
  }

  private static ImmutableMap<String, Structure> structures(Map<String, CelType> variables) {
    Map<String, Structure> structures = new HashMap<>(MESSAGES);
    for (CelType type : variables.values()) {
      if (type instanceof StructType struct) {
        structures.put(struct.name(), new Structure(struct.name(), struct, struct));
      }
    }
    return ImmutableMap.copyOf(structures);
  }

  private static StructType device(EnvironmentVersion version) {
    ImmutableMap.Builder<String, CelType> fields = ImmutableMap.builder();
    fields.put("driver", SimpleType.STRING);
    fields.put("attributes", byDomain(version.attributeType()));
    fields.put("capacity", byDomain(QuantityValue.TYPE));
    if (version.multipleAllocations()) {
      fields.put("allowMultipleAllocations", SimpleType.BOOL);
    }
    ImmutableMap<String, CelType> types = fields.buildOrThrow();
    return StructType.create(
        DEVICE,
        ImmutableSet.copyOf(types.keySet()),
        field -> Optional.ofNullable(types.get(field)));
  }

  /** Returns the functions of a version of Kubernetes' environment. */
  public static ImmutableMap<String, Function> functions(EnvironmentVersion version) {
    if (version.equals(EnvironmentVersion.STORED)) {
      return ImmutableMap.copyOf(
          Maps.filterKeys(Functions.all(), name -> !EnvironmentVersion.isLater(name)));
    }
    ImmutableMap.Builder<String, Function> functions = ImmutableMap.builder();
    Functions.all()
        .forEach(
            (name, function) -> {
              List<Overload> overloads =
                  function.overloads().stream()
                      .filter(overload -> version.has(name, overload.id()))
                      .toList();
              boolean searches = name.equals("indexOf") || name.equals("lastIndexOf");
              if (!overloads.isEmpty()) {
                functions.put(
                    name,
                    searches && !version.stored() && isBefore38(version)
                        ? listsFirst(overloads, name)
                        : new Function(name, overloads));
              }
            });
    return functions.buildOrThrow();
  }

  private static boolean isBefore38(EnvironmentVersion version) {
    return version.version().compareTo(KubernetesVersion.V1_38) < 0;
  }

  /** Only the second version of Kubernetes' functions of lists comes after those of texts. */
  private static Function listsFirst(List<Overload> declared, String name) {
    List<Overload> overloads = new ArrayList<>(declared);
    overloads.sort(Comparator.comparing(overload -> !overload.id().startsWith("list_")));
    return new Function(name, List.copyOf(overloads));
  }

  private static CelType byDomain(CelType value) {
    return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
  }
}
