package io.dra4j.cel.internal.value;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.OpaqueValue;
import java.time.temporal.Temporal;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Equality as Kubernetes has it, after {@code common/types} of cel-go and {@code
 * apiserver/pkg/cel}.
 *
 * <p>Quantities, versions and addresses, compared with something else than their like or null, are
 * neither equal nor unequal, and inside lists and maps that counts as equal.
 */
public final class Equality {

  static final int UNEQUAL = 0;

  /** The values are equal. */
  public static final int EQUAL = 1;

  /** The values cannot be compared. */
  public static final int NEITHER = 2;

  private Equality() {}

  /** Returns whether two values are equal. */
  public static boolean areEqual(Object a, Object b, EvaluationMeter work) {
    return compare(a, b, work) == EQUAL;
  }

  /** Returns {@link #EQUAL}, {@link #UNEQUAL} or {@link #NEITHER}. */
  public static int compare(Object a, Object b, EvaluationMeter work) {
    return compare(a, b, work, null);
  }

  private static int compare(Object a, Object b, EvaluationMeter work, @Nullable Steps outer) {
    if (a == b && a instanceof String) {
      return EQUAL;
    } else if (a instanceof String x) {
      return b instanceof String y && x.equals(y) ? EQUAL : UNEQUAL;
    } else if (a instanceof Boolean) {
      return a.equals(b) ? EQUAL : UNEQUAL;
    } else if (a instanceof Number) {
      return Values.compare(a, b) == 0 ? EQUAL : UNEQUAL;
    } else if (a instanceof NullValue || b instanceof NullValue) {
      return a instanceof NullValue && b instanceof NullValue ? EQUAL : UNEQUAL;
    } else if (a instanceof OpaqueValue) {
      work.spendOn(a);
      work.spendOn(b);
      return compareOpaque(a, b);
    } else if (a instanceof List<?> x) {
      return b instanceof List<?> y ? compareLists(x, y, steps(outer, work)) : UNEQUAL;
    } else if (a instanceof Map<?, ?> x) {
      return b instanceof Map<?, ?> y ? compareMaps(x, y, steps(outer, work)) : UNEQUAL;
    } else if (a instanceof Optional<?> x) {
      return b instanceof Optional<?> y ? compareOptionals(x, y, steps(outer, work)) : UNEQUAL;
    } else if (a instanceof Temporal) {
      return Values.compare(a, b) == 0 ? EQUAL : UNEQUAL;
    } else if (a instanceof CelType x) {
      return b instanceof CelType y && x.name().equals(y.name()) ? EQUAL : UNEQUAL;
    } else if (a instanceof Message x) {
      return b instanceof Message y ? compareMessages(x, y, steps(outer, work)) : UNEQUAL;
    }
    return a.equals(b) ? EQUAL : UNEQUAL;
  }

  /** Returns the value of a key, or null; numbers of different types are the same key. */
  public static @Nullable Object find(Map<?, ?> map, Object key) {
    Object value = map.get(key);
    if (value == null && key instanceof Number) {
      if (key instanceof Double number) {
        value = findDouble(map, number);
      } else if (key instanceof Long number && number >= 0) {
        value = map.get(UnsignedLong.valueOf(number));
      } else if (key instanceof UnsignedLong number && number.longValue() >= 0) {
        value = map.get(number.longValue());
      }
    }
    return value;
  }

  /** Returns whether a map has a key; a default value does not count. */
  public static boolean hasKey(Map<?, ?> map, Object key) {
    return map instanceof MapValue ? map.containsKey(key) : find(map, key) != null;
  }

  private static @Nullable Object findDouble(Map<?, ?> map, double number) {
    if (number == 0) {
      Object value = map.get(-number);
      if (value != null) {
        return value;
      }
    }
    Object value = null;
    if (number >= -0x1p63 && number < 0x1p63 && (long) number == number) {
      value = map.get((long) number);
    }
    if (value == null && number >= 0 && number < 0x1p64 && Math.rint(number) == number) {
      value = map.get(Values.toUnsigned(number));
    }
    return value;
  }

  /** The result of a calculation cannot be on the right: the original looks for another type. */
  private static int compareOpaque(Object a, Object b) {
    if (a.getClass() != b.getClass() || (b instanceof QuantityValue q && q.isCalculated())) {
      return NEITHER;
    }
    return a.equals(b) ? EQUAL : UNEQUAL;
  }

  /**
   * Counts the elements of one comparison of lists or maps inside each other. A value that is bound
   * to a variable and put into another one twice, again and again, has few parts, but a comparison
   * would come across them too often to end.
   */
  private static final class Steps {

    private static final int MAX = 5_000_000;

    private final EvaluationMeter work;
    private int count;

    Steps(EvaluationMeter work) {
      this.work = work;
    }

    void add(Object element) {
      work.spendOn(element);
      if (++count > MAX) {
        throw new EvaluationAborted("a comparison of more than " + MAX + " elements");
      }
    }
  }

  private static Steps steps(@Nullable Steps outer, EvaluationMeter work) {
    return outer == null ? new Steps(work) : outer;
  }

  private static int compareLists(List<?> a, List<?> b, Steps steps) {
    if (Values.size(a) != Values.size(b)) {
      return UNEQUAL;
    }
    int result = EQUAL;
    Iterator<?> others = b.iterator();
    for (Object element : a) {
      steps.add(element);
      int equal = compare(element, others.next(), steps.work, steps);
      if (equal == UNEQUAL) {
        return UNEQUAL;
      } else if (equal == NEITHER && a instanceof ConcatenatedList) {
        result = NEITHER;
      }
    }
    return result;
  }

  private static int compareMaps(Map<?, ?> a, Map<?, ?> b, Steps steps) {
    if (a.size() != b.size()) {
      return UNEQUAL;
    }
    for (Map.Entry<?, ?> entry : a.entrySet()) {
      steps.add(entry.getValue());
      Object other = find(b, entry.getKey());
      if (other == null || compare(entry.getValue(), other, steps.work, steps) == UNEQUAL) {
        return UNEQUAL;
      }
    }
    return EQUAL;
  }

  private static int compareMessages(Message a, Message b, Steps steps) {
    return a.type() == b.type() && a.unknown().equals(b.unknown())
        ? compareMaps(a.fields(), b.fields(), steps)
        : UNEQUAL;
  }

  /** In optionals, other than alone or in a list, null is like any other value. */
  private static int compareOptionals(Optional<?> a, Optional<?> b, Steps steps) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() && b.isEmpty() ? EQUAL : UNEQUAL;
    }
    return a.get() instanceof OpaqueValue
        ? compareOpaque(a.get(), b.get())
        : compare(a.get(), b.get(), steps.work, steps);
  }
}
