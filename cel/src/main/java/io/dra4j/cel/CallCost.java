package io.dra4j.cel;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.values.CelByteString;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a call costs when it is evaluated: the rules of {@code costCall} in {@code
 * interpreter/runtimecost.go} and of {@code ext/lists.go} and {@code ext/sets.go} of cel-go, and of
 * {@code CallCost} in {@code library/cost.go} of the API server.
 */
final class CallCost {

  /** Computes a cost from the first two arguments and the result. */
  @FunctionalInterface
  interface Rule {
    long cost(@Nullable Object first, @Nullable Object second, @Nullable Object result);
  }

  static final CallCost ONE = new CallCost((a, b, r) -> 1, false);

  private static final double TRAVERSAL = 0.1;
  private static final double REGEX = 0.25;
  private static final long LIST_CREATION = 10;

  private static final CallCost FIRST = before((a, b) -> traverse(size(a)));
  private static final CallCost SECOND = before((a, b) -> traverse(Values.size(b)));
  private static final CallCost FIRST_TWICE = before((a, b) -> ceil(size(a) * 2 * TRAVERSAL));
  private static final CallCost ELEMENTS = before((a, b) -> traversal(a));
  private static final CallCost SMALLER =
      before((a, b) -> traverse(Math.min(Values.size(a), Values.size(b))));
  private static final CallCost REGEX_SEARCH =
      before((a, b) -> ceil((1.0 + size(a)) * TRAVERSAL) * ceil(size(b) * REGEX));

  private static final CallCost SELECTOR = before((a, b) -> selector(size(b)));

  // The rules of cel-go itself look into optionals, the others do not.
  private static final CallCost CORE_FIRST = before((a, b) -> traverse(Values.size(a)));
  private static final CallCost CORE_REGEX_SEARCH =
      before((a, b) -> ceil((1.0 + Values.size(a)) * TRAVERSAL) * ceil(Values.size(b) * REGEX));
  private static final CallCost RESULT_LIST =
      new CallCost((a, b, result) -> allocated(1, size(result)), true);
  private static final CallCost SELF_COMPARISON = before((a, b) -> selfComparison(a));
  private static final CallCost KEY_COMPARISON = before((a, b) -> selfComparison(b));

  private static final ImmutableMap<String, CallCost> BY_FUNCTION =
      ImmutableMap.<String, CallCost>builder()
          .put("isSorted", ELEMENTS)
          .put("sum", ELEMENTS)
          .put("max", ELEMENTS)
          .put("min", ELEMENTS)
          .put("indexOf", ELEMENTS)
          .put("lastIndexOf", ELEMENTS)
          .put("includes", ELEMENTS)
          .put("url", FIRST)
          .put("lowerAscii", FIRST)
          .put("upperAscii", FIRST)
          .put("substring", FIRST)
          .put("trim", FIRST)
          .put("replace", FIRST_TWICE)
          .put("split", FIRST_TWICE)
          .put("join", new CallCost((a, b, result) -> ceil(size(result) * 2 * TRAVERSAL), true))
          .put("find", REGEX_SEARCH)
          .put("findAll", REGEX_SEARCH)
          .put("cidr", FIRST)
          .put("isIP", FIRST)
          .put("isCIDR", FIRST)
          .put("ip", FIRST)
          .put("ip.isCanonical", FIRST_TWICE)
          .put("containsIP", before((a, b) -> traverse(2 * size(a))))
          .put("containsCIDR", before((a, b) -> containsCidr(a)))
          .put("quantity", FIRST)
          .put("isQuantity", FIRST)
          .put("semver", FIRST)
          .put("isSemver", FIRST)
          .put("validate", before(CallCost::validation))
          .put("check", before((a, b) -> FunctionCosts.AUTHORIZATION))
          .put("fieldSelector", SELECTOR)
          .put("labelSelector", SELECTOR)
          .buildOrThrow();

  private static final ImmutableMap<String, CallCost> BY_OVERLOAD =
      ImmutableMap.<String, CallCost>builder()
          .put("cidr_ip", ONE)
          .put(
              "cidr_contains_ip_string",
              before((a, b) -> traverse(2 * size(a)) + traverse(size(b))))
          .put("cidr_contains_cidr_string", before((a, b) -> containsCidr(a) + traverse(size(b))))
          .put("list_slice", RESULT_LIST)
          .put("list_flatten", before((a, b) -> allocated(1, size(a))))
          .put("list_flatten_int", before(CallCost::flatten))
          .put("lists_range", RESULT_LIST)
          .put("list_reverse", RESULT_LIST)
          .put("list_distinct", SELF_COMPARISON)
          .put("list_sets_contains_list", before((a, b) -> sets(a, b, 1)))
          .put("list_sets_intersects_list", before((a, b) -> sets(a, b, 1)))
          .put("list_sets_equivalent_list", before((a, b) -> sets(a, b, 2)))
          .put("starts_with_string", SECOND)
          .put("ends_with_string", SECOND)
          .put("string_to_bytes", CORE_FIRST)
          .put("bytes_to_string", CORE_FIRST)
          .put("strings_quote", CORE_FIRST)
          .put("string_format", CORE_FIRST)
          .put("in_list", before((a, b) -> Values.size(b)))
          .put("equals", SMALLER)
          .put("not_equals", SMALLER)
          .put("less_string", SMALLER)
          .put("less_equals_string", SMALLER)
          .put("greater_string", SMALLER)
          .put("greater_equals_string", SMALLER)
          .put("less_bytes", SMALLER)
          .put("less_equals_bytes", SMALLER)
          .put("greater_bytes", SMALLER)
          .put("greater_equals_bytes", SMALLER)
          .put("add_string", before((a, b) -> traverse(Values.size(a) + Values.size(b))))
          .put("add_bytes", before((a, b) -> traverse(Values.size(a) + Values.size(b))))
          .put("matches", CORE_REGEX_SEARCH)
          .put("matches_string", CORE_REGEX_SEARCH)
          .put(
              "contains_string",
              before((a, b) -> traverse(Values.size(a)) * traverse(Values.size(b))))
          .buildOrThrow();

