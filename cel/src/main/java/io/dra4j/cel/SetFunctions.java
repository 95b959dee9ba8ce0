package io.dra4j.cel;

import java.util.List;

/** The functions that take lists for sets, after {@code ext/sets.go} of cel-go. */
final class SetFunctions {

  private SetFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("list_sets_contains_list", List.class, List.class, (a, b) -> contains(a, b))
        .add("list_sets_intersects_list", List.class, List.class, (a, b) -> intersects(a, b))
        .add(
            "list_sets_equivalent_list",
            List.class,
            List.class,
            (a, b) -> contains(a, b) && contains(b, a));
  }

  private static boolean contains(List<?> list, List<?> elements) {
    for (Object element : elements) {
      if (!contains(list, element)) {
        return false;
      }
    }
    return true;
  }

  private static boolean intersects(List<?> list, List<?> elements) {
    for (Object element : list) {
      if (contains(elements, element)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a value equals one of a list, asked from the side of the value. */
  static boolean contains(List<?> list, Object value) {
    for (Object element : list) {
      if (Equality.areEqual(value, element)) {
        return true;
      }
    }
    return false;
  }
}
