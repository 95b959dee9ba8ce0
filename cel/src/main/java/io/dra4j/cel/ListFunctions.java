package io.dra4j.cel;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import com.google.common.collect.Range;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelOverloadNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The functions on lists, after {@code lists.go} of the API server's CEL library, and those of
 * cel-go's own that must be limited.
 */
@SuppressWarnings("Immutable") // equality and zeros are immutable, but not all annotated
final class ListFunctions {

  /** How the overloads name the types that can be compared; among them, Java knows only lists. */
  private static final ImmutableList<String> COMPARABLE =
      ImmutableList.of("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes");

  private static final ImmutableMap<String, Object> ZEROS =
      ImmutableMap.of(
          "int", 0L, "uint", UnsignedLong.ZERO, "double", 0.0, "duration", Duration.ZERO);

  /** {@code lists.range} of cel-go refuses more. */
  private static final long MAX_RANGE = 1_000_000;

  private ListFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    for (String type : COMPARABLE) {
      String prefix = "list_" + type;
      String longType =
          switch (type) {
            case "duration" -> "google.protobuf.Duration";
            case "timestamp" -> "google.protobuf.Timestamp";
            default -> type;
          };
      library
          .add(prefix + "_is_sorted_bool", List.class, l -> isSorted(l))
          .add(prefix + "_min_" + type, List.class, l -> extreme("min", l, 1))
          .add(prefix + "_max_" + type, List.class, l -> extreme("max", l, -1))
          .add("list_" + longType + "_sort", List.class, l -> sort(l, l))
          .add(
              "list_" + longType + "_sortByAssociatedKeys",
              List.class,
              List.class,
              (l, keys) -> sort(l, keys));
    }
    ZEROS.forEach(
        (type, zero) ->
            library.add("list_" + type + "_sum_" + type, List.class, l -> sum(l, zero)));
    library
        .add("list_a_index_of_int", List.class, Object.class, (l, value) -> indexOf(l, value))
        .add(
            "list_a_last_index_of_int",
            List.class,
            Object.class,
            (l, value) -> lastIndexOf(l, value))
        .add("list_includes_dyn_dyn", Object.class, Object.class, ListFunctions::includes)
        .add("list_distinct", List.class, l -> distinct(l))
        .add("list_reverse", List.class, l -> Lists.reverse((List<?>) l))
        .add(
            "list_slice",
            ImmutableList.of(List.class, Long.class, Long.class),
            args -> slice((List<?>) args[0], (Long) args[1], (Long) args[2]))
        .add("lists_range", Long.class, ListFunctions::range)
        .add("list_flatten", List.class, l -> flatten(l, 1))
        .add("list_flatten_int", List.class, Long.class, (l, depth) -> flatten(l, depth));
  }

  private static boolean includes(Object target, Object value) {
    return target instanceof List<?> list
        ? indexOf(list, value) >= 0
        : Equality.areEqual(target, value);
  }

  private static long indexOf(List<?> list, Object value) {
    long index = 0;
    for (Object element : list) {
      if (Equality.areEqual(element, value)) {
        return index;
      }
      index++;
    }
    return -1;
  }

  private static long lastIndexOf(List<?> list, Object value) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (Equality.areEqual(list.get(i), value)) {
        return i;
      }
    }
    return -1;
  }

  private static List<Long> range(long size) {
    if (size < 0) {
      throw new CelInvalidArgumentException("lists.range: negative size: " + size);
    } else if (size > MAX_RANGE) {
      throw new CelInvalidArgumentException(
          "lists.range: size " + size + " exceeds maximum allowed (" + MAX_RANGE + ")");
    }
    return ContiguousSet.create(Range.closedOpen(0L, size), DiscreteDomain.longs()).asList();
  }

  private static List<?> slice(List<?> list, long from, long to) {
    if (from < 0 || to < from || to > list.size()) {
      throw new CelInvalidArgumentException(
          "cannot slice(" + from + ", " + to + ") a list of " + list.size());
    }
    return list.subList((int) from, (int) to);
  }

  private static List<?> distinct(List<?> list) {
    List<Object> kept = new ArrayList<>();
    for (Object element : list) {
      if (!SetFunctions.contains(kept, element)) {
        kept.add(element);
      }
    }
    return Collections.unmodifiableList(kept);
  }

  /** Sorts by keys, which must be of one type. */
  private static List<?> sort(List<?> list, List<?> keys) {
    if (list.size() != keys.size()) {
      throw new CelInvalidArgumentException(
          "sortBy: " + list.size() + " elements, but " + keys.size() + " keys");
    } else if (list.isEmpty()) {
      return list;
    }
    Object first = keys.get(0);
    checkComparable("sort", first);
    Integer[] order = new Integer[list.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
      if (order.length > 1 && Values.type(keys.get(i)) != Values.type(first)) {
        throw new CelInvalidArgumentException("list elements must have the same type");
      }
    }
    Arrays.sort(order, (a, b) -> Values.order(keys.get(a), keys.get(b)));
    ImmutableList.Builder<Object> sorted = ImmutableList.builderWithExpectedSize(order.length);
    for (int index : order) {
      sorted.add(list.get(index));
    }
    return sorted.build();
  }

  private static List<Object> flatten(List<?> list, long depth) {
    if (depth < 0) {
      throw new CelInvalidArgumentException("flatten: negative depth: " + depth);
    }
    List<Object> flat = new ArrayList<>();
    flatten(list, depth, flat);
    return Collections.unmodifiableList(flat);
  }

  private static void flatten(List<?> list, long depth, List<Object> flat) {
    for (Object element : list) {
      if (depth > 0 && element instanceof List<?> inner) {
        flatten(inner, depth - 1, flat);
      } else {
        flat.add(element);
      }
      Limits.checkSize(flat.size());
    }
  }

  private static boolean isSorted(List<?> list) {
    Object previous = null;
    for (Object element : list) {
      checkComparable("isSorted", element);
      if (previous != null && Values.compare(previous, element) == 1) {
        return false;
      }
      previous = element;
    }
    return true;
  }

  /** Values that cannot be compared with the best so far are passed over. */
  private static Object extreme(String function, List<?> list, int worse) {
    Object best = null;
    for (Object element : list) {
      checkComparable(function, element);
      if (best == null || Values.compare(best, element) == worse) {
        best = element;
      }
    }
    if (best == null) {
      throw new CelInvalidArgumentException(function + " called on empty list");
    }
    return best;
  }

  /** Starts from the zero of the overload, which for unknown elements is that of integers. */
  private static Object sum(List<?> list, Object zero) {
    Object sum = zero;
    for (Object element : list) {
      sum = Arithmetic.add(sum, element);
      if (sum instanceof EvalError error) {
        throw new CelInvalidArgumentException(error.message());
      }
    }
    return sum;
  }

  private static void checkComparable(String function, Object value) {
    if (!Values.isComparable(value)) {
      throw new CelOverloadNotFoundException(function);
    }
  }
}
