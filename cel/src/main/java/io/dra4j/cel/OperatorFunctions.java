package io.dra4j.cel;

import dev.cel.common.CelOptions;
import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.exceptions.CelOverloadNotFoundException;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import dev.cel.runtime.standard.CelStandardOverload;
import dev.cel.runtime.standard.StringFunction.StringOverload;
import java.util.List;
import java.util.Map;

/**
 * The standard operators that work differently here: {@code in} and indexing because of the default
 * of {@link MapValue}, {@code +} because it must not make values without limit.
 */
@SuppressWarnings("Immutable") // Equality is immutable, but not annotated
final class OperatorFunctions {

  private OperatorFunctions() {}

  /**
   * The standard functions without those that this class, {@link RegexFunctions} and {@link
   * StringFunctions} bring.
   */
  static CelStandardFunctions otherStandardFunctions() {
    return CelStandardFunctions.newBuilder().filterFunctions(OperatorFunctions::isKept).build();
  }

  static void addTo(FunctionLibrary.Builder library, RuntimeEquality standard, CelOptions options) {
    Equality equality = new Equality(standard);
    for (StringOverload overload : StringOverload.values()) {
      if (overload != StringOverload.DOUBLE_TO_STRING) {
        library.binding("string", overload.newFunctionBinding(options, standard));
      }
    }
    library
        .binding(
            "_==_",
            CelFunctionBinding.from(
                "equals", Object.class, Object.class, (a, b) -> isEqual(a, b, equality)))
        .binding(
            "_!=_",
            CelFunctionBinding.from(
                "not_equals", Object.class, Object.class, (a, b) -> isUnequal(a, b, equality)))
        .binding(
            "@in",
            CelFunctionBinding.from(
                "in_list", Object.class, List.class, (key, list) -> isIn(key, list, equality)))
        .binding(
            "@in",
            CelFunctionBinding.from(
                "in_map", Object.class, Map.class, (key, map) -> isKey(key, map, equality)))
        .binding(
            "_[_]",
            CelFunctionBinding.from(
                "index_list", List.class, Number.class, (list, index) -> element(list, index)))
        .binding(
            "_[_]",
            CelFunctionBinding.from(
                "index_map", Map.class, Object.class, (map, key) -> value(map, key, equality)))
        .binding(
            "_+_",
            CelFunctionBinding.from(
                "add_string", String.class, String.class, OperatorFunctions::concat))
        .binding(
            "_+_",
            CelFunctionBinding.from(
                "add_bytes", CelByteString.class, CelByteString.class, OperatorFunctions::concat))
        .binding(
            "_+_",
            CelFunctionBinding.from("add_list", List.class, List.class, (a, b) -> concat(a, b)));
  }

  private static boolean isKept(StandardFunction function, CelStandardOverload overload) {
    return switch (function) {
      case EQUALS, NOT_EQUALS, IN, INDEX, MATCHES, STRING -> false;
      case ADD ->
          overload != AddOverload.ADD_STRING
              && overload != AddOverload.ADD_BYTES
              && overload != AddOverload.ADD_LIST;
      default -> true;
    };
  }

  private static boolean isEqual(Object a, Object b, Equality equality) {
    Boolean equal = equality.compare(a, b);
    if (equal == null) {
      throw new CelOverloadNotFoundException("_==_");
    }
    return equal;
  }

  private static boolean isUnequal(Object a, Object b, Equality equality) {
    return !equality.areEqual(a, b);
  }

  private static boolean isIn(Object value, List<?> list, Equality equality) {
    for (Object element : list) {
      if (equality.areEqual(element, value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isKey(Object key, Map<?, ?> map, Equality equality) {
    return map instanceof MapValue ? map.containsKey(key) : equality.find(map, key).isPresent();
  }

  private static Object element(List<?> list, Number index) {
    return RuntimeHelpers.indexList(list, index);
  }

  private static Object value(Map<?, ?> map, Object key, Equality equality) {
    return equality
        .find(map, key)
        .orElseThrow(() -> CelAttributeNotFoundException.of("no such key: " + key));
  }

  private static String concat(String a, String b) {
    Limits.checkSize((long) a.length() + b.length());
    return a + b;
  }

  private static CelByteString concat(CelByteString a, CelByteString b) {
    Limits.checkSize((long) a.size() + b.size());
    return a.concat(b);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> concat(List<?> a, List<?> b) {
    Limits.checkSize((long) a.size() + b.size());
    return RuntimeHelpers.concat((List<Object>) a, (List<Object>) b);
  }
}
