package io.dra4j.cel.internal.value;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import io.dra4j.cel.internal.text.GoText;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.List;

/** The arithmetic operators, after {@code common/types} of cel-go. Failures are results. */
public final class Arithmetic {

  private static final EvalError INT_OVERFLOW = new EvalError("integer overflow");
  private static final EvalError UINT_OVERFLOW = new EvalError("unsigned integer overflow");
  private static final EvalError TIMESTAMP_OVERFLOW = new EvalError("timestamp overflow");
  private static final EvalError DIVISION_BY_ZERO = new EvalError("division by zero");
  private static final EvalError MODULUS_BY_ZERO = new EvalError("modulus by zero");
  private static final EvalError NO_SUCH_OVERLOAD = new EvalError("no such overload");

  /** The years 1 to 9999. */
  private static final Instant MIN_TIMESTAMP = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant MAX_TIMESTAMP = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Arithmetic() {}

  /** An operator with two sides. */
  @FunctionalInterface
  public interface Operator {
    Object apply(Object a, Object b);
  }

  /** A type that has the operator, but not for the other side, says less than one without. */
  private static EvalError noSuchOverload(String operator, Object left) {
    boolean known =
        Values.isReceiver(left)
            || switch (operator) {
              case "_+_" -> Values.canBeAdded(left);
              case "_%_" -> left instanceof Long || left instanceof UnsignedLong;
              case "-_" -> left instanceof Boolean;
              default -> left instanceof Number;
            };
    return known ? NO_SUCH_OVERLOAD : EvalError.noSuchOverload(operator);
  }

  /** The operator {@code +}. Returns the value or an {@link EvalError}. */
  public static Object add(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      long sum = x + y;
      return ((x ^ sum) & (y ^ sum)) < 0 ? INT_OVERFLOW : (Object) sum;
    } else if (a instanceof String x && b instanceof String y) {
      Limits.checkSize((long) x.length() + y.length());
      return GoText.concat(x, y);
    } else if (a instanceof List<?> x && b instanceof List<?> y) {
      return add(x, y);
    } else if (a instanceof Double x && b instanceof Double y) {
      return x + y;
    } else if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      UnsignedLong sum = x.plus(y);
      return sum.compareTo(x) < 0 ? UINT_OVERFLOW : sum;
    } else if (a instanceof Duration x) {
      return b instanceof Duration y
          ? duration(plus(x, y))
          : b instanceof Temporal ? add(b, a) : NO_SUCH_OVERLOAD;
    } else if (a instanceof Temporal x && b instanceof Duration y) {
      return timestamp(x, y);
    } else if (a instanceof CelByteString x && b instanceof CelByteString y) {
      Limits.checkSize((long) x.size() + y.size());
      return x.concat(y);
    }
    return noSuchOverload("_+_", a);
  }

  /** Nothing and a list are that list itself. */
  private static List<?> add(List<?> a, List<?> b) {
    if (a instanceof Accumulators.GrowingList list) {
      return list.append(b);
    }
    return a.isEmpty() ? b : b.isEmpty() ? a : new ConcatenatedList(a, Accumulators.asOfNow(b));
  }

  /** The operator {@code -} of two values. */
  public static Object subtract(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      long difference = x - y;
      return ((x ^ y) & (x ^ difference)) < 0 ? INT_OVERFLOW : (Object) difference;
    } else if (a instanceof Double x && b instanceof Double y) {
      return x - y;
    } else if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      return x.compareTo(y) < 0 ? UINT_OVERFLOW : x.minus(y);
    } else if (a instanceof Duration x && b instanceof Duration y) {
      return duration(plus(x, y.negated()));
    } else if (a instanceof Temporal x && b instanceof Duration y) {
      return isInRange(y.negated()) ? timestamp(x, y.negated()) : INT_OVERFLOW;
    } else if (a instanceof Temporal x && b instanceof Temporal y) {
      return difference(Timestamps.instant(x), Timestamps.instant(y));
    }
    return noSuchOverload("_-_", a);
  }

  /** The operator {@code *}. */
  public static Object multiply(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      long high = Math.multiplyHigh(x, y);
      long low = x * y;
      return (high == 0 && low >= 0) || (high == -1 && low < 0) ? (Object) low : INT_OVERFLOW;
    } else if (a instanceof Double x && b instanceof Double y) {
      return x * y;
    } else if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      BigInteger product = x.bigIntegerValue().multiply(y.bigIntegerValue());
      return product.bitLength() > 64 ? UINT_OVERFLOW : UnsignedLong.valueOf(product);
    }
    return noSuchOverload("_*_", a);
  }

  /** The operator {@code /}. */
  public static Object divide(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return y == 0
          ? DIVISION_BY_ZERO
          : x == Long.MIN_VALUE && y == -1 ? INT_OVERFLOW : (Object) (x / y);
    } else if (a instanceof Double x && b instanceof Double y) {
      return x / y;
    } else if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      return y.equals(UnsignedLong.ZERO) ? DIVISION_BY_ZERO : x.dividedBy(y);
    }
    return noSuchOverload("_/_", a);
  }

  /** The operator {@code %}. */
  public static Object modulo(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return y == 0
          ? MODULUS_BY_ZERO
          : x == Long.MIN_VALUE && y == -1 ? INT_OVERFLOW : (Object) (x % y);
    } else if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      return y.equals(UnsignedLong.ZERO) ? MODULUS_BY_ZERO : x.mod(y);
    }
    return noSuchOverload("_%_", a);
  }

  /** The operator {@code -} of one value. */
  public static Object negate(Object value) {
    if (value instanceof Long x) {
      return x == Long.MIN_VALUE ? INT_OVERFLOW : (Object) (-x);
    } else if (value instanceof Double x) {
      return -x;
    } else if (value instanceof Duration x) {
      return duration(x.negated());
    }
    return noSuchOverload("-_", value);
  }

  /** Returns whether cel-go can hold a duration, in nanoseconds. */
  static boolean isInRange(Duration duration) {
    long seconds = duration.getSeconds();
    return (seconds > Long.MIN_VALUE / 1_000_000_000 && seconds < Long.MAX_VALUE / 1_000_000_000)
        || BigInteger.valueOf(seconds)
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(duration.getNano()))
                .bitLength()
            < 64;
  }

  static boolean isInRange(Instant instant) {
    return !instant.isBefore(MIN_TIMESTAMP) && !instant.isAfter(MAX_TIMESTAMP);
  }

  private static Duration plus(Duration a, Duration b) {
    return a.plus(b); // far within the range of Java
  }

  /** As in cel-go, the seconds must fit before the fractions are added. */
  private static Object difference(Instant a, Instant b) {
    long seconds = a.getEpochSecond() - b.getEpochSecond(); // far within the range of Java
    return isInRange(Duration.ofSeconds(seconds))
        ? duration(Duration.ofSeconds(seconds, (long) a.getNano() - b.getNano()))
        : INT_OVERFLOW;
  }

  private static Object duration(Duration duration) {
    return isInRange(duration) ? duration : INT_OVERFLOW;
  }

  private static Object timestamp(Temporal timestamp, Duration duration) {
    Instant sum = Timestamps.instant(timestamp).plus(duration); // far within the range of Java
    return isInRange(sum) ? Timestamps.inZoneOf(timestamp, sum) : TIMESTAMP_OVERFLOW;
  }
}