  private final Rule rule;
  private final boolean afterwards;

  private CallCost(Rule rule, boolean afterwards) {
    this.rule = rule;
    this.afterwards = afterwards;
  }

  @FunctionalInterface
  private interface ArgumentRule {
    long cost(@Nullable Object first, @Nullable Object second);
  }

  private static CallCost before(ArgumentRule rule) {
    return new CallCost((a, b, result) -> rule.cost(a, b), false);
  }

  /**
   * The cost of the calls of a node.
   *
   * @param overload its only possible overload, or an empty text if there are several
   */
  static CallCost of(String function, String overload) {
    if (overload.startsWith("list_") && overload.endsWith("_sort")) {
      return SELF_COMPARISON;
    } else if (overload.startsWith("list_") && overload.endsWith("_sortByAssociatedKeys")) {
      return KEY_COMPARISON;
    }
    CallCost cost = BY_OVERLOAD.get(overload);
    if (cost == null) {
      cost = BY_FUNCTION.get(function);
    }
    return cost == null ? ONE : cost;
  }

  /** Whether it depends on the result. Other costs are counted before the work is done. */
  boolean isAfterwards() {
    return afterwards;
  }

  long of(@Nullable Object first, @Nullable Object second, @Nullable Object result) {
    return this == ONE ? 1 : rule.cost(first, second, result);
  }

  /** The cost of an equality. */
  static long equality(Object a, Object b) {
    if (a instanceof dev.cel.common.values.OpaqueValue) {
      return 1;
    }
    return traverse(Math.min(Values.size(a), Values.size(b)));
  }

  static long traverse(long size) {
    return size <= 10 ? (size + 9) / 10 : ceil(size * TRAVERSAL);
  }

  private static long size(@Nullable Object value) {
    return value instanceof Optional ? 1 : Values.size(value);
  }

  private static long ceil(double cost) {
    return (long) Math.ceil(cost);
  }

  private static long allocated(double factor, long size) {
    double cost = size * (factor < 0 ? 1.0 : factor);
    return (cost < 0x1p63 ? (long) cost : Long.MIN_VALUE) + 1 + LIST_CREATION; // unsigned
  }

  private static long flatten(@Nullable Object list, @Nullable Object depth) {
    if (!(depth instanceof Long levels)) {
      throw new EvaluationAborted("internal error: the depth is not an int");
    }
    return allocated(levels, size(list));
  }

  private static long selfComparison(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      throw new EvaluationAborted("internal error: not a list");
    } else if (list.isEmpty()) {
      return allocated(2, 0);
    }
    Object first = list.get(0);
    double factor = first instanceof String || first instanceof CelByteString ? 2.1 : 2.0;
    long size = size(list);
    return allocated(factor, size > Integer.MAX_VALUE ? Long.MAX_VALUE / 4 : size * size);
  }

  private static long sets(@Nullable Object a, @Nullable Object b, int factor) {
    return 1 + size(a) * size(b) * factor;
  }

  private static long selector(long length) {
    long requirements = ceil(length * FunctionCosts.REQUIREMENTS);
    return LIST_CREATION + traverse(length) + requirements * FunctionCosts.REQUIREMENT;
  }

  private static long containsCidr(@Nullable Object range) {
    return traverse(2 * size(range)) + traverse(size(range)) + 1;
  }

  private static long validation(@Nullable Object format, @Nullable Object text) {
    return format instanceof FormatValue value
        ? ceil((1.0 + size(text)) * TRAVERSAL) * ceil(value.regexSize() * REGEX)
        : 1;
  }

  /** The sum of all parts; texts of less than 10 bytes count nothing. */
  private static long traversal(@Nullable Object value) {
    return new Traversal().cost(value);
  }

  /** Ends where the cost is above every limit, however often parts come across each other. */
  private static final class Traversal {

    private static final int MAX_PARTS = 5_000_000;

    private int parts;

    long cost(@Nullable Object value) {
      if (++parts > MAX_PARTS) {
        throw new EvaluationAborted("a value of more than " + MAX_PARTS + " parts");
      } else if (value instanceof String text) {
        return (long) (Utf8.encodedLength(text) * TRAVERSAL);
      } else if (value instanceof CelByteString bytes) {
        return (long) (bytes.size() * TRAVERSAL);
      } else if (value instanceof List<?> list) {
        long cost = 0;
        for (Object element : list) {
          cost += cost(element);
        }
        return cost;
      } else if (value instanceof Map<?, ?> map) {
        long cost = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          cost += cost(entry.getKey()) + cost(entry.getValue());
        }
        return cost;
      }
      return 1;
    }
  }
}
