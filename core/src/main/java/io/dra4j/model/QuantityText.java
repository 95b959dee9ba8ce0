package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.model.Quantity.Format;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Reads and writes the text of quantities; {@link Quantity} has the rules and the arithmetic. */
final class QuantityText {

  /**
   * The maximum length, which is also the maximum length of an expression that contains a quantity.
   */
  private static final int MAX_LENGTH = 10_240;

  private static final int SHOWN_LENGTH = 100;

  /** The most digits that Kubernetes writes out in nano; beyond them, it is too slow to matter. */
  private static final int MAX_WRITTEN_OUT = 1_000;

  private static final long NO_EXPONENT = Long.MAX_VALUE;

  /** The greatest multiple of 3 in 32 bits. */
  private static final int GREATEST_EXPONENT = Integer.MAX_VALUE - 1;

  private static final int NANO = -9;
  private static final String BINARY_SUFFIXES = "KMGTPE"; // each followed by an i
  private static final String DECIMAL_SUFFIXES = "num?kMGTPE"; // from 10⁻⁹ on; 10⁰ has none

  // Kubernetes calculates numbers with at most this many digits in 64 bits, and answers differently
  // about integers otherwise (quantity.go, ParseQuantity).
  private static final int FAST_DECIMAL_DIGITS = 18;
  private static final int FAST_BINARY_DIGITS = 14;

  // Since 1.38, this also applies to 19 digits, and only this many digits of other numbers are
  // kept.
  private static final int LONG_DIGITS = 19;
  private static final int MAX_DIGITS = 29;
  private static final int MAX_BINARY_DIGITS = 70;

  private static final BigDecimal MAX_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

  private QuantityText() {}

  /** Returns the quantity, or null if the string is not a quantity. */
  @SuppressWarnings("MethodLength") // the steps share the places of the parts of the text
  static @Nullable Quantity read(String text) {
    int length = text.length();
    if (length == 0 || length > MAX_LENGTH) {
      return null;
    }
    boolean negative = text.charAt(0) == '-';
    int first = negative || text.charAt(0) == '+' ? 1 : 0;
    int leading = first;
    while (leading < length && text.charAt(leading) == '0') {
      leading++;
    }
    int point = endOfDigits(text, leading);
    boolean pointed = point < length && text.charAt(point) == '.';
    int end = pointed ? endOfDigits(text, point + 1) : point;
    int fractionDigits = pointed ? end - point - 1 : 0;

    Format format = formatOf(text, end);
    long written = exponentOf(text, end, format);
    if (written == NO_EXPONENT) {
      return null;
    }
    int exponent = (int) written;
    int wholeDigits = Math.max(1, point - leading);
    if (format == Format.BINARY_SI) {
      if (fractionDigits == 0 && wholeDigits + exponent * 3 / 10 <= FAST_BINARY_DIGITS) {
        long digits = digits(text, leading, point);
        long value = digits << exponent;
        boolean keep = (digits & 7) != 0;
        return Quantity.ofScaled(negative ? -value : value, 0, format, keep ? text : null);
      }
    } else if (wholeDigits + fractionDigits <= FAST_DECIMAL_DIGITS
        && exponent - fractionDigits >= NANO) {
      long digits = digits(text, leading, end);
      int scale = exponent - fractionDigits;
      boolean keep = scale % 3 == 0 && digits % 1000 != 0 && point > leading;
      return Quantity.ofScaled(negative ? -digits : digits, scale, format, keep ? text : null);
    }
    if (end - first == (pointed ? 1 : 0)) {
      return null; // no digit at all
    }
    BigDecimal number = new BigDecimal(text.substring(0, end));
    Quantity newer = readSince138(number, wholeDigits + fractionDigits, exponent, format);
    return exact(number, exponent, format, newer);
  }

  private static Quantity exact(BigDecimal number, int exponent, Format format, Quantity newer) {
    BigDecimal amount = number.abs();
    amount =
        format == Format.BINARY_SI
            ? inNano(new BigDecimal(amount.unscaledValue().shiftLeft(exponent), amount.scale()), 0)
            : inNano(amount, exponent);
    Format shown = format;
    if (format == Format.BINARY_SI) {
      amount = amount.compareTo(MAX_BINARY) > 0 ? MAX_BINARY : amount;
      shown =
          amount.signum() > 0 && amount.compareTo(BigDecimal.ONE) < 0 ? Format.DECIMAL_SI : format;
    }
    return Quantity.ofBig(number.signum() < 0 ? amount.negate() : amount, shown, newer);
  }

  /**
   * Converts a number that {@code ParseQuantity} of 1.37 stores as decimal to the form of 1.38: 19
   * decimal digits in 64 bits, and otherwise at most 29 digits, without trailing zeros. The
   * parameter {@code digits} is the number of written digits without leading zeros.
   */
  private static Quantity readSince138(BigDecimal number, int digits, int exponent, Format format) {
    BigInteger unscaled = number.unscaledValue();
    int scale = exponent - number.scale();
    boolean binary = format == Format.BINARY_SI;
    if (!binary && digits <= LONG_DIGITS && scale >= NANO && unscaled.bitLength() < Long.SIZE) {
      return Quantity.ofScaled(unscaled.longValue(), scale, format, null);
    }
    int dropped = Math.max(0, number.precision() - (binary ? MAX_BINARY_DIGITS : MAX_DIGITS));
    BigDecimal kept = number.abs().setScale(number.scale() - dropped, RoundingMode.UP);
    BigDecimal amount =
        binary
            ? new BigDecimal(kept.unscaledValue().shiftLeft(exponent), kept.scale())
            : new BigDecimal(
                kept.unscaledValue(),
                (int) Math.max(-Integer.MAX_VALUE, (long) kept.scale() - exponent));
    amount = roundedUp(amount, -NANO);
    Format shown = format;
    if (binary) {
      amount = amount.compareTo(MAX_BINARY) > 0 ? MAX_BINARY : amount;
      shown =
          amount.signum() > 0 && amount.compareTo(BigDecimal.ONE) < 0 ? Format.DECIMAL_SI : format;
    }
    return Quantity.ofBig(number.signum() < 0 ? amount.negate() : amount, shown);
  }

