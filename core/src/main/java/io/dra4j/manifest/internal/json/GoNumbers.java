package io.dra4j.manifest.internal.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Floating-point numbers as Go writes them: with the fewest digits that identify the number.
 * (Java's own conversion does so only since version 19.)
 */
public final class GoNumbers {

  /** The most digits for which different decimal numbers are always different normal doubles. */
  private static final int SURE_DIGITS = 15;

  private static final int SURE_EXPONENT = 300;
  private static final int SHORT_TEXT = 25;

  /** Far more digits than are ever written, so that a second rounding does no harm. */
  private static final MathContext ALMOST_EXACT = new MathContext(60);

  private static final BigDecimal TWO = BigDecimal.valueOf(2);
  private static final int MANTISSA_BITS = 52;
  private static final int SMALL_EXPONENT = 128;

  private GoNumbers() {}

  /**
   * The number as {@code encoding/json} writes it: an exponent only below 1e-6 and from 1e21 on.
   */
  public static String json(double value) {
    if (value == 0) {
      return Double.compare(value, 0.0) < 0 ? "-0" : "0";
    }
    return json(shortest(value));
  }

  /**
   * {@return the result of {@link #json(double)} for the double of a text, or {@code null} if it is
   * beyond all doubles} Mostly the double is not needed: a number with few digits, far from the
   * limits of doubles, is the shortest one for its double.
   *
   * @param text a decimal number with or without exponent
   */
  static @Nullable public String json(String text) {
    BigDecimal digits = text.length() <= SHORT_TEXT ? decimal(text) : null;
    if (digits != null
        && digits.signum() != 0
        && digits.precision() <= SURE_DIGITS
        && Math.abs(exponent(digits)) < SURE_EXPONENT) {
      return json(digits);
    }
    double value = Double.parseDouble(text);
    return Double.isInfinite(value) ? null : json(value);
  }

  private static @Nullable BigDecimal decimal(String text) {
    try {
      return new BigDecimal(text).stripTrailingZeros();
    } catch (NumberFormatException e) {
      return null; // an exponent of more than 32 bits
    }
  }

  private static String json(BigDecimal digits) {
    long exponent = exponent(digits);
    return exponent < -6 || exponent >= 21 ? scientific(digits, 1) : digits.toPlainString();
  }

  /** The power of ten of the first digit. */
  private static long exponent(BigDecimal digits) {
    return (long) digits.precision() - digits.scale() - 1;
  }

  /** The name of a map key as {@code strconv.FormatFloat(value, 'g', -1, 32)} writes it. */
  public static String key(double value) {
    float single = (float) value;
    if (single == 0) {
      return Float.compare(single, 0.0f) < 0 ? "-0" : "0";
    }
    if (Float.isNaN(single)) {
      return ".nan";
    } else if (Float.isInfinite(single)) {
      return single < 0 ? "-.inf" : ".inf";
    }
    BigDecimal digits = shortest(single);
    long exponent = exponent(digits);
    return exponent < -4 || exponent >= 6 ? scientific(digits, 2) : digits.toPlainString();
  }

  private static BigDecimal shortest(double value) {
    BigDecimal known = new BigDecimal(Double.toString(value));
    if (Math.abs(value) >= Double.MIN_NORMAL) {
      BigDecimal sure = rounded(known, SURE_DIGITS);
      if (sure.doubleValue() == value) {
        return sure;
      }
    }
    return shortest(exact(value), known.precision(), candidate -> candidate.doubleValue() == value);
  }

  private static BigDecimal shortest(float value) {
    BigDecimal known = new BigDecimal(Float.toString(value));
    return shortest(
        new BigDecimal(value), known.precision(), candidate -> candidate.floatValue() == value);
  }

  /** The fewest digits. The digits that Java writes are enough, and only a few too many. */
  private static BigDecimal shortest(BigDecimal exact, int enough, Predicate<BigDecimal> isSame) {
    BigDecimal shortest = rounded(exact, enough);
    for (int digits = enough - 1; digits > 0; digits--) {
      BigDecimal candidate = rounded(exact, digits);
      if (!isSame.test(candidate)) {
        break;
      }
      shortest = candidate;
    }
    return shortest;
  }

  private static BigDecimal rounded(BigDecimal value, int digits) {
    return value.round(new MathContext(digits, RoundingMode.HALF_EVEN)).stripTrailingZeros();
  }

  /** All digits of a number near 1, and nearly all digits of other numbers, which have hundreds. */
  private static BigDecimal exact(double value) {
    int exponent = Math.max(Math.getExponent(value), Double.MIN_EXPONENT) - MANTISSA_BITS;
    if (Math.abs(exponent) < SMALL_EXPONENT) {
      return new BigDecimal(value);
    }
    long mantissa = (long) Math.scalb(Math.scalb(value, -exponent / 2), -exponent + exponent / 2);
    return BigDecimal.valueOf(mantissa).multiply(TWO.pow(exponent, ALMOST_EXACT));
  }

  private static String scientific(BigDecimal value, int exponentDigits) {
    String digits = value.unscaledValue().abs().toString();
    int exponent = digits.length() - value.scale() - 1;
    String power = Integer.toString(Math.abs(exponent));
    return (value.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + "0".repeat(Math.max(0, exponentDigits - power.length()))
        + power;
  }
}
