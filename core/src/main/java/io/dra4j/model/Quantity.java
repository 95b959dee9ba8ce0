package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An exact number as Kubernetes writes amounts: {@code 80Gi}, {@code 1500m}, {@code 12e6}.
 *
 * <p>Reads, calculates, converts and writes as {@code resource.Quantity} of {@code
 * k8s.io/apimachinery} does. Two quantities are equal if they are the same number, in any notation:
 * {@code 1Gi} equals {@code 1024Mi}. The {@link Format} is kept for writing and has no effect on
 * comparisons.
 *
 * <p>Whether Kubernetes treats a number as an integer depends on its internal representation, not
 * only on the number; see {@link #asInteger()}. Two defects of the original are not reproduced:
 * {@link Long#MIN_VALUE} is negated and subtracted exactly, and {@link #toString()} never drops an
 * exponent that has no suffix.
 */
public final class Quantity implements Comparable<Quantity> {

  /** The families of suffixes of quantities. */
  public enum Format {
    /** Powers of ten, such as {@code e3} or {@code E3}. */
    DECIMAL_EXPONENT,
    /** {@code n u m k M G T P E}, and no suffix at all. */
    DECIMAL_SI,
    /** {@code Ki Mi Gi Ti Pi Ei}. */
    BINARY_SI
  }

  /**
   * A quantity that equals only quantities with the same representation and notation: {@code 1000m}
   * and 1 are equal as quantities, but not as instances of this class. Expressions of CEL can
   * distinguish such quantities, for example with {@code isInteger()}.
   *
   * @param quantity the quantity
   */
  public record Written(Quantity quantity) {

    /** Rejects null. {@inheritDoc} */
    public Written {
      Checks.value("Written.quantity", quantity);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Written written && quantity.isWrittenAs(written.quantity);
    }

    @Override
    public int hashCode() {
      return Objects.hash(quantity.unscaled, quantity.scale, quantity.big);
    }
  }

  private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);
  private static final int MILLI = -3;

  /** The most places between the last digits of numbers that are added exactly since 1.38. */
  private static final int MAX_GAP = 29;

  /** The maximum distance between the last digits of numbers to be added, in places. */
  private static final int MAX_APART = 2_000;

  /** 10⁰ to 10¹⁸, all powers of ten that fit a long. */
  private static final long[] LONG_POWERS = new long[19];

  /** 10⁰ to 10³¹ as Go's {@code math.Pow10} has them. */
  private static final double[] DOUBLE_POWERS = new double[32];

  static {
    LONG_POWERS[0] = 1;
    for (int i = 1; i < LONG_POWERS.length; i++) {
      LONG_POWERS[i] = 10 * LONG_POWERS[i - 1];
    }
    for (int i = 0; i < DOUBLE_POWERS.length; i++) {
      DOUBLE_POWERS[i] = Double.parseDouble("1e" + i);
    }
  }

  private final long unscaled; // the number is unscaled · 10^scale, unless big is set
  private final int scale;
  private final @Nullable BigDecimal big;
  private final Format format;
  private final @Nullable String
      text; // the parsed string, if Kubernetes would write it back unchanged

  private final @Nullable Quantity newer; // the quantity in 1.38, if it differs

  private Quantity(
      long unscaled,
      int scale,
      @Nullable BigDecimal big,
      Format format,
      @Nullable String text,
      @Nullable Quantity newer) {
    this.unscaled = unscaled;
    this.scale = scale;
    this.big = big;
    this.format = Checks.value("format", format);
    this.text = text;
    this.newer = newer;
  }

  static Quantity ofScaled(long unscaled, int scale, Format format, @Nullable String text) {
    return new Quantity(unscaled, scale, null, format, text, null);
  }

  static Quantity ofBig(BigDecimal value, Format format) {
    return new Quantity(0, 0, value, format, null, null);
  }

  static Quantity ofBig(BigDecimal value, Format format, Quantity newer) {
    return new Quantity(0, 0, value, format, null, newer);
  }

  /**
   * {@return the quantity of a whole number, written with decimal suffixes}
   *
   * @param value the number
   */
  public static Quantity of(long value) {
    return of(value, Format.DECIMAL_SI);
  }

  /**
   * {@return the quantity of a whole number}
   *
   * @param value the number
   * @param format the format for writing
   */
  public static Quantity of(long value, Format format) {
    return ofScaled(value, 0, format, null);
  }

  /**
   * {@return the quantity of a number of thousandths}
   *
   * @param milli the thousandths
   * @param format the format for writing
   */
  public static Quantity ofMilli(long milli, Format format) {
    return ofScaled(milli, MILLI, format, null);
  }

  /**
   * Parses a quantity: an optional sign, decimal digits with at most one point, and a suffix.
   *
   * <p>As in Kubernetes, digits below nano are rounded away from zero, so that no positive amount
   * becomes zero, and more than {@link Long#MAX_VALUE} with a binary suffix becomes that maximum. A
   * missing number such as in {@code Ki} usually counts as zero. Only the low 32 bits of an
   * exponent count: {@code 1e4294967296} is 1. Unlike in Kubernetes, the time does not depend on
   * the size of the exponent, and a string of more than 10,240 characters is rejected.
   *
   * @param text for example {@code 80Gi}
   * @return the quantity
   * @throws IllegalArgumentException if {@code text} is not a quantity
   */
  public static Quantity parse(String text) {
    Quantity quantity = QuantityText.read(Checks.value("text", text));
    if (quantity == null) {
      throw new IllegalArgumentException(QuantityText.refusal(text));
    }
    return quantity;
  }

  /**
   * {@return the quantity as from {@link #parse}, or empty if {@code text} is not a quantity}
   *
   * @param text any text
   */
  public static Optional<Quantity> tryParse(String text) {
    return Optional.ofNullable(QuantityText.read(Checks.value("text", text)));
  }

  /** {@return the format of this quantity, which was parsed, given, or derived by a calculation} */
  public Format format() {
    return format;
  }

  /**
   * {@return the exact sum, in the format of this quantity, or of the other one if this is zero}
   *
   * @param quantity the quantity to add
   * @throws ArithmeticException if the last digits of the two are more than 2,000 places apart,
   *     like {@code 1e3000} and 1, so that the sum would take too much time and memory
   */
  public Quantity add(Quantity quantity) {
    Quantity small = addInt64(Checks.value("quantity", quantity));
    if (small != null) {
      return small;
    }
    BigDecimal a = toBigDecimal();
    BigDecimal b = quantity.toBigDecimal();
    if (Math.abs((long) a.scale() - b.scale()) > MAX_APART) {
      throw new ArithmeticException(
          "quantities too far apart to be added: " + this + " and " + quantity);
    }
    return ofBig(a.add(b), sumFormat(quantity));
  }

  /**
   * {@return the sum as Kubernetes calculates it since 1.38, in the format of this quantity, or of
   * the other one if this is zero} It is exact, unless the last digits of the two are more than 29
   * places apart. Then the finer one is first rounded away from zero to this distance.
   *
   * @param quantity the quantity to add
   */
  public Quantity addSince138(Quantity quantity) {
    Quantity small = addInt64(Checks.value("quantity", quantity));
    if (small != null) {
      return small;
    }
    BigDecimal a = toBigDecimal();
    BigDecimal b = quantity.toBigDecimal();
    if (a.signum() == 0 || b.signum() == 0) {
      return ofBig(a.signum() == 0 ? b : a, sumFormat(quantity));
    }
    BigDecimal sum = roundedToGap(a, b.scale()).add(roundedToGap(b, a.scale()));
    return ofBig(sum, sumFormat(quantity));
  }

  private static BigDecimal roundedToGap(BigDecimal number, int otherScale) {
    long most = (long) otherScale + MAX_GAP;
    return number.scale() <= most ? number : QuantityText.roundedUp(number, (int) most);
  }

  private Format sumFormat(Quantity other) {
    return signum() == 0 ? other.format : format;
  }

  /** The sum of two numbers of 64 bits, or null if it needs more. */
  private @Nullable Quantity addInt64(Quantity other) {
    if (big != null || other.big != null) {
      return null;
    }
    if (other.unscaled == 0) {
      return ofScaled(unscaled, scale, sumFormat(other), null);
    }
    if (unscaled == 0) {
      return ofScaled(other.unscaled, other.scale, sumFormat(other), null);
    }
    int sumScale = Math.min(scale, other.scale);
    long a = scaledUp(unscaled, (long) scale - sumScale);
    long b = scaledUp(other.unscaled, (long) other.scale - sumScale);
    long sum = a + b;
    boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
    return a != 0 && b != 0 && !overflow ? ofScaled(sum, sumScale, sumFormat(other), null) : null;
  }

  /**
   * {@return the exact difference, in this quantity's format, or the other one's if this is zero}
   *
   * @param quantity the quantity to subtract
   * @throws ArithmeticException if the last digits of the two are more than 2,000 places apart
   */
  public Quantity subtract(Quantity quantity) {
    return add(Checks.value("quantity", quantity).negate());
  }

  /**
   * {@return the exact product, in the format of this quantity}
   *
   * @param factor the factor
   * @throws ArithmeticException if the product has an exponent beyond the range of an int
   */
  public Quantity multiply(Quantity factor) {
    return ofBig(toBigDecimal().multiply(Checks.value("factor", factor).toBigDecimal()), format);
  }

  /** {@return minus this quantity, in the same format} */
  public Quantity negate() {
    return big == null && unscaled != Long.MIN_VALUE
        ? ofScaled(-unscaled, scale, format, null)
        : ofBig(toBigDecimal().negate(), format);
  }

  /** {@return the sign: −1, 0 or 1} */
  public int signum() {
    return big == null ? Long.signum(unscaled) : big.signum();
  }

  /**
   * Returns the number rounded away from zero to an integer, like {@code Value()} of Kubernetes.
   *
   * <p>Outside the range of a long, the result is wrong in the same way as in Kubernetes: zero for
   * short strings like {@code 10E}, the low 64 bits for long ones. It is also wrong for negative
   * numbers that Kubernetes does not hold in 64 bits. To be sure, use {@link #asInteger()}, or
   * compare with the range first.
   *
   * @return the integer
   */
  public long value() {
    return inUnitsOf(0);
  }

  /**
   * {@return the thousandths rounded away from zero, like {@code MilliValue()} of Kubernetes, wrong
   * outside the range of a long like {@link #value()}; {@link #milliExact()} has only exact ones}
   */
  public long milliValue() {
    return inUnitsOf(MILLI);
  }

  /** {@return the number of thousandths, or empty if {@link #milliValue()} is not this number} */
  public OptionalLong milliExact() {
    long milli = milliValue();
    int difference =
        big == null
            ? compareScaled(unscaled, scale, milli, MILLI)
            : big.compareTo(BigDecimal.valueOf(milli, -MILLI));
    return difference == 0 ? OptionalLong.of(milli) : OptionalLong.empty();
  }

  /**
   * {@return whether 64 bits and a power of ten hold the amount as it was written} Kubernetes
   * stores such amounts as two numbers. It stores all others, larger or with more digits, as
   * decimals behind a pointer, which is equal only to itself ({@code resource.Quantity} of
   * k8s.io/apimachinery).
   */
  public boolean fitsInt64() {
    return big == null;
  }

  /**
   * {@return the memory of the digits in addition to the object, for callers that bound their
   * memory, in bytes: 0 for a number that fits an {@code int64}; for others, the bytes of its
   * digits and of the zeros that its exponent represents, which calculations write out}
   */
  public int digitBytes() {
    if (fitsInt64()) {
      return 0;
    }
    BigDecimal value = toBigDecimal();
    double digits = value.unscaledValue().bitLength() / 8.0 + Math.abs(value.scale()) * 0.42;
    return (int) Math.min(Integer.MAX_VALUE, Math.ceil(digits)); // log2(10) / 8 for a digit
  }

  /**
   * Returns the number as an integer, if Kubernetes stores it as one ({@code AsInt64()}).
   *
   * <p>Not every whole number has such a value: {@code 1000m} and {@code 1.0} were written as
   * fractions, and {@code 100Ti} or {@code 1Pi} may have too many digits for the fast path of the
   * parser.
   *
   * @return the integer, or empty
   */
  public OptionalLong asInteger() {
    if (big != null || scale < 0) {
      return OptionalLong.empty();
    }
    long integer = scaledUp(unscaled, scale);
    return integer == 0 && unscaled != 0 ? OptionalLong.empty() : OptionalLong.of(integer);
  }

  /**
   * {@return this quantity as Kubernetes stores it since 1.38, which parses strings with many
   * digits differently: 19 decimal digits still give an integer, and more than 29 are rounded away
   * from zero; a quantity from any other string is unchanged}
   */
  public Quantity heldSince138() {
    return newer == null ? this : newer;
  }

  /** {@return whether {@link #asInteger()} has a value, like {@code isInteger()} of CEL} */
  public boolean isInteger() {
    return big == null
        && (scale == 0 || (scale > 0 && (unscaled == 0 || scaledUp(unscaled, scale) != 0)));
  }

  /**
   * {@return the nearest double or a neighbour of it, bit for bit like {@code
   * AsApproximateFloat64()} of Kubernetes; infinite beyond its range, and not a number for a zero
   * with an exponent beyond it, like {@code 0e400}}
   */
  public double asApproximateDouble() {
    double base = big == null ? (double) unscaled : big.unscaledValue().doubleValue();
    int exponent = big == null ? scale : -big.scale();
    return exponent == 0 ? base : base * powerOfTen(exponent);
  }

  /**
   * {@return −1, 0 or 1 if the number of this quantity is less, equal or greater}
   *
   * @param quantity the other quantity
   */
  @Override
  public int compareTo(Quantity quantity) {
    if (big == null && quantity.big == null) {
      return compareScaled(unscaled, scale, quantity.unscaled, quantity.scale);
    }
    return toBigDecimal().compareTo(quantity.toBigDecimal());
  }

  /**
   * {@return whether the other object is a quantity with the same number, in any format}
   *
   * @param object any object, or null
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Quantity quantity && compareTo(quantity) == 0;
  }

  @Override
  public int hashCode() {
    if (signum() == 0) {
      return 0; // a zero has no digits that show its scale
    }
    BigDecimal value = toBigDecimal();
    BigDecimal digits = new BigDecimal(value.unscaledValue()).stripTrailingZeros();
    return 31 * digits.unscaledValue().hashCode()
        + Long.hashCode((long) value.scale() + digits.scale());
  }

  @SuppressWarnings("BigDecimalEquals") // the number of decimal places counts
  private boolean isWrittenAs(Quantity other) {
    return unscaled == other.unscaled
        && scale == other.scale
        && format == other.format
        && Objects.equals(big, other.big)
        && Objects.equals(text, other.text)
        && (newer == null ? other.newer == null : isNewerWrittenAs(newer, other.newer));
  }

  private static boolean isNewerWrittenAs(Quantity newer, @Nullable Quantity other) {
    return other != null && newer.isWrittenAs(other);
  }

  /**
   * Returns the string to which Kubernetes serialises the number: the parsed string if Kubernetes
   * keeps it, else the canonical form, which has no fraction and the largest suffix without loss.
   * Parsing it gives this number again, except for sums with binary suffixes beyond {@link
   * Long#MAX_VALUE}.
   */
  @Override
  public String toString() {
    return text != null ? text : QuantityText.canonical(toBigDecimal(), format);
  }

  BigDecimal toBigDecimal() {
    return big != null ? big : BigDecimal.valueOf(unscaled, -scale);
  }

  private long inUnitsOf(int unitScale) {
    if (big != null) {
      return inUnitsOf(unitScale, big);
    }
    long shift = (long) scale - unitScale;
    if (shift >= 0) {
      // Go multiplies by these powers in one step, which wraps around; by other powers in several
      // steps.
      boolean wraps = shift <= 3 || shift == 6 || shift == 9;
      return wraps ? unscaled * LONG_POWERS[(int) shift] : scaledUp(unscaled, shift);
    }
    long power = LONG_POWERS[(int) -shift];
    long quotient = unscaled / power;
    return unscaled % power == 0 ? quotient : quotient + Long.signum(unscaled);
  }

  /** Follows scale_int.go of Kubernetes, which wraps around if 64 bits do not suffice. */
  private static long inUnitsOf(int unitScale, BigDecimal value) {
    long excess = (long) value.scale() + unitScale; // decimal places to drop
    if (excess <= 0) {
      // Go converts a power of ten beyond 64 bits to the smallest integer (on amd64).
      long power = -excess < LONG_POWERS.length ? LONG_POWERS[(int) -excess] : Long.MIN_VALUE;
      return value.unscaledValue().longValue() * power;
    }
    if (excess < LONG_POWERS.length && value.unscaledValue().compareTo(MAX_LONG) < 0) {
      long low = value.unscaledValue().longValue();
      long power = LONG_POWERS[(int) excess];
      return low % power == 0 ? low / power : low / power + 1;
    }
    return value.setScale(-unitScale, RoundingMode.CEILING).unscaledValue().longValue();
  }

  private static int compareScaled(long a, int aScale, long b, int bScale) {
    if (aScale < bScale) {
      return -compareScaled(b, bScale, a, aScale);
    }
    long raised = scaledUp(a, (long) aScale - bScale);
    // A number that does not fit a long is further from zero than any number that does.
    return raised == 0 && a != 0 ? Long.signum(a) : Long.compare(raised, b);
  }

  /** Returns value · 10^exponent, or 0 if that does not fit a long. */
  private static long scaledUp(long value, long exponent) {
    if (exponent == 0 || value == 0) {
      return value;
    }
    if (exponent >= LONG_POWERS.length) {
      return 0;
    }
    long power = LONG_POWERS[(int) exponent];
    long limit = Long.MAX_VALUE / power;
    return value > limit || value < -limit ? 0 : value * power;
  }

  /** Multiplies the same two factors as Go's {@code math.Pow10}, to get the same last bit. */
  private static double powerOfTen(int exponent) {
    if (exponent > 308) {
      return Double.POSITIVE_INFINITY;
    }
    if (exponent >= 0) {
      return Double.parseDouble("1e" + (exponent & ~31)) * DOUBLE_POWERS[exponent & 31];
    }
    if (exponent < -323) {
      return 0;
    }
    return Double.parseDouble("1e-" + (-exponent & ~31)) / DOUBLE_POWERS[-exponent & 31];
  }
}
