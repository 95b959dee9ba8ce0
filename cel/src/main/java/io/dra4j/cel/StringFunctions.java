package io.dra4j.cel;

import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.ListType;
import dev.cel.runtime.CelFunctionBinding;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/**
 * Those functions on strings, after {@code ext/strings.go} of cel-go, that cel-java lacks or does
 * not limit, or whose name lists have as well. The others are cel-java's. Positions count code
 * points.
 */
final class StringFunctions {

  private StringFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    ImmutableList<Class<?>> textTextNumber =
        ImmutableList.of(String.class, String.class, Long.class);
    library
        .member(
            "indexOf",
            "string_index_of_string",
            INT,
            STRING,
            String.class,
            STRING,
            String.class,
            (text, part) -> indexOf(text, part, 0))
        .member(
            "indexOf",
            INT,
            ImmutableList.of(STRING, STRING, INT),
            CelFunctionBinding.from(
                "string_index_of_string_int",
                textTextNumber,
                args -> indexOf((String) args[0], (String) args[1], (Long) args[2])))
        .member(
            "lastIndexOf",
            "string_last_index_of_string",
            INT,
            STRING,
            String.class,
            STRING,
            String.class,
            (text, part) -> lastIndexOf(text, part, Math.max(length(text), 0)))
        .member(
            "lastIndexOf",
            INT,
            ImmutableList.of(STRING, STRING, INT),
            CelFunctionBinding.from(
                "string_last_index_of_string_int", textTextNumber, StringFunctions::lastIndexOf))
        .member(
            "replace",
            STRING,
            ImmutableList.of(STRING, STRING, STRING),
            CelFunctionBinding.from(
                "string_replace_string_string",
                ImmutableList.of(String.class, String.class, String.class),
                args -> replace((String) args[0], (String) args[1], (String) args[2], -1)))
        .member(
            "replace",
            STRING,
            ImmutableList.of(STRING, STRING, STRING, INT),
            CelFunctionBinding.from(
                "string_replace_string_string_int",
                ImmutableList.of(String.class, String.class, String.class, Long.class),
                args ->
                    replace((String) args[0], (String) args[1], (String) args[2], (Long) args[3])))
        .member(
            "join",
            "list_join",
            STRING,
            ListType.create(STRING),
            List.class,
            list -> join(list, ""))
        .member(
            "join",
            "list_join_string",
            STRING,
            ListType.create(STRING),
            List.class,
            STRING,
            String.class,
            (list, separator) -> join(list, separator))
        .binding(
            "string",
            CelFunctionBinding.from("double_to_string", Double.class, StringFunctions::toString))
        .global(
            "strings.quote", "strings_quote", STRING, STRING, String.class, StringFunctions::quote);
  }

  /** Writes a number as {@code %g} of Go. */
  private static String toString(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    } else if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    } else if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= -4 && exponent < 6) {
      return decimal.toPlainString();
    }
    String digits = decimal.unscaledValue().abs().toString();
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private static long indexOf(String text, String part, long from) {
    long length = length(text);
    if (from < 0) {
      throw new CelInvalidArgumentException("index out of range: " + from);
    } else if (part.isEmpty()) {
      return Math.min(from, length);
    } else if (from >= length) {
      return -1;
    }
    return codePoints(text, text.indexOf(part, text.offsetByCodePoints(0, (int) from)));
  }

  private static Object lastIndexOf(Object[] args) {
    String text = (String) args[0];
    long from = (Long) args[2];
    return from >= length(text) && !((String) args[1]).isEmpty()
        ? -1L
        : lastIndexOf(text, (String) args[1], from);
  }

  private static long lastIndexOf(String text, String part, long from) {
    long length = length(text);
    if (from < 0) {
      throw new CelInvalidArgumentException("index out of range: " + from);
    } else if (part.isEmpty()) {
      return Math.min(from, length);
    }
    int start = text.offsetByCodePoints(0, (int) Math.min(from, length));
    return codePoints(text, text.lastIndexOf(part, start));
  }

  private static String replace(String text, String old, String replacement, long limit) {
    StringBuilder result = new StringBuilder();
    int done = 0;
    int next = text.indexOf(old);
    for (long i = 0; next >= 0 && (limit < 0 || i < limit); i++) {
      append(result, text.substring(done, next));
      append(result, replacement);
      done = next + old.length();
      if (!old.isEmpty()) {
        next = text.indexOf(old, done);
      } else if (next < text.length()) {
        next = text.offsetByCodePoints(next, 1);
      } else {
        break;
      }
    }
    return append(result, text.substring(done)).toString();
  }

  private static String join(List<?> list, String separator) {
    StringBuilder result = new StringBuilder();
    String before = "";
    for (Object element : list) {
      if (!(element instanceof String text)) {
        throw new CelInvalidArgumentException("join: not a string: " + element);
      }
      append(append(result, before), text);
      before = separator;
    }
    return result.toString();
  }

  private static String quote(String text) {
    StringBuilder result = new StringBuilder().append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int special = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
      if (special >= 0) {
        result.append('\\').append("abfnrtv\\\"".charAt(special));
      } else {
        result.append(c);
      }
    }
    return append(result, "\"").toString();
  }

  private static StringBuilder append(StringBuilder builder, String text) {
    Limits.checkSize((long) builder.length() + text.length());
    return builder.append(text);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static long codePoints(String text, int index) {
    return index < 0 ? -1 : text.codePointCount(0, index);
  }
}
