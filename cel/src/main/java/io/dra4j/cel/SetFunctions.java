package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** The functions that take lists for sets, after {@code ext/sets.go} of cel-go. */
final class SetFunctions {

  private static final FunctionCost ONCE = comparison(1);
  private static final FunctionCost TWICE = comparison(2);

  private static final ImmutableList<Class<?>> TWO_LISTS = ImmutableList.of(List.class, List.class);

  /** The functions as the checker knows them; {@link Functions} says how to read this. */
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
            (args, frame) -> containsAll((List<?>) args[0], (List<?>) args[1], frame))
        .addLengthy(
            "list_sets_intersects_list",
            ONCE,
            TWO_LISTS,
            (args, frame) -> intersects((List<?>) args[0], (List<?>) args[1], frame))
        .addLengthy(
            "list_sets_equivalent_list",
            TWICE,
            TWO_LISTS,
            (args, frame) ->
                containsAll((List<?>) args[0], (List<?>) args[1], frame)
                    && containsAll((List<?>) args[1], (List<?>) args[0], frame));
  }

  /** Each element of one list is compared with each of the other one. */
  private static FunctionCost comparison(int times) {
    return new FunctionCost(
        args -> {
          Estimate pairs = args.get(0).sizeOrDeclared().times(args.get(1).sizeOrDeclared());
          return new CallEstimate(
              (times == 1 ? pairs : pairs.times((double) times)).plus(Estimate.ONE));
        },
        CallCost.before((a, b) -> 1 + CallCost.size(a) * CallCost.size(b) * times));
  }

  private static boolean containsAll(List<?> list, List<?> elements, Frame frame) {
    for (Object element : elements) {
      if (!contains(list, element, frame)) {
        return false;
      }
    }
    return true;
  }

  private static boolean intersects(List<?> list, List<?> elements, Frame frame) {
    for (Object element : list) {
      if (contains(elements, element, frame)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a value equals one of a list, asked from the side of the value. */
  static boolean contains(List<?> list, Object value, Frame frame) {
    for (Object element : list) {
      frame.spendOn(value);
      if (Equality.areEqual(value, element, frame)) {
        return true;
      }
    }
    return false;
  }
}
