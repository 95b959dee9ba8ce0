package io.dra4j.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** {@code format} on strings, after {@code ext/formatting.go} of cel-go, which version 2 uses. */
final class StringFormat {

  private static final int DEFAULT_PRECISION = 6;
  private static final int MAX_PRECISION = 1_000;
  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  private final String format;
  private final List<?> arguments;
  private final StringBuilder result = new StringBuilder();
  private int position;
  private int next;

  private StringFormat(String format, List<?> arguments) {
    this.format = format;
    this.arguments = arguments;
  }

  static String format(String format, List<?> arguments) {
    StringFormat formatting = new StringFormat(format, arguments);
    formatting.run();
    return formatting.result.toString();
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
        result.append(clause());
      }
      Limits.checkSize(result.length());
    }
  }

  private String clause() {
    if (position >= format.length()) {
      throw failure("unexpected end of string");
    }
    if (next >= arguments.size()) {
      throw failure("index " + next + " out of range");
    }
    Object argument = arguments.get(next++);
    int precision = precision();
    if (position >= format.length()) {
      throw failure("could not parse formatting clause: unexpected end of string");
    }
    char verb = format.charAt(position++);
    return switch (verb) {
      case 's' -> text(argument);
      case 'd' -> decimal(argument);
      case 'f' -> fixed(argument, precision);
      case 'e' -> scientific(argument, precision);
      case 'b' -> binary(argument);
      case 'x' -> hexadecimal(argument);
      case 'X' -> hexadecimal(argument).toUpperCase(Locale.ROOT);
      case 'o' -> octal(argument);
      default ->
          throw failure(
              "could not parse formatting clause: unrecognized formatting clause \"" + verb + "\"");
    };
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
    String digits = format.substring(start, position);
    if (digits.isEmpty() || digits.length() > 9) {
      throw failure("error while parsing precision");
    }
    int precision = Integer.parseInt(digits);
    if (precision > MAX_PRECISION) {
      throw failure("precision " + precision + " exceeds maximum of " + MAX_PRECISION);
    }
    return precision;
  }

  private static String text(Object value) {
    if (value instanceof List<?> list) {
      return list(list);
    } else if (value instanceof Map<?, ?> map) {
      return map(map);
    } else if (value instanceof Double number) {
      return GoNumbers.shortest(number);
    } else if (value instanceof String
        || value instanceof Long
        || value instanceof UnsignedLong
        || value instanceof Boolean) {
      return value.toString();
    } else if (value instanceof Temporal time) {
      return Timestamps.text(time);
    } else if (value instanceof Duration duration) {
      return ConversionFunctions.text(duration);
    } else if (value instanceof CelByteString bytes) {
      return ConversionFunctions.text(bytes);
    } else if (value instanceof CelType type) {
      return type.name();
    } else if (value instanceof NullValue) {
      return "null";
    }
    throw failure(
        "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists,"
            + " types, durations, and timestamps, was given "
            + Values.typeName(value));
  }

  private static String decimal(Object value) {
    if (value instanceof Long || value instanceof UnsignedLong) {
      return value.toString();
    }
    throw failure(
        "decimal clause can only be used on integers, was given " + Values.typeName(value));
  }

  private static String fixed(Object value, int precision) {
    double number = number(value, "fixed-point");
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return special(number);
    }
    String text = GoNumbers.fixed(number == 0 ? 0.0 : number, precision);
    int end = text.indexOf('.') < 0 ? text.length() : text.indexOf('.');
    StringBuilder grouped = new StringBuilder(text);
    for (int i = end - 3; i > (text.startsWith("-") ? 1 : 0); i -= 3) {
      grouped.insert(i, ',');
    }
    return grouped.toString();
  }

  /**
   * As the package {@code message} of Go writes it in English. The original takes the precision for
   * the width.
   */
  private static String scientific(Object value, int width) {
    double number = number(value, "scientific");
    StringBuilder result = new StringBuilder();
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      result.append(special(number));
    } else {
      String text = GoNumbers.scientific(number == 0 ? 0.0 : number, DEFAULT_PRECISION);
      int e = text.indexOf('e');
      result.append(text, 0, e).append("×10").append(text.charAt(e + 1) == '-' ? "⁻" : "");
      for (int i = e + 2; i < text.length(); i++) {
        result.append(SUPERSCRIPTS.charAt(text.charAt(i) - '0'));
      }
    }
    return " ".repeat(Math.max(0, width - result.length())) + result;
  }

  private static String special(double number) {
    return Double.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
  }

  private static double number(Object value, String clause) {
    if (value instanceof Double number) {
      return number;
    } else if (value.equals("NaN")) {
      return Double.NaN;
    } else if (value.equals("Infinity")) {
      return Double.POSITIVE_INFINITY;
    } else if (value.equals("-Infinity")) {
      return Double.NEGATIVE_INFINITY;
    }
    throw failure(
        clause + " clause can only be used on doubles, was given " + Values.typeName(value));
  }

  private static String binary(Object value) {
    if (value instanceof Boolean bool) {
      return bool ? "1" : "0";
    }
    return radix(value, 2, "binary clause can only be used on integers and bools, was given ");
  }

  private static String octal(Object value) {
    return radix(value, 8, "octal clause can only be used on integers, was given ");
  }

  private static String hexadecimal(Object value) {
    if (value instanceof String text) {
      return hexadecimal(text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof CelByteString bytes) {
      return hexadecimal(bytes.toByteArray());
    }
    return radix(
        value,
        16,
        "hex clause can only be used on integers, byte buffers, and strings, was given ");
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

  private static String list(List<?> list) {
    StringBuilder text = new StringBuilder("[");
    String separator = "";
    for (Object element : list) {
      text.append(separator).append(element(element));
      Limits.checkSize(text.length());
      separator = ", ";
    }
    return text.append(']').toString();
  }

  private static String map(Map<?, ?> map) {
    Map<String, String> entries = new TreeMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Object key = entry.getKey();
      if (!(key instanceof String
          || key instanceof Boolean
          || key instanceof Long
          || key instanceof UnsignedLong)) {
        throw failure("no formatting function for map key of type " + Values.typeName(key));
      }
      entries.put(element(key), element(entry.getValue()));
    }
    StringBuilder text = new StringBuilder("{");
    String separator = "";
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      text.append(separator).append(entry.getKey()).append(':').append(entry.getValue());
      Limits.checkSize(text.length());
      separator = ", ";
    }
    return text.append('}').toString();
  }

  /** How a value is written inside a list or map. */
  private static String element(Object value) {
    if (value instanceof String text) {
      return GoText.quote(text);
    } else if (value instanceof CelByteString bytes) {
      return "b" + GoText.quote(ConversionFunctions.text(bytes));
    } else if (value instanceof Temporal time) {
      return "timestamp(\"" + Timestamps.text(time) + "\")";
    } else if (value instanceof Duration duration) {
      return "duration(\"" + ConversionFunctions.text(duration) + "\")";
    } else if (value instanceof Double number) {
      return Double.isNaN(number) || Double.isInfinite(number)
          ? "\"" + GoNumbers.special(number) + "\""
          : GoNumbers.fixed(number, DEFAULT_PRECISION);
    } else if (value instanceof Long
        || value instanceof UnsignedLong
        || value instanceof Boolean
        || value instanceof NullValue
        || value instanceof CelType
        || value instanceof List
        || value instanceof Map) {
      return text(value);
    }
    throw failure("no formatting function for " + Values.typeName(value));
  }

  private static CelInvalidArgumentException failure(String message) {
    return new CelInvalidArgumentException(message);
  }
}
