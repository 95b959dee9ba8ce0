package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableList;
import io.dra4j.cel.internal.value.Equality;
import io.dra4j.cel.internal.value.EvaluationMeter;
import java.util.List;

/** The functions that take lists for sets, after {@code ext/sets.go} of cel-go. */
public final class SetFunctions {

  private static final FunctionCost ONCE = comparison(1);
  private static final FunctionCost TWICE = comparison(2);

  private static final ImmutableList<Class<?>> TWO_LISTS = ImmutableList.of(List.class, List.class);

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      sets.contains
        list_sets_contains_list (list(T), list(T)) bool
      sets.equivalent
        list_sets_equivalent_list (list(T), list(T)) bool
      sets.intersects
        list_sets_intersects_list (list(T), list(T)) bool
      """;

  private SetFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .addLengthy(
            "list_sets_contains_list",
            ONCE,
            TWO_LISTS,
            (args, work) -> containsAll((List<?>) args[0], (List<?>) args[1], work))
        .addLengthy(
            "list_sets_intersects_list",
            ONCE,
            TWO_LISTS,
            (args, work) -> intersects((List<?>) args[0], (List<?>) args[1], work))
        .addLengthy(
            "list_sets_equivalent_list",
            TWICE,
            TWO_LISTS,
            (args, work) ->
                containsAll((List<?>) args[0], (List<?>) args[1], work)
                    && containsAll((List<?>) args[1], (List<?>) args[0], work));
  }

  /** Each element of one list is compared with each of the other one. */
  private static FunctionCost comparison(int times) {
    return new FunctionCost(
        args -> {
          Estimate pairs = args.get(0).sizeOrDeclared().times(args.get(1).sizeOrDeclared());
          // as a double even once, so that more than 2⁵³ are rounded as cel-go does
          return new CallEstimate(pairs.times((double) times).plus(Estimate.ONE));
        },
        CallCost.before((a, b) -> 1 + CallCost.size(a) * CallCost.size(b) * times));
  }

  private static boolean containsAll(List<?> list, List<?> elements, EvaluationMeter work) {
    for (Object element : elements) {
      if (!contains(list, element, work)) {
        return false;
      }
    }
    return true;
  }

  private static boolean intersects(List<?> list, List<?> elements, EvaluationMeter work) {
    for (Object element : list) {
      if (contains(elements, element, work)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a value equals one of a list, asked from the side of the value. */
  public static boolean contains(List<?> list, Object value, EvaluationMeter work) {
    for (Object element : list) {
      work.spendOn(value);
      if (Equality.areEqual(value, element, work)) {
        return true;
      }
    }
    return false;
  }
}
