package io.dra4j.cel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Writes numbers as the package {@code fmt} of Go does. */
final class GoNumbers {

  /** From this exponent on, {@code %g} writes an exponent. */
  private static final int MAX_PLAIN_EXPONENT = 6;

  private static final int MIN_PLAIN_EXPONENT = -4;

  private GoNumbers() {}

  /** Writes as {@code %g} does: the fewest digits that give the same number again. */
  static String shortest(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    } else if (value == 0) {
      return sign(value) + "0";
    }
    BigDecimal digits = digits(value);
    int exponent = digits.precision() - digits.scale() - 1;
    if (exponent >= MIN_PLAIN_EXPONENT && exponent < MAX_PLAIN_EXPONENT) {
      return digits.toPlainString();
    }
    String text = digits.unscaledValue().abs().toString();
    return sign(value)
        + text.charAt(0)
        + (text.length() > 1 ? "." + text.substring(1) : "")
        + exponent(exponent);
  }

  /** Writes as {@code %f} with the fewest digits does. */
  static String plain(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    }
    return value == 0 ? sign(value) + "0" : digits(value).toPlainString();
  }

  /** Writes as {@code %.nf} does. */
  static String fixed(double value, int precision) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    }
    String text =
        new BigDecimal(Math.abs(value)).setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
    return sign(value) + text;
  }

  /** Writes as {@code %.ne} does. */
  static String scientific(double value, int precision) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    } else if (value == 0) {
      return sign(value) + "0" + (precision > 0 ? "." + "0".repeat(precision) : "") + "e+00";
    }
    BigDecimal rounded =
        new BigDecimal(Math.abs(value))
            .round(new java.math.MathContext(precision + 1, RoundingMode.HALF_EVEN));
    int exponent = rounded.precision() - rounded.scale() - 1;
    String digits = rounded.unscaledValue().toString();
    digits = digits + "0".repeat(Math.max(0, precision + 1 - digits.length()));
    return sign(value)
        + digits.charAt(0)
        + (precision > 0 ? "." + digits.substring(1, precision + 1) : "")
        + exponent(exponent);
  }

  static String special(double value) {
    return Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }

  private static String exponent(int exponent) {
    return String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private static String sign(double value) {
    return value < 0 || 1 / value < 0 ? "-" : "";
  }

  /**
   * The fewest digits. {@code Double.toString} writes too many in some cases before Java 19
   * (JDK-4511638), so that shorter ones are tried first.
   */
  private static BigDecimal digits(double value) {
    BigDecimal exact = new BigDecimal(value);
    BigDecimal known = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    for (int precision = Math.max(1, known.precision() - 3);
        precision < known.precision();
        precision++) {
      BigDecimal candidate =
          exact.round(new java.math.MathContext(precision, RoundingMode.HALF_EVEN));
      if (candidate.doubleValue() == value) {
        return candidate.stripTrailingZeros();
      }
    }
    return known;
  }
}
