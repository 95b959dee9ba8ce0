package io.dra4j.cel.internal.library;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import com.google.common.collect.Range;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelOverloadNotFoundException;
import io.dra4j.cel.internal.text.GoSort;
import io.dra4j.cel.internal.value.Accumulators;
import io.dra4j.cel.internal.value.Arithmetic;
import io.dra4j.cel.internal.value.ConcatenatedList;
import io.dra4j.cel.internal.value.Equality;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.EvaluationAborted;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.Order;
import io.dra4j.cel.internal.value.ValueList;
import io.dra4j.cel.internal.value.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** List functions, after the API server's {@code lists.go}, and those of cel-go to be limited. */
@SuppressWarnings("Immutable") // equality and zeros are immutable, but not all annotated
final class ListFunctions {

  /** How the overloads name the types that can be compared; among them, Java knows only lists. */
  private static final ImmutableList<String> COMPARABLE =
      ImmutableList.of("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes");

  private static final ImmutableMap<String, Object> ZEROS =
      ImmutableMap.of(
          "int", 0L, "uint", UnsignedLong.ZERO, "double", 0.0, "duration", Duration.ZERO);

  private static final FunctionCost SCAN = new FunctionCost(Estimates::scan, CallCost.ELEMENTS);
  private static final FunctionCost INCLUDES =
      new FunctionCost(Estimates::scanElements, CallCost.ELEMENTS);
  private static final FunctionCost DISTINCT = sort(0, "", CallCost.SELF_COMPARISON);
  private static final FunctionCost REVERSE =
      new FunctionCost(
          args -> Estimates.newList(1, args.get(0).sizeOrDeclared()), CallCost.RESULT_LIST);
  private static final FunctionCost SLICE =
      new FunctionCost(
          args -> {
            long start = Estimates.number(args.get(1), 0);
            long end = Estimates.number(args.get(2), args.get(0).sizeOrDeclared().max());
            return Estimates.newList(1, Estimate.fixed(end - start));
          },
          CallCost.RESULT_LIST);
  private static final FunctionCost RANGE =
      new FunctionCost(
          args -> Estimates.newList(1, Estimate.fixed(Estimates.number(args.get(0), Estimate.MAX))),
          CallCost.RESULT_LIST);
  private static final FunctionCost FLATTEN =
      new FunctionCost(
          args -> Estimates.newList(1, args.get(0).sizeOrDeclared()),
          CallCost.before((list, none) -> CallCost.newList(1, CallCost.size(list))));
  private static final FunctionCost FLATTEN_DEEP =
      new FunctionCost(
          args ->
              Estimates.newList(
                  Estimate.toDouble(Estimates.number(args.get(1), Estimate.MAX)),
                  args.get(0).sizeOrDeclared()),
          CallCost.before(ListFunctions::flattening));
  private static final FunctionCost FLATTEN_DEEP_138 =
      new FunctionCost(FLATTEN_DEEP.estimate(), CallCost.before(ListFunctions::flatteningSince138));

