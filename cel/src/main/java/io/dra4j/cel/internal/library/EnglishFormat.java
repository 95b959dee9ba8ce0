package io.dra4j.cel.internal.library;

import com.google.common.primitives.UnsignedLong;
import com.google.errorprone.annotations.Immutable;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.text.GoNumbers;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.text.Unicode;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.Texts;
import io.dra4j.cel.internal.value.Timestamps;
import io.dra4j.cel.internal.value.Values;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers as they are written in English, texts within lists and maps in quotes: {@code
 * ext/formatting.go} of cel-go, for the strings library up to version 3.
 */
@Immutable
final class EnglishFormat implements FormatStyle {

  private static final int DEFAULT_PRECISION = 6;
  private static final String NO_VERB = "%!(NOVERB)";
  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  private final Unicode known;

  /** Formats as a release of Go that knows the characters {@code known}. */
  EnglishFormat(Unicode known) {
    this.known = known;
  }

  private String text(CelByteString bytes) {
    try {
      return Texts.of(bytes);
    } catch (CelInvalidArgumentException e) {
      throw StringFormat.failure(
          "could not convert argument %s to string"
              .formatted(quote(String.valueOf(e.getMessage()))));
    }
  }

  @Override
  public String text(Object value, EvaluationMeter work) {
    if (value instanceof List<?> list) {
      return list(list, work);
    } else if (value instanceof Map<?, ?> map) {
      return map(map, work);
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
      return Texts.of(duration);
    } else if (value instanceof CelByteString bytes) {
      return text(bytes);
    } else if (value instanceof CelType type) {
      return type.name();
    } else if (value instanceof NullValue) {
      return "null";
    }
    throw StringFormat.failure(
        "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists,"
            + " types, durations, and timestamps, was given "
            + Values.typeName(value));
  }

  @Override
  public String decimal(Object value) {
    if (value instanceof Long || value instanceof UnsignedLong) {
      return value.toString();
    }
    throw StringFormat.failure(
        "decimal clause can only be used on integers, was given " + Values.typeName(value));
  }

  @Override
  public String fixed(Object value, int precision) {
    double number = number(value, "fixed-point");
    if (precision >= TOO_PRECISE) {
      return NO_VERB;
    } else if (Double.isNaN(number) || Double.isInfinite(number)) {
      return special(number);
    }
    String text = digits(number == 0 ? 0.0 : number, precision);
    int end = text.indexOf('.') < 0 ? text.length() : text.indexOf('.');
    StringBuilder grouped = new StringBuilder(text);
    for (int i = end - 3; i > (text.startsWith("-") ? 1 : 0); i -= 3) {
      grouped.insert(i, ',');
    }
    return grouped.toString();
  }

  /**
   * The package {@code number} of Go keeps the least number of digits in 8 bits and the largest one
   * in 16, of which negative ones mean as many as it takes.
   */
  private static String digits(double number, int precision) {
    if (precision <= 0xff) {
      return GoNumbers.fixed(number, precision);
    }
    int least = precision & 0xff;
    int most = (short) precision;
    StringBuilder text =
        new StringBuilder(
            most < 0
                ? GoNumbers.plain(number)
                : GoNumbers.fixed(number, Math.min(most, GoNumbers.MAX_FRACTION)));
    int point = text.indexOf(".");
    if (point < 0) {
      point = text.length();
      text.append('.');
    }
    while (text.length() - 1 - point > least && text.charAt(text.length() - 1) == '0') {
      text.setLength(text.length() - 1);
    }
    text.append("0".repeat(Math.max(0, least - (text.length() - 1 - point))));
    if (text.length() - 1 == point) {
      text.setLength(point);
    }
    return text.toString();
  }

  /** Writes like Go's package {@code message} in English, with the precision as the width. */
  @Override
  public String scientific(Object value, int width) {
    double number = number(value, "scientific");
    if (width >= TOO_PRECISE) {
      return NO_VERB;
    }
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
    return " ".repeat(Math.max(0, (width & 0xffff) - result.length())) + result;
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
    throw StringFormat.failure(
        clause + " clause can only be used on doubles, was given " + Values.typeName(value));
  }

  private String list(List<?> list, EvaluationMeter work) {
    StringBuilder text = new StringBuilder("[");
    String separator = "";
    for (Object element : list) {
      text.append(separator).append(element(element, work));
      Limits.checkSize(text.length());
      separator = ", ";
    }
    return text.append(']').toString();
  }

  private String map(Map<?, ?> map, EvaluationMeter work) {
    Map<String, String> entries = new TreeMap<>();
    long size = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Object key = entry.getKey();
      if (!(key instanceof String
          || key instanceof Boolean
          || key instanceof Long
          || key instanceof UnsignedLong)) {
        throw StringFormat.failure(
            "no formatting function for map key of type " + Values.typeName(key));
      }
      String name = element(key, work);
      String value = element(entry.getValue(), work);
      size += name.length() + value.length();
      Limits.checkSize(size);
      entries.put(name, value);
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

  private String quote(String text) {
    return GoText.quote(text, known);
  }

  /** How a value is written inside a list or map. */
  private String element(Object value, EvaluationMeter work) {
    work.spend(value instanceof Double ? StringFormat.UNITS : 4 + MemoryCost.units(value));
    if (value instanceof String text) {
      return quote(text);
    } else if (value instanceof CelByteString bytes) {
      return "b" + quote(text(bytes));
    } else if (value instanceof Temporal time) {
      return "timestamp(\"" + Timestamps.text(time) + "\")";
    } else if (value instanceof Duration duration) {
      return "duration(\"" + Texts.of(duration) + "\")";
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
      return text(value, work);
    }
    throw StringFormat.failure("no formatting function for " + Values.typeName(value));
  }
}
