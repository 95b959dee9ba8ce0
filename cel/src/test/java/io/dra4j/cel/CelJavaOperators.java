package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelOverloadNotFoundException;
import io.dra4j.cel.internal.eval.Qualifier;
import io.dra4j.cel.internal.library.FunctionCost;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.library.SetFunctions;
import io.dra4j.cel.internal.value.Equality;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operators that work differently here than in cel-java: equality because of the values that
 * Kubernetes adds, {@code in} and indexing because of the default of {@link MapValue}.
 */
final class CelJavaOperators {

  private static final ImmutableList<Class<?>> TWO_VALUES =
      ImmutableList.of(Object.class, Object.class);

  private CelJavaOperators() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .addLengthy(
            "equals", FunctionCost.ONE, TWO_VALUES, (args, work) -> isEqual(args[0], args[1], work))
        .addLengthy(
            "not_equals",
            FunctionCost.ONE,
            TWO_VALUES,
            (args, work) -> !Equality.areEqual(args[0], args[1], work))
        .addLengthy(
            "in_list",
            FunctionCost.ONE,
            ImmutableList.of(Object.class, List.class),
            (args, work) -> SetFunctions.contains((List<?>) args[1], args[0], work))
        .add(
            "in_map",
            FunctionCost.ONE,
            Object.class,
            Map.class,
            (key, map) -> Equality.hasKey(map, key))
        .add(
            "index_list",
            FunctionCost.ONE,
            List.class,
            Number.class,
            (list, index) -> element(list, index))
        .add("index_map", FunctionCost.ONE, Map.class, Object.class, (map, key) -> value(map, key))
        .add(
            "optional_or_optional",
            FunctionCost.ONE,
            Optional.class,
            Optional.class,
            (a, b) -> a.isPresent() ? a : b)
        .add(
            "optional_orValue_value",
            FunctionCost.ONE,
            Optional.class,
            Object.class,
            (a, b) -> a.isPresent() ? a.get() : b);
  }

  private static boolean isEqual(Object a, Object b, EvaluationMeter work) {
    int equal = Equality.compare(a, b, work);
    if (equal == Equality.NEITHER) {
      throw new CelOverloadNotFoundException("_==_");
    }
    return equal == Equality.EQUAL;
  }

  private static Object element(List<?> list, Number index) {
    Object element = Qualifier.element(list, index);
    if (element == Values.ABSENT) {
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