  /** {@code lists.range} of cel-go refuses more. */
  private static final long MAX_RANGE = 1_000_000;

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      @sortByAssociatedKeys
        list_int_sortByAssociatedKeys list(T).(list(int)) list(T)
        list_uint_sortByAssociatedKeys list(T).(list(uint)) list(T)
        list_double_sortByAssociatedKeys list(T).(list(double)) list(T)
        list_bool_sortByAssociatedKeys list(T).(list(bool)) list(T)
        list_google.protobuf.Duration_sortByAssociatedKeys list(T).(list(google.protobuf.Duration)) list(T)
        list_google.protobuf.Timestamp_sortByAssociatedKeys list(T).(list(google.protobuf.Timestamp)) list(T)
        list_string_sortByAssociatedKeys list(T).(list(string)) list(T)
        list_bytes_sortByAssociatedKeys list(T).(list(bytes)) list(T)
      distinct
        list_distinct list(T).() list(T)
      flatten
        list_flatten list(list(T)).() list(T)
        list_flatten_int list(dyn).(int) list(dyn)
      includes
        list_includes_dyn_dyn dyn.(dyn) bool
      indexOf
        list_a_index_of_int list(A).(A) int
      isSorted
        list_int_is_sorted_bool list(int).() bool
        list_uint_is_sorted_bool list(uint).() bool
        list_double_is_sorted_bool list(double).() bool
        list_bool_is_sorted_bool list(bool).() bool
        list_duration_is_sorted_bool list(google.protobuf.Duration).() bool
        list_timestamp_is_sorted_bool list(google.protobuf.Timestamp).() bool
        list_string_is_sorted_bool list(string).() bool
        list_bytes_is_sorted_bool list(bytes).() bool
      lastIndexOf
        list_a_last_index_of_int list(A).(A) int
      lists.range
        lists_range (int) list(int)
      max
        list_int_max_int list(int).() int
        list_uint_max_uint list(uint).() uint
        list_double_max_double list(double).() double
        list_bool_max_bool list(bool).() bool
        list_duration_max_duration list(google.protobuf.Duration).() google.protobuf.Duration
        list_timestamp_max_timestamp list(google.protobuf.Timestamp).() google.protobuf.Timestamp
        list_string_max_string list(string).() string
        list_bytes_max_bytes list(bytes).() bytes
      min
        list_int_min_int list(int).() int
        list_uint_min_uint list(uint).() uint
        list_double_min_double list(double).() double
        list_bool_min_bool list(bool).() bool
        list_duration_min_duration list(google.protobuf.Duration).() google.protobuf.Duration
        list_timestamp_min_timestamp list(google.protobuf.Timestamp).() google.protobuf.Timestamp
        list_string_min_string list(string).() string
        list_bytes_min_bytes list(bytes).() bytes
      reverse
        list_reverse list(T).() list(T)
      slice
        list_slice list(T).(int, int) list(T)
      sort
        list_int_sort list(int).() list(int)
        list_uint_sort list(uint).() list(uint)
        list_double_sort list(double).() list(double)
        list_bool_sort list(bool).() list(bool)
        list_google.protobuf.Duration_sort list(google.protobuf.Duration).() list(google.protobuf.Duration)
        list_google.protobuf.Timestamp_sort list(google.protobuf.Timestamp).() list(google.protobuf.Timestamp)
        list_string_sort list(string).() list(string)
        list_bytes_sort list(bytes).() list(bytes)
      sum
        list_int_sum_int list(int).() int
        list_uint_sum_uint list(uint).() uint
        list_double_sum_double list(double).() double
        list_duration_sum_duration list(google.protobuf.Duration).() google.protobuf.Duration
      """;

  private ListFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    COMPARABLE.forEach(type -> addOrder(library, type));
    ZEROS.forEach(
        (type, zero) ->
            library.addLengthy(
                "list_" + type + "_sum_" + type,
                SCAN,
                ImmutableList.of(List.class),
                (args, work) -> sum((List<?>) args[0], zero, work)));
    addSearches(library);
    addNewLists(library, dialect);
    // Without a type of the elements, cel-go knows no overload to ask about the cost.
    library.ambiguous("sort", CallCost.ONE).ambiguous("@sortByAssociatedKeys", CallCost.ONE);
  }

  /** Adds what puts elements of a type in order. */
  private static void addOrder(FunctionLibrary.Builder library, String type) {
    String prefix = "list_" + type;
    String longType =
        switch (type) {
          case "duration" -> "google.protobuf.Duration";
          case "timestamp" -> "google.protobuf.Timestamp";
          default -> type;
        };
    library
        .addLengthy(
            prefix + "_is_sorted_bool",
            SCAN,
            ImmutableList.of(List.class),
            (args, work) -> isSorted((List<?>) args[0], work))
        .addLengthy(
            prefix + "_min_" + type,
            SCAN,
            ImmutableList.of(List.class),
            (args, work) -> extreme("min", (List<?>) args[0], 1, work))
        .addLengthy(
            prefix + "_max_" + type,
            SCAN,
            ImmutableList.of(List.class),
            (args, work) -> extreme("max", (List<?>) args[0], -1, work))
        .addLengthy(
            "list_" + longType + "_sort",
            sort(0, type, CallCost.SELF_COMPARISON),
            ImmutableList.of(List.class),
            (args, work) -> sort((List<?>) args[0], (List<?>) args[0], work))
        .addLengthy(
            "list_" + longType + "_sortByAssociatedKeys",
            sort(1, type, CallCost.KEY_COMPARISON),
            ImmutableList.of(List.class, List.class),
            (args, work) -> sort((List<?>) args[0], (List<?>) args[1], work));
  }

  private static void addSearches(FunctionLibrary.Builder library) {
    library
        .addLengthy(
            "list_a_index_of_int",
            SCAN,
            ImmutableList.of(List.class, Object.class),
            (args, work) -> indexOf((List<?>) args[0], args[1], work))
        .addLengthy(
            "list_a_last_index_of_int",
            SCAN,
            ImmutableList.of(List.class, Object.class),
            (args, work) -> lastIndexOf((List<?>) args[0], args[1], work))
        .addLengthy(
            "list_includes_dyn_dyn",
            INCLUDES,
            ImmutableList.of(Object.class, Object.class),
            (args, work) -> includes(args[0], args[1], work));
  }

  private static void addNewLists(FunctionLibrary.Builder library, Dialect dialect) {
    library
        .addLengthy(
            "list_distinct",
            DISTINCT,
            ImmutableList.of(List.class),
            (args, work) -> distinct((List<?>) args[0], work))
        .add(
            "list_reverse",
            REVERSE,
            List.class,
            l -> Lists.reverse(Accumulators.asOfNow((List<?>) l)))
        .add(
            "list_slice",
            SLICE,
            ImmutableList.of(List.class, Long.class, Long.class),
            args -> slice((List<?>) args[0], (Long) args[1], (Long) args[2]))
        .add("lists_range", RANGE, Long.class, ListFunctions::range)
        .addLengthy(
            "list_flatten",
            FLATTEN,
            ImmutableList.of(List.class),
            (args, work) -> flatten((List<?>) args[0], 1, work))
        .addLengthy(
            "list_flatten_int",
            dialect.sparesFailures() ? FLATTEN_DEEP_138 : FLATTEN_DEEP,
            ImmutableList.of(List.class, Long.class),
            (args, work) -> flatten((List<?>) args[0], (Long) args[1], work));
  }

  /** Each element is compared with each other one. */
  private static FunctionCost sort(int argument, String type, CallCost call) {
    double factor = type.equals("string") || type.equals("bytes") ? 2 + Estimates.TEXT : 2;
    return new FunctionCost(
        args -> {
          Estimate size = args.get(argument).sizeOrDeclared();
          return Estimates.newList(factor, size.times(size));
        },
        call);
  }

  private static long flattening(@Nullable Object list, @Nullable Object depth) {
    if (!(depth instanceof Long levels)) {
      throw new EvaluationAborted(
          "internal error: interface conversion: ref.Val is %s, not types.Int"
              .formatted(Values.goType(depth)));
    }
    return CallCost.newList((double) levels, CallCost.size(list));
  }

  private static long flatteningSince138(@Nullable Object list, @Nullable Object depth) {
    long levels = depth instanceof Long number ? Math.max(0, number) : 1;
    return CallCost.newList((double) levels, CallCost.size(list));
  }

  private static boolean includes(Object target, Object value, EvaluationMeter work) {
    return target instanceof List<?> list
        ? indexOf(list, value, work) >= 0
        : Equality.areEqual(target, value, work);
  }

  private static long indexOf(List<?> list, Object value, EvaluationMeter work) {
    long index = 0;
    for (Object element : list) {
      work.spendOn(element);
      if (Equality.areEqual(element, value, work)) {
        return index;
      }
      index++;
    }
    return -1;
  }

  private static long lastIndexOf(List<?> list, Object value, EvaluationMeter work) {
    for (int i = list.size() - 1; i >= 0; i--) {
      Object element = list.get(i);
      work.spendOn(element);
      if (Equality.areEqual(element, value, work)) {
        return i;
      }
    }
    return -1;
  }

  private static List<Long> range(long size) {
    if (size < 0) {
      throw new CelInvalidArgumentException("lists.range: size must be non-negative, got " + size);
    } else if (size > MAX_RANGE) {
      throw new CelInvalidArgumentException(
          "lists.range: size " + size + " exceeds maximum allowed (" + MAX_RANGE + ")");
    }
    return ContiguousSet.create(Range.closedOpen(0L, size), DiscreteDomain.longs()).asList();
  }

  private static List<?> slice(List<?> list, long from, long to) {
    long size = Values.size(list);
    if (from < 0 || to < from || to > size) {
      throw new CelInvalidArgumentException(
          "cannot slice(%d, %d), %s"
              .formatted(
                  from,
                  to,
                  from < 0 || to < 0
                      ? "negative indexes not supported"
                      : from > to
                          ? "start index must be less than or equal to end index"
                          : "list is length " + size));
    } else if (to <= Integer.MAX_VALUE) {
      return list.subList((int) from, (int) to);
    }
    Limits.checkSize(to - from);
    return ValueList.of(
        LongStream.range(from, to)
            .mapToObj(index -> ConcatenatedList.element(list, index))
            .toArray());
  }

  private static List<?> distinct(List<?> list, EvaluationMeter work) {
    if (list.isEmpty()) {
      return list;
    }
    List<Object> kept = new ArrayList<>();
    for (Object element : list) {
      if (!SetFunctions.contains(kept, element, work)) {
        kept.add(element);
      }
    }
    work.takes(MemoryCost.ofList(kept.size()));
    return Collections.unmodifiableList(kept);
  }

  /** Sorts by keys, which must be of one type. */
  private static List<?> sort(List<?> list, List<?> keys, EvaluationMeter work) {
    if (list.size() != keys.size()) {
      throw new CelInvalidArgumentException(
          "@sortByAssociatedKeys() expected a list of the same size as the associated keys list,"
              + " but got "
              + list.size()
              + " and "
              + keys.size()
              + " elements respectively");
    } else if (list.isEmpty()) {
      return list;
    }
    Limits.checkSize(Values.size(keys)); // it costs 1 if types are unknown
    work.spend(keys.size());
    Object first = keys.get(0);
    if (!Values.isComparable(first)) {
      throw new CelInvalidArgumentException("list elements must be comparable");
    }
    for (Object key : keys) {
      if (Values.type(key) != Values.type(first)) {
        throw new CelInvalidArgumentException("list elements must have the same type");
      }
    }
    work.takes(MemoryCost.ofList(keys.size()));
    Object[] values = keys.toArray();
    Order comparison = new Order();
    int[] order =
        GoSort.sorted(
            values.length,
            (a, b) -> {
              work.spendOn(values[a]);
              work.spendOn(values[b]);
              return comparison.compare(values[a], values[b]) < 0;
            });
    return ValueList.of(Arrays.stream(order).mapToObj(list::get).toArray());
  }

  private static List<Object> flatten(List<?> list, long depth, EvaluationMeter work) {
    if (depth < 0) {
      throw new CelInvalidArgumentException("level must be non-negative");
    }
    Flattening flattening = new Flattening(work);
    flattening.add(list, depth);
    work.takes(MemoryCost.ofList(flattening.flat.size()));
    return Collections.unmodifiableList(flattening.flat);
  }

  /** Ends however often lists come across each other, also where nothing is in them. */
  private static final class Flattening {

    private static final int MAX_PARTS = 5_000_000;

    private final EvaluationMeter work;
    private final List<Object> flat = new ArrayList<>();
    private int parts;

    Flattening(EvaluationMeter work) {
      this.work = work;
    }

    void add(List<?> list, long depth) {
      for (Object element : list) {
        work.spend(1);
        if (++parts > MAX_PARTS) {
          throw new EvaluationAborted("flatten: a list of more than " + MAX_PARTS + " parts");
        } else if (depth > 0 && element instanceof List<?> inner) {
          add(inner, depth - 1);
        } else {
          flat.add(element);
        }
        Limits.checkSize(flat.size());
      }
    }
  }

  private static boolean isSorted(List<?> list, EvaluationMeter work) {
    Object previous = null;
    Order order = new Order();
    for (Object element : list) {
      work.spendOn(element);
      checkComparable("isSorted", previous == null, element);
      if (previous != null && order.compare(previous, element) == 1) {
        return false;
      }
      previous = element;
    }
    return true;
  }

  /** Skips values that cannot be compared with the current best value. */
  private static Object extreme(String function, List<?> list, int worse, EvaluationMeter work) {
    Object best = null;
    Order order = new Order();
    for (Object element : list) {
      work.spendOn(element);
      checkComparable(function, best == null, element);
      if (best == null || order.compare(best, element) == worse) {
        best = element;
      }
    }
    if (best == null) {
      throw new CelInvalidArgumentException(function + " called on empty list");
    }
    return best;
  }

  /** Starts from the zero of the overload, which for unknown elements is that of integers. */
  private static Object sum(List<?> list, Object zero, EvaluationMeter work) {
    Object sum = zero;
    for (Object element : list) {
      work.spend(1);
      sum = Arithmetic.add(sum, element);
      if (sum instanceof EvalError error) {
        throw new CelInvalidArgumentException(error.message());
      }
    }
    return sum;
  }

  /** Go looks for an overload by the first element, and asks that one to compare the others. */
  private static void checkComparable(String function, boolean first, Object value) {
    if (!Values.isComparable(value)) {
      throw first
          ? new CelOverloadNotFoundException(function)
          : new CelInvalidArgumentException("no such overload");
    }
  }
}
