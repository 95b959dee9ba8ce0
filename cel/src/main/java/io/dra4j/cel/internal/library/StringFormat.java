package io.dra4j.cel.internal.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.values.CelByteString;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import java.util.Locale;

/** {@code format} on strings: clauses, precisions and the verbs common to {@link FormatStyle}s. */
final class StringFormat {

  private static final int DEFAULT_PRECISION = 6;

  /** Of {@link EvaluationMeter#spend}: how long it takes to write a number, at most. */
  static final int UNITS = 100;

  private final String format;
  private final List<?> arguments;
  private final FormatStyle style;
  private final EvaluationMeter work;
  private final StringBuilder result = new StringBuilder();
  private int position;
  private int next;

  private StringFormat(String format, List<?> arguments, FormatStyle style, EvaluationMeter work) {
    this.format = format;
    this.arguments = arguments;
    this.style = style;
    this.work = work;
  }

  static String format(String format, List<?> arguments, FormatStyle style, EvaluationMeter work) {
    StringFormat formatting = new StringFormat(format, arguments, style, work);
    formatting.run();
    return GoText.joined(formatting.result.toString());
  }

  private void run() {
    while (position < format.length()) {
      char c = format.charAt(position++);
      if (c != '%') {
        result.append(c);
      } else if (position < format.length() && format.charAt(position) == '%') {
        result.append('%');
        position++;
      } else {
        String text = clause();
        work.spend(UNITS + text.length());
        result.append(text);
      }
      Limits.checkSize(result.length());
    }
  }

  private String clause() {
    if (next >= arguments.size()) {
      throw new CelInvalidArgumentException("index " + next + " out of range");
    }
    if (position >= format.length()) {
      throw new CelInvalidArgumentException("unexpected end of string");
    }
    Object argument = arguments.get(next++);
    work.spendOn(argument);
    int precision = precision();
    if (position >= format.length()) {
      throw new CelInvalidArgumentException(
          "could not parse formatting clause: unexpected end of string");
    }
    char verb = format.charAt(position++);
    return switch (verb) {
      case 's' -> style.text(argument, work);
      case 'd' -> style.decimal(argument);
      case 'f' -> style.fixed(argument, precision);
      case 'e' -> style.scientific(argument, precision);
      case 'b' -> binary(argument);
      case 'x' -> hexadecimal(argument);
      case 'X' -> hexadecimal(argument).toUpperCase(Locale.ROOT);
      case 'o' -> octal(argument);
      default ->
          throw new CelInvalidArgumentException(
              "could not parse formatting clause: unrecognized formatting clause \""
                  + firstByte(position - 1)
                  + "\"");
    };
  }

  /** Of a character its first byte in UTF-8 alone, as a character. */
  private char firstByte(int at) {
    byte[] bytes = GoText.bytes(Character.toString(format.codePointAt(at)));
    return (char) (bytes[0] & 0xff);
  }

  private int precision() {
    if (format.charAt(position) != '.') {
      return DEFAULT_PRECISION;
    }
    int start = ++position;
    while (position < format.length()
        && format.charAt(position) >= '0'
        && format.charAt(position) <= '9') {
      position++;
    }
    if (position >= format.length()) {
      throw precisionFailure("could not find end of precision specifier");
    }
    String digits = format.substring(start, position);
    try {
      return (int) Math.min(Long.parseLong(digits), FormatStyle.TOO_PRECISE);
    } catch (NumberFormatException e) {
      throw precisionFailure(
          "error while converting precision to integer: strconv.Atoi: parsing \""
              + digits
              + "\": "
              + (digits.isEmpty() ? "invalid syntax" : "value out of range"));
    }
  }

  private static CelInvalidArgumentException precisionFailure(String reason) {
    return new CelInvalidArgumentException(
        "could not parse formatting clause: error while parsing precision: " + reason);
  }

  private static String binary(Object value) {
    if (value instanceof Boolean bool) {
      return bool ? "1" : "0";
    }
    return radix(value, 2, "only integers and bools can be formatted as binary, was given ");
  }

  private static String octal(Object value) {
    return radix(value, 8, "octal clause can only be used on integers, was given ");
  }

  private static String hexadecimal(Object value) {
    if (value instanceof String text) {
      return hexadecimal(GoText.bytes(text));
    } else if (value instanceof CelByteString bytes) {
      return hexadecimal(bytes.toByteArray());
    }
    return radix(
        value, 16, "only integers, byte buffers, and strings can be formatted as hex, was given ");
  }

  private static String hexadecimal(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(Character.forDigit((b >> 4) & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
    }
    return text.toString();
  }

  private static String radix(Object value, int radix, String refusal) {
    if (value instanceof Long number) {
      return Long.toString(number, radix);
    } else if (value instanceof UnsignedLong number) {
      return number.toString(radix);
    }
    throw failure(refusal + Values.typeName(value));
  }

  static CelInvalidArgumentException failure(String message) {
    return new CelInvalidArgumentException("error during formatting: " + message);
  }
}