  /** The number with at most {@code scale} decimal places, rounded away from zero. */
  static BigDecimal roundedUp(BigDecimal number, int scale) {
    if (number.scale() <= scale || number.signum() == 0) {
      return number;
    }
    boolean belowOne = number.precision() - (long) number.scale() <= -(long) scale;
    return belowOne // setScale would write out the power of ten between the two
        ? BigDecimal.valueOf(number.signum(), scale)
        : number.setScale(scale, RoundingMode.UP);
  }

  /** The number times a power of ten, rounded up to nano; in nano unless too many digits result. */
  private static BigDecimal inNano(BigDecimal number, int exponent) {
    if (number.signum() == 0) {
      return number.scaleByPowerOfTen(exponent);
    }
    long scale = (long) number.scale() - exponent;
    if (number.precision() - scale <= NANO) {
      return BigDecimal.valueOf(1, -NANO);
    }
    BigDecimal amount = new BigDecimal(number.unscaledValue(), Math.toIntExact(scale));
    return -NANO - scale <= MAX_WRITTEN_OUT ? amount.setScale(-NANO, RoundingMode.UP) : amount;
  }

  /** Returns the error message for a string that {@link #read} rejected. */
  static String refusal(String text) {
    String shown = PrintableText.start(text, SHOWN_LENGTH);
    return "not a quantity (expected a decimal number of at most "
        + MAX_LENGTH
        + " characters, then nothing, one of n u m k M G T P E, one of Ki Mi Gi Ti Pi Ei, or an"
        + " exponent like e3): "
        + shown;
  }

  /** Returns the canonical form: no fraction, and the largest suffix without loss. */
  static String canonical(BigDecimal value, Format format) {
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal digits = new BigDecimal(value.unscaledValue()).stripTrailingZeros();
    long zeros = -(long) digits.scale() - value.scale(); // behind the digits
    BigInteger number = digits.unscaledValue();
    if (format == Format.BINARY_SI && zeros >= 0 && value.abs().compareTo(KIBI) >= 0) {
      BigInteger integer = withZeros(number, zeros);
      int power = Math.min(integer.getLowestSetBit() / 10, BINARY_SUFFIXES.length());
      String suffix = power == 0 ? "" : BINARY_SUFFIXES.charAt(power - 1) + "i";
      return integer.shiftRight(10 * power) + suffix;
    }
    long exponent = Math.floorDiv(zeros, 3L) * 3;
    String suffix;
    if (format == Format.DECIMAL_EXPONENT) {
      exponent = Math.min(exponent, GREATEST_EXPONENT);
      suffix = exponent == 0 ? "" : "e" + exponent;
    } else {
      // Kubernetes drops the suffix above exa and so writes another number; here the digits are
      // kept.
      exponent = Math.min(exponent, 18);
      int place = (int) exponent / 3 + 3;
      suffix = exponent == 0 ? "" : DECIMAL_SUFFIXES.substring(place, place + 1);
    }
    return withZeros(number, zeros - exponent) + suffix;
  }

  private static BigInteger withZeros(BigInteger number, long zeros) {
    return number.multiply(BigInteger.TEN.pow(Math.toIntExact(zeros)));
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The value of at most 18 digits, ignoring points between them. */
  private static long digits(String text, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      if (text.charAt(i) != '.') {
        value = 10 * value + (text.charAt(i) - '0');
      }
    }
    return value;
  }

  private static Format formatOf(String text, int suffix) {
    int length = text.length() - suffix;
    if (length < 2) {
      return Format.DECIMAL_SI;
    }
    return length == 2 && text.charAt(suffix + 1) == 'i'
        ? Format.BINARY_SI
        : Format.DECIMAL_EXPONENT;
  }

  /** The exponent, to base 2 for binary suffixes, else to base 10; NO_EXPONENT if there is none. */
  private static long exponentOf(String text, int suffix, Format format) {
    if (suffix == text.length()) {
      return 0;
    }
    char first = text.charAt(suffix);
    return switch (format) {
      case DECIMAL_SI -> {
        int decimal = DECIMAL_SUFFIXES.indexOf(first);
        yield decimal < 0 || first == '?' ? NO_EXPONENT : 3L * decimal - 9;
      }
      case BINARY_SI -> {
        int binary = BINARY_SUFFIXES.indexOf(first);
        yield binary < 0 ? NO_EXPONENT : 10L * (binary + 1);
      }
      case DECIMAL_EXPONENT ->
          first == 'e' || first == 'E' ? writtenExponent(text, suffix + 1) : NO_EXPONENT;
    };
  }

  private static long writtenExponent(String text, int from) {
    char sign = text.charAt(from);
    int first = sign == '-' || sign == '+' ? from + 1 : from;
    if (first == text.length() || endOfDigits(text, first) < text.length()) {
      return NO_EXPONENT;
    }
    try {
      return (int) Long.parseLong(text, from, text.length(), 10); // the low 32 bits, as Kubernetes
    } catch (NumberFormatException e) {
      return NO_EXPONENT; // beyond 64 bits, which Kubernetes also rejects
    }
  }
}
