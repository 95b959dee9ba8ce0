package io.dra4j.manifest;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;

/**
 * Floating-point numbers as Go writes them: the fewest digits that give the number back. (Java's
 * own conversion does so only since version 19.)
 */
final class GoNumbers {

  private static final int MAX_DIGITS = 17; // enough for every double

  private GoNumbers() {}

  /** As {@code encoding/json}: an exponent only below 1e-6 and from 1e21 on. */
  static String json(double value) {
    if (value == 0) {
      return Double.compare(value, 0.0) < 0 ? "-0" : "0";
    }
    BigDecimal digits = shortest(value, candidate -> candidate.doubleValue() == value);
    double size = Math.abs(value);
    return size < 1e-6 || size >= 1e21 ? scientific(digits, 1) : digits.toPlainString();
  }

  /** As {@code strconv.FormatFloat(value, 'g', -1, 32)}, which makes the names of map keys. */
  static String key(double value) {
    float single = (float) value;
    if (single == 0) {
      return Float.compare(single, 0.0f) < 0 ? "-0" : "0";
    }
    if (Float.isNaN(single)) {
      return ".nan";
    } else if (Float.isInfinite(single)) {
      return single < 0 ? "-.inf" : ".inf";
    }
    BigDecimal digits = shortest(single, candidate -> candidate.floatValue() == single);
    int exponent = digits.precision() - digits.scale() - 1;
    return exponent < -4 || exponent >= 6 ? scientific(digits, 2) : digits.toPlainString();
  }

  private static BigDecimal shortest(double value, Predicate<BigDecimal> isSame) {
    BigDecimal exact = new BigDecimal(value);
    for (int precision = 1; precision < MAX_DIGITS; precision++) {
      BigDecimal candidate =
          exact.round(new MathContext(precision, RoundingMode.HALF_EVEN)).stripTrailingZeros();
      if (isSame.test(candidate)) {
        return candidate;
      }
    }
    return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN)).stripTrailingZeros();
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
