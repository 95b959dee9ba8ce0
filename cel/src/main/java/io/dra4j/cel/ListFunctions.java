package io.dra4j.cel;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.BYTES;
import static dev.cel.common.types.SimpleType.DOUBLE;
import static dev.cel.common.types.SimpleType.DURATION;
import static dev.cel.common.types.SimpleType.DYN;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;
import static dev.cel.common.types.SimpleType.TIMESTAMP;
import static dev.cel.common.types.SimpleType.UINT;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Range;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.exceptions.CelNumericOverflowException;
import dev.cel.common.exceptions.CelOverloadNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.TypeParamType;
import dev.cel.runtime.RuntimeEquality;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/**
 * The functions on lists, after {@code lists.go} of the API server's CEL library, and those of
 * cel-go's own that must be limited.
 */
@SuppressWarnings("Immutable") // equality and zeros are immutable, but not all annotated
final class ListFunctions {

  private static final TypeParamType ELEMENT = TypeParamType.create("A");

  // Among overloads for lists, the first is taken when only the runtime knows the elements.
  private static final ImmutableList<CelType> SUMMABLE =
      ImmutableList.of(INT, UINT, DOUBLE, DURATION);
  private static final ImmutableList<CelType> COMPARABLE =
      ImmutableList.of(INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES);

  private final RuntimeEquality equality;

  ListFunctions(RuntimeEquality equality) {
    this.equality = equality;
  }

  void addTo(FunctionLibrary.Builder library) {
    for (CelType type : COMPARABLE) {
      CelType list = ListType.create(type);
      String prefix = "list_" + type.name();
      library
          .member("isSorted", prefix + "_is_sorted_bool", BOOL, list, List.class, l -> isSorted(l))
          .member("min", prefix + "_min", type, list, List.class, l -> extreme("min", l, 1))
          .member("max", prefix + "_max", type, list, List.class, l -> extreme("max", l, -1));
    }
    for (CelType type : SUMMABLE) {
      Object zero = zero(type);
      CelType list = ListType.create(type);
      library.member(
          "sum", "list_" + type.name() + "_sum", type, list, List.class, l -> sum(l, zero));
    }
    CelType list = ListType.create(ELEMENT);
    library
        .member(
            "indexOf",
            "list_a_index_of_int",
            INT,
            list,
            List.class,
            ELEMENT,
            Object.class,
            (l, element) -> indexOf(l, element))
        .member(
            "lastIndexOf",
            "list_a_last_index_of_int",
            INT,
            list,
            List.class,
            ELEMENT,
            Object.class,
            (l, element) -> lastIndexOf(l, element))
        .member(
            "includes",
            "list_includes_dyn_dyn",
            BOOL,
            DYN,
            Object.class,
            DYN,
            Object.class,
            this::includes)
        .global(
            "lists.range",
            "lists_range",
            ListType.create(INT),
            INT,
            Long.class,
            ListFunctions::range);
  }

  private boolean includes(Object target, Object value) {
    return target instanceof List<?> list
        ? indexOf(list, value) >= 0
        : equality.objectEquals(target, value);
  }

  private long indexOf(List<?> list, Object value) {
    long index = 0;
    for (Object element : list) {
      if (equality.objectEquals(element, value)) {
        return index;
      }
      index++;
    }
    return -1;
  }

  private long lastIndexOf(List<?> list, Object value) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (equality.objectEquals(list.get(i), value)) {
        return i;
      }
    }
    return -1;
  }

  private static ImmutableList<Long> range(long size) {
    Limits.checkSize(size);
    return size <= 0
        ? ImmutableList.of()
        : ContiguousSet.create(Range.closedOpen(0L, size), DiscreteDomain.longs()).asList();
  }

  private static boolean isSorted(List<?> list) {
    Object previous = null;
    for (Object element : list) {
      checkComparable("isSorted", element);
      if (previous != null && compare(previous, element) == 1) {
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
      if (best == null || compare(best, element) == worse) {
        best = element;
      }
    }
    if (best == null) {
      throw new CelInvalidArgumentException(function + " called on empty list");
    }
    return best;
  }

  private static Object zero(CelType type) {
    return switch (type.kind()) {
      case UINT -> UnsignedLong.ZERO;
      case DOUBLE -> 0.0;
      case DURATION -> Duration.ZERO;
      default -> 0L;
    };
  }

  private static Object sum(List<?> list, Object zero) {
    Object sum = zero;
    for (Object element : list) {
      sum = add(sum, element);
    }
    return sum;
  }

  private static Object add(Object a, Object b) {
    try {
      if (a instanceof Long x && b instanceof Long y) {
        return Math.addExact(x, y);
      } else if (a instanceof Double x && b instanceof Double y) {
        return x + y;
      } else if (a instanceof Duration x && b instanceof Duration y) {
        return x.plus(y);
      } else if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
        UnsignedLong sum = x.plus(y);
        if (sum.compareTo(x) < 0) {
          throw new ArithmeticException("unsigned integer overflow");
        }
        return sum;
      }
    } catch (ArithmeticException e) {
      throw new CelNumericOverflowException(e);
    }
    throw new CelOverloadNotFoundException("sum");
  }

  private static void checkComparable(String function, Object value) {
    if (!(value instanceof Comparable)) {
      throw new CelOverloadNotFoundException(function);
    }
  }

  /** Returns −1, 0 or 1; also 0 if the values have different types. */
  @SuppressWarnings("unchecked")
  private static int compare(Object a, Object b) {
    if (a.getClass() == b.getClass()) {
      return Integer.signum(((Comparable<Object>) a).compareTo(b));
    }
    return a instanceof Number && b instanceof Number ? compareNumbers(a, b) : 0;
  }

  private static int compareNumbers(Object a, Object b) {
    return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString()));
  }
}
