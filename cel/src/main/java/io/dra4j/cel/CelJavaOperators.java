package io.dra4j.cel;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelOverloadNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operators that work differently here than in cel-java: equality because of the values that
 * Kubernetes adds, {@code in} and indexing because of the default of {@link MapValue}.
 */
final class CelJavaOperators {

  private CelJavaOperators() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("equals", Object.class, Object.class, CelJavaOperators::isEqual)
        .add("not_equals", Object.class, Object.class, (a, b) -> !Equality.areEqual(a, b))
        .add("in_list", Object.class, List.class, (value, list) -> isIn(value, list))
        .add("in_map", Object.class, Map.class, (key, map) -> Equality.hasKey(map, key))
        .add("index_list", List.class, Number.class, (list, index) -> element(list, index))
        .add("index_map", Map.class, Object.class, (map, key) -> value(map, key))
        .add(
            "optional_or_optional", Optional.class, Optional.class, (a, b) -> a.isPresent() ? a : b)
        .add(
            "optional_orValue_value",
            Optional.class,
            Object.class,
            (a, b) -> a.isPresent() ? a.get() : b);
  }

  private static boolean isEqual(Object a, Object b) {
    int equal = Equality.compare(a, b);
    if (equal == Equality.NEITHER) {
      throw new CelOverloadNotFoundException("_==_");
    }
    return equal == Equality.EQUAL;
  }

  private static boolean isIn(Object value, List<?> list) {
    for (Object element : list) {
      if (Equality.areEqual(value, element)) {
        return true;
      }
    }
    return false;
  }

  private static Object element(List<?> list, Number index) {
    Object element = Qualifier.element(list, index);
    if (element == Node.ABSENT) {
      throw new CelInvalidArgumentException("index out of bounds: " + index);
    } else if (element instanceof EvalError error) {
      throw new CelInvalidArgumentException(error.message());
    }
    return element;
  }

  private static Object value(Map<?, ?> map, Object key) {
    Object value = Equality.find(map, key);
    if (value == null) {
      throw CelAttributeNotFoundException.of("no such key: " + key);
    }
    return value;
  }
}
