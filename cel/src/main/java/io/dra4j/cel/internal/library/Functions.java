package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.types.TypeType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The functions that expressions may call, as the checker has to know them: those of Kubernetes'
 * CEL environment for stored expressions (apiserver 1.37, cel-go 0.29.2). Each is declared in the
 * class that has its body and its costs.
 *
 * <p>A line of a declaration without indentation names a function; below it are its overloads in
 * the order in which the checker tries them: identifier, type of the target with a dot for members,
 * types of the arguments, type of the result. Capital letters are type parameters.
 */
public final class Functions {

  /** In the order in which overloads of one name are tried. */
  private static final ImmutableList<String> DECLARED =
      ImmutableList.of(
          OperatorFunctions.DECLARED,
          ConversionFunctions.DECLARED,
          TimeFunctions.DECLARED,
          StringFunctions.DECLARED,
          RegexFunctions.DECLARED,
          ListFunctions.DECLARED,
          SetFunctions.DECLARED,
          OptionalFunctions.DECLARED,
          QuantityFunctions.DECLARED,
          SemVerFunctions.DECLARED,
          IpFunctions.DECLARED,
          UrlFunctions.DECLARED,
          FormatFunctions.DECLARED,
          AuthorizerFunctions.DECLARED);

  private static final ImmutableMap<String, CelType> NAMED_TYPES =
      ImmutableMap.<String, CelType>builder()
          .put("bool", SimpleType.BOOL)
          .put("bytes", SimpleType.BYTES)
          .put("double", SimpleType.DOUBLE)
          .put("dyn", SimpleType.DYN)
          .put("int", SimpleType.INT)
          .put("string", SimpleType.STRING)
          .put("uint", SimpleType.UINT)
          .put("google.protobuf.Duration", SimpleType.DURATION)
          .put("google.protobuf.Timestamp", SimpleType.TIMESTAMP)
          .buildOrThrow();

  private static final ImmutableMap<String, Function> ALL = read();

  private static final ImmutableSet<String> OPERATORS =
      ImmutableSet.copyOf(read(List.of(OperatorFunctions.DECLARED)).keySet());

  /**
   * A function.
   *
   * @param name its name
   * @param overloads in the order in which they are tried
   */
  public record Function(String name, List<Overload> overloads) {}

  /**
   * An overload of a function.
   *
   * @param id its identifier
   * @param member whether it is called with a target, whose type is then the first of the
   *     parameters
   * @param parameters their types
   * @param result the type of the result
   * @param generic whether there are type parameters
   */
  public record Overload(
      String id, boolean member, List<CelType> parameters, CelType result, boolean generic) {}

  private Functions() {}

  /** Returns whether a function is an operator, or works like one: no library has it. */
  public static boolean isOperator(String name) {
    return OPERATORS.contains(name);
  }

  /** Returns all functions by their names. */
  public static ImmutableMap<String, Function> all() {
    return ALL;
  }

  private static ImmutableMap<String, Function> read() {
    ImmutableMap.Builder<String, Function> functions = ImmutableMap.builder();
    read(DECLARED)
        .forEach((name, list) -> functions.put(name, new Function(name, List.copyOf(list))));
    return functions.buildOrThrow();
  }

  private static Map<String, List<Overload>> read(List<String> declarations) {
    Map<String, List<Overload>> overloads = new LinkedHashMap<>();
    for (String declared : declarations) {
      List<Overload> current = new ArrayList<>();
      for (String line : declared.split("\n", -1)) {
        if (line.startsWith("  ")) {
          current.add(overload(line.strip()));
        } else if (!line.isEmpty()) {
          current = overloads.computeIfAbsent(line, name -> new ArrayList<>());
        }
      }
    }
    return overloads;
  }

  private static Overload overload(String line) {
    String id = line.substring(0, line.indexOf(' '));
    String signature = line.substring(id.length() + 1, line.lastIndexOf(' '));
    CelType result = type(line.substring(line.lastIndexOf(' ') + 1));
    boolean member = !signature.startsWith("(");
    List<CelType> parameters = new ArrayList<>();
    int open = 0;
    if (member) {
      open = signature.indexOf(".(") + 1;
      parameters.add(type(signature.substring(0, open - 1)));
    }
    String arguments = signature.substring(open + 1, signature.length() - 1);
    if (!arguments.isEmpty()) {
      for (String argument : arguments.split(", ", -1)) {
        parameters.add(type(argument));
      }
    }
    boolean generic = isGeneric(result) || parameters.stream().anyMatch(Functions::isGeneric);
    return new Overload(id, member, List.copyOf(parameters), result, generic);
  }

  private static CelType type(String text) {
    CelType named = NAMED_TYPES.get(text);
    if (named != null) {
      return named;
    } else if (text.length() == 1) {
      return TypeParamType.create(text);
    } else if (text.startsWith("list(")) {
      return ListType.create(type(inside(text)));
    } else if (text.startsWith("optional_type(")) {
      return OptionalType.create(type(inside(text)));
    } else if (text.startsWith("type(")) {
      return TypeType.create(type(inside(text)));
    } else if (text.startsWith("map(")) {
      String types = inside(text);
      int comma = types.indexOf(','); // no key is a map
      return MapType.create(type(types.substring(0, comma)), type(types.substring(comma + 1)));
    }
    return OpaqueType.create(text);
  }

  private static String inside(String text) {
    return text.substring(text.indexOf('(') + 1, text.length() - 1);
  }

  /** Returns whether there is a type parameter in a type that is written down somewhere. */
  private static boolean isGeneric(CelType type) {
    return switch (type.kind()) {
      case TYPE_PARAM -> true;
      case TYPE -> isGeneric(((TypeType) type).type());
      case OPAQUE, LIST, MAP -> {
        for (CelType parameter : type.parameters()) {
          if (isGeneric(parameter)) {
            yield true;
          }
        }
        yield false;
      }
      default -> false;
    };
  }
}
