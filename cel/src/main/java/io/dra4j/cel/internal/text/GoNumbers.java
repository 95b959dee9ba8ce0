package io.dra4j.cel.internal.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Writes and reads numbers as the packages {@code fmt} and {@code strconv} of Go do. */
public final class GoNumbers {

  /** Digits behind the point of any number, at most: those of the least one. */
  public static final int MAX_FRACTION = 1_074;

  /** From this exponent on, {@code %g} writes an exponent. */
  private static final int MAX_PLAIN_EXPONENT = 6;

  private static final int MIN_PLAIN_EXPONENT = -4;

  /** The bits of a double that are 0 where it is a power of two. */
  private static final long FRACTION = (1L << 52) - 1;

  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
  private static final Pattern SPECIAL =
      Pattern.compile("[+-]?inf(?:inity)?|nan", Pattern.CASE_INSENSITIVE);

  private GoNumbers() {}

  /**
   * {@return a number as {@code %g} writes it: the fewest digits that give the same number again}
   *
   * @param value a number
   */
  public static String shortest(double value) {
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

  /**
   * {@return a number as {@code %f} writes it with the fewest digits}
   *
   * @param value a number
   */
  public static String plain(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    }
    return value == 0 ? sign(value) + "0" : digits(value).toPlainString();
  }

  /**
   * {@return a number as {@code %.nf} writes it}
   *
   * @param value a number
   * @param precision n, digits behind the point
   */
  public static String fixed(double value, int precision) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return special(value);
    }
    BigDecimal exact = new BigDecimal(Math.abs(value));
    int scale = Math.min(precision, exact.scale()); // behind it there are zeros
    String text = exact.setScale(scale, RoundingMode.HALF_EVEN).toPlainString();
    return sign(value)
        + text
        + (scale == 0 && precision > 0 ? "." : "")
        + "0".repeat(precision - scale);
  }

  /**
   * {@return a number as {@code %.ne} writes it}
   *
   * @param value a number
   * @param precision n, digits behind the point
   */
  public static String scientific(double value, int precision) {
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

  /**
   * {@return {@code +Inf}, {@code -Inf} or {@code NaN}, the text of what is no finite number}
   *
   * @param value infinity or NaN
   */
  public static String special(double value) {
    return Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  }

  /**
   * {@return the number nearest to a text that {@code strconv.ParseFloat} reads: decimal or
   * hexadecimal, with underscores between digits; empty if the text is no number or too large}
   *
   * @param text the number
   */
  public static OptionalDouble parse(String text) {
    if (SPECIAL.matcher(text).matches()) {
      return OptionalDouble.of(
          text.length() == 3 && Character.toLowerCase(text.charAt(0)) == 'n'
              ? Double.NaN
              : text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    if (!isNumber(text) || (text.indexOf('_') >= 0 && !separatesDigits(text))) {
      return OptionalDouble.empty();
    }
    double value = Double.parseDouble(text.replace("_", ""));
    return Double.isInfinite(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /**
   * {@return the number that {@code strconv.Atoi} reads}
   *
   * @param text the number
   * @throws IllegalArgumentException if it is none or too large; the message is that of Go
   */
  public static long integer(String text) {
    if (!INTEGER.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "strconv.Atoi: parsing " + GoText.quote(text) + ": invalid syntax");
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "strconv.Atoi: parsing " + GoText.quote(text) + ": value out of range", e);
    }
  }

  /**
   * Returns whether it is a sign, digits with a point among them, and an exponent, which a decimal
   * number need not have. A regular expression would look for the point at each digit once more.
   */
  private static boolean isNumber(String text) {
    int position = afterSign(text, 0);
    boolean hexadecimal = text.startsWith("0x", position) || text.startsWith("0X", position);
    String digits = hexadecimal ? "0123456789abcdefABCDEF_" : "0123456789_";
    int start = hexadecimal ? position + 2 : position;
    int end = skip(text, start, digits);
    boolean any = end > start;
    if (end < text.length() && text.charAt(end) == '.') {
      int fraction = end + 1;
      end = skip(text, fraction, digits);
      any |= end > fraction;
    }
    if (any && end < text.length() && (hexadecimal ? "pP" : "eE").indexOf(text.charAt(end)) >= 0) {
      int exponent = afterSign(text, end + 1);
      return exponent < text.length()
          && text.charAt(exponent) != '_'
          && skip(text, exponent, "0123456789_") == text.length();
    }
    return any && !hexadecimal && end == text.length();
  }

  private static int afterSign(String text, int position) {
    return text.startsWith("+", position) || text.startsWith("-", position)
        ? position + 1
        : position;
  }

  private static int skip(String text, int from, String characters) {
    int position = from;
    while (position < text.length() && characters.indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    return position;
  }

  /** Returns whether each underscore stands between two digits, the prefix 0x being one. */
  private static boolean separatesDigits(String text) {
    int sign = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    boolean hexadecimal = text.startsWith("0x", sign) || text.startsWith("0X", sign);
    String digits = hexadecimal ? "0123456789abcdefABCDEFxX" : "0123456789";
    for (int i = text.indexOf('_'); i >= 0; i = text.indexOf('_', i + 1)) {
      if (i == 0
          || i == text.length() - 1
          || digits.indexOf(text.charAt(i - 1)) < 0
          || digits.indexOf(text.charAt(i + 1)) < 0) {
        return false;
      }
    }
    return true;
  }

  private static String exponent(int exponent) {
    return String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private static String sign(double value) {
    return value < 0 || 1 / value < 0 ? "-" : "";
  }

  /**
   * The fewest digits, and of these the nearest. {@code Double.toString} writes too many in some
   * cases before Java 19 (JDK-4511638), so that shorter ones are tried first. Below a power of two
   * numbers are half as far apart as above it: there may be fewer digits above it only, beside
   * nearer ones below that already stand for another number.
   */
  private static BigDecimal digits(double value) {
    BigDecimal exact = new BigDecimal(value);
    BigDecimal known = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    boolean powerOfTwo = (Double.doubleToRawLongBits(value) & FRACTION) == 0;
    for (int precision = Math.max(1, known.precision() - 3);
        precision <= known.precision();
        precision++) {
      BigDecimal candidate =
          exact.round(new java.math.MathContext(precision, RoundingMode.HALF_EVEN));
      if (candidate.doubleValue() == value) {
        return candidate.stripTrailingZeros();
      } else if (powerOfTwo) {
        candidate = exact.round(new java.math.MathContext(precision, RoundingMode.UP));
        if (candidate.doubleValue() == value) {
          return candidate.stripTrailingZeros();
        }
      }
    }
    return known;
  }
}
