package io.dra4j.cel.internal.library;

import dev.cel.common.values.CelByteString;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.value.EvaluationAborted;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a call when it is evaluated, and the rules that functions share: rules of {@code
 * costCall} in {@code interpreter/runtimecost.go} and of {@code ext/lists.go} and {@code
 * ext/sets.go} of cel-go, and of {@code CallCost} in {@code library/cost.go} of the API server.
 */
public final class CallCost {

  /** Computes a cost from the first two arguments and the result. */
  @FunctionalInterface
  public interface Rule {
    long cost(
        @Nullable Object first,
        @Nullable Object second,
        @Nullable Object result,
        EvaluationMeter work);
  }

  /** One unit. */
  public static final CallCost ONE = new CallCost((a, b, r, work) -> 1, false);

  static final double TRAVERSAL = 0.1;
  static final double REGEX = 0.25;
  private static final long LIST_CREATION = 10;

  /** The cost of going through the first argument. */
  static final CallCost FIRST = before((a, b) -> traverse(size(a)));

  static final CallCost SECOND = before((a, b) -> traverse(Values.size(b)));
  static final CallCost FIRST_TWICE = before((a, b) -> ceil(size(a) * 2 * TRAVERSAL));

  /** The cost of going through all elements of the first argument. */
  static final CallCost ELEMENTS =
      new CallCost((a, b, result, work) -> new Traversal(work).cost(a), false);

  /** The cost of searching the first argument for the second one. */
  static final CallCost REGEX_SEARCH =
      before((a, b) -> ceil((1.0 + size(a)) * TRAVERSAL) * ceil(size(b) * REGEX));

  // The rules of cel-go itself look into optionals, the others do not.
  static final CallCost CORE_FIRST = before((a, b) -> traverse(Values.size(a)));
  static final CallCost CORE_REGEX_SEARCH =
      before((a, b) -> ceil((1.0 + Values.size(a)) * TRAVERSAL) * ceil(Values.size(b) * REGEX));

  /** The cost of creating a list as long as the result. */
  public static final CallCost RESULT_LIST =
      new CallCost((a, b, result, work) -> newList(1, size(result)), true);

  /** The cost of comparing each element of the first or the second argument with each other. */
  static final CallCost SELF_COMPARISON = before((a, b) -> selfComparison(a));

  static final CallCost KEY_COMPARISON = before((a, b) -> selfComparison(b));

  private final Rule rule;
  private final boolean afterwards;

  private CallCost(Rule rule, boolean afterwards) {
    this.rule = rule;
    this.afterwards = afterwards;
  }

  /** Computes a cost from the first two arguments. */
  @FunctionalInterface
  interface ArgumentRule {
    long cost(@Nullable Object first, @Nullable Object second);
  }

  /** Computes a cost from the result. */
  @FunctionalInterface
  interface ResultRule {
    long cost(@Nullable Object result);
  }

  /** A cost that is counted before the work is done. */
  static CallCost before(ArgumentRule rule) {
    return new CallCost((a, b, result, work) -> rule.cost(a, b), false);
  }

  /** A cost that is counted when the result is there. */
  static CallCost after(ResultRule rule) {
    return new CallCost((a, b, result, work) -> rule.cost(result), true);
  }

  /** Returns whether it depends on the result. Other costs are counted before the work is done. */
  public boolean isAfterwards() {
    return afterwards;
  }

  /** Returns the cost of one call. */
  public long of(
      @Nullable Object first,
      @Nullable Object second,
      @Nullable Object result,
      EvaluationMeter work) {
    return this == ONE ? 1 : rule.cost(first, second, result, work);
  }

  /** Returns the cost of an equality. */
  public static long equality(Object a, Object b) {
    if (a instanceof dev.cel.common.values.OpaqueValue) {
      return 1;
    }
    return traverse(Values.smallerSize(a, b));
  }

  /** Returns the cost of going through a text or list of a size, a tenth of it. */
  public static long traverse(long size) {
    return size <= 10 ? (size + 9) / 10 : ceil(size * TRAVERSAL);
  }

  static long size(@Nullable Object value) {
    return value instanceof Optional ? 1 : Values.size(value);
  }

  static long ceil(double cost) {
    return (long) Math.ceil(cost);
  }

  static long newList(double factor, long size) {
    double cost = size * (factor < 0 ? 1.0 : factor);
    return (cost < 0x1p63 ? (long) cost : Long.MIN_VALUE) + 1 + LIST_CREATION; // unsigned
  }

  private static long selfComparison(@Nullable Object value) {
    if (!(value instanceof List<?> list)) {
      throw new EvaluationAborted(
          "internal error: interface conversion: %s is not traits.Lister: missing method %s"
              .formatted(Values.goType(value), Values.canBeAdded(value) ? "Contains" : "Add"));
    } else if (list.isEmpty()) {
      return newList(2, 0);
    }
    Object first = list.get(0);
    double factor = first instanceof String || first instanceof CelByteString ? 2.1 : 2.0;
    long size = size(list);
    return newList(factor, size > Integer.MAX_VALUE ? Long.MAX_VALUE / 4 : size * size);
  }

  /**
   * The sum of all parts; texts of less than 10 bytes count nothing. Ends where the cost is above
   * every limit, however often parts come across each other.
   */
  private static final class Traversal {

    private static final int MAX_PARTS = 5_000_000;

    private final EvaluationMeter work;
    private int parts;

    Traversal(EvaluationMeter work) {
      this.work = work;
    }

    long cost(@Nullable Object value) {
      if (value != null) {
        work.spendOn(value);
      }
      if (++parts > MAX_PARTS) {
        throw new EvaluationAborted("a value of more than " + MAX_PARTS + " parts");
      } else if (value instanceof String text) {
        return (long) (GoText.length(text) * TRAVERSAL);
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
