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
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionBinding;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The functions on lists, after {@code lists.go} of the API server's CEL library, and those of
 * cel-go's own that must be limited.
 */
@SuppressWarnings("Immutable") // equality and zeros are immutable, but not all annotated
final class ListFunctions {

  private static final TypeParamType ELEMENT = TypeParamType.create("A");

  // Among overloads for lists, the first is taken when only the runtime knows the elements.
  private static final ImmutableList<CelType> COMPARABLE =
      ImmutableList.of(INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES);

  private static final ImmutableList<Object> ZEROS =
      ImmutableList.of(0L, UnsignedLong.ZERO, 0.0, Duration.ZERO);

  private final Equality equality;

  ListFunctions(Equality equality) {
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
    for (Object zero : ZEROS) {
      CelType type = type(zero);
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
        .member(
            "unwrapOpt",
            "optional_unwrapOpt",
            list,
            ListType.create(OptionalType.create(ELEMENT)),
            List.class,
            l -> unwrap(l))
        .binding(
            "lists.range", CelFunctionBinding.from("lists_range", Long.class, ListFunctions::range))
        .binding("flatten", CelFunctionBinding.from("list_flatten", List.class, l -> flatten(l, 1)))
        .binding(
            "flatten",
            CelFunctionBinding.from(
                "list_flatten_list_int", List.class, Long.class, (l, depth) -> flatten(l, depth)));
  }

  private boolean includes(Object target, Object value) {
    return target instanceof List<?> list
        ? indexOf(list, value) >= 0
        : equality.areEqual(target, value);
  }

  private long indexOf(List<?> list, Object value) {
    long index = 0;
    for (Object element : list) {
      if (equality.areEqual(element, value)) {
        return index;
      }
      index++;
    }
    return -1;
  }

  private long lastIndexOf(List<?> list, Object value) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (equality.areEqual(list.get(i), value)) {
        return i;
      }
    }
    return -1;
  }

  private static ImmutableList<Long> range(long size) {
    if (size < 0) {
      throw new CelInvalidArgumentException("lists.range: negative size: " + size);
    }
    Limits.checkSize(size);
    return ContiguousSet.create(Range.closedOpen(0L, size), DiscreteDomain.longs()).asList();
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

  private static List<?> unwrap(List<?> optionals) {
    ImmutableList.Builder<Object> values = ImmutableList.builder();
    for (Object optional : optionals) {
      ((Optional<?>) optional).ifPresent(values::add);
    }
    return values.build();
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

  private static CelType type(Object zero) {
    if (zero instanceof UnsignedLong) {
      return UINT;
    } else if (zero instanceof Double) {
      return DOUBLE;
    }
    return zero instanceof Duration ? DURATION : INT;
  }

  private static Object zero(Object like) {
    if (like instanceof UnsignedLong) {
      return UnsignedLong.ZERO;
    } else if (like instanceof Double) {
      return 0.0;
    }
    return like instanceof Duration ? Duration.ZERO : 0L;
  }

  private static Object sum(List<?> list, Object ifEmpty) {
    if (list.isEmpty()) {
      return ifEmpty;
    }
    Object sum = zero(list.get(0));
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
    if (!(value instanceof Comparable) && !(value instanceof CelByteString)) {
      throw new CelOverloadNotFoundException(function);
    }
  }

  /** Returns −1, 0 or 1; also 0 if the values have different types. */
  @SuppressWarnings("unchecked")
  private static int compare(Object a, Object b) {
    if (isNaN(a) || isNaN(b)) {
      throw new CelInvalidArgumentException("NaN values cannot be ordered");
    } else if (a instanceof CelByteString x && b instanceof CelByteString y) {
      return Integer.signum(Arrays.compareUnsigned(x.toByteArray(), y.toByteArray()));
    } else if (a.getClass() == b.getClass()) {
      return Integer.signum(((Comparable<Object>) a).compareTo(b));
    }
    return a instanceof Number && b instanceof Number ? compareNumbers(a, b) : 0;
  }

  private static boolean isNaN(Object value) {
    return value instanceof Double number && number.isNaN();
  }

  private static int compareNumbers(Object a, Object b) {
    return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString()));
  }
}
