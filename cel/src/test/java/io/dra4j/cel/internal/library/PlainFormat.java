package io.dra4j.cel.internal.library;

import com.google.common.primitives.UnsignedLong;
import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.text.GoNumbers;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.Texts;
import io.dra4j.cel.internal.value.Timestamps;
import io.dra4j.cel.internal.value.Values;
import java.time.Duration;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Values as the specification has them, in lists and maps as well as outside: {@code
 * ext/formatting_v2.go} of cel-go, for the strings library from version 4 on.
 */
@Immutable
final class PlainFormat implements FormatStyle {

  @Override
  public String text(Object value, EvaluationMeter work) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  @Override
  public String decimal(Object value) {
    if (value instanceof Double number) {
      return Double.isFinite(number) ? GoNumbers.plain(number) : special(number);
    } else if (value instanceof Long || value instanceof UnsignedLong) {
      return value.toString();
    }
    throw StringFormat.failure(
        "decimal clause can only be used on ints, uints, and doubles, was given "
            + Values.typeName(value));
  }

  @Override
  public String fixed(Object value, int precision) {
    double number = number(value, "fixed-point");
    return Double.isFinite(number) ? GoNumbers.fixed(number, precision) : special(number);
  }

  @Override
  public String scientific(Object value, int precision) {
    double number = number(value, "scientific");
    return Double.isFinite(number) ? GoNumbers.scientific(number, precision) : special(number);
  }

  private static void write(Object value, StringBuilder text) {
    if (value instanceof List<?> list) {
      String separator = "";
      text.append('[');
      for (Object element : list) {
        write(element, text.append(separator));
        separator = ", ";
      }
      text.append(']');
    } else if (value instanceof Map<?, ?> map) {
      write(map, text);
    } else if (value instanceof Double number) {
      text.append(Double.isFinite(number) ? GoNumbers.plain(number) : special(number));
    } else if (value instanceof String
        || value instanceof Long
        || value instanceof UnsignedLong
        || value instanceof Boolean) {
      text.append(value);
    } else if (value instanceof Temporal time) {
      text.append(Timestamps.text(time));
    } else if (value instanceof Duration duration) {
      text.append(Texts.of(duration));
    } else if (value instanceof CelByteString bytes) {
      text.append(Texts.of(bytes));
    } else if (value instanceof CelType type) {
      text.append(type.name());
    } else if (value instanceof NullValue) {
      text.append("null");
    } else {
      throw StringFormat.failure(
          "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists,"
              + " types, durations, and timestamps, was given "
              + Values.typeName(value));
    }
    Limits.checkSize(text.length());
  }

  /** Entries are sorted by what is written for their keys. */
  private static void write(Map<?, ?> map, StringBuilder text) {
    List<Map.Entry<String, Object>> entries = new ArrayList<>(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      StringBuilder key = new StringBuilder();
      write(entry.getKey(), key);
      entries.add(Map.entry(key.toString(), entry.getValue()));
    }
    entries.sort(Map.Entry.comparingByKey(Values::compare));
    String separator = "";
    text.append('{');
    for (Map.Entry<String, Object> entry : entries) {
      write(entry.getValue(), text.append(separator).append(entry.getKey()).append(": "));
      separator = ", ";
    }
    text.append('}');
  }

  private static double number(Object value, String clause) {
    if (value instanceof Double number) {
      return number;
    } else if (value instanceof Long number) {
      return number;
    } else if (value instanceof UnsignedLong number) {
      return number.doubleValue();
    }
    throw StringFormat.failure(
        clause
            + " clause can only be used on ints, uints, and doubles, was given "
            + Values.typeName(value));
  }

  private static String special(double number) {
    return Double.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
  }
}
