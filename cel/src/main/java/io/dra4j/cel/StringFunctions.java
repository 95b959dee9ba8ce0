package io.dra4j.cel;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import java.util.List;

/**
 * The functions on strings, after {@code ext/strings.go} of cel-go in version 2, except {@code
 * format}, which {@link StringFormat} brings. Positions count code points.
 */
final class StringFunctions {

  /** White space of Unicode. */
  private static final CharMatcher WHITE_SPACE = CharMatcher.whitespace();

  private StringFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    FormatStyle style = dialect.formatStyle();
    ImmutableList<Class<?>> textTextNumber =
        ImmutableList.of(String.class, String.class, Long.class);
    library
        .add("contains_string", String.class, String.class, String::contains)
        .add("starts_with_string", String.class, String.class, String::startsWith)
        .add("ends_with_string", String.class, String.class, String::endsWith)
        .add(
            "string_format",
            String.class,
            List.class,
            (text, args) -> StringFormat.format(text, args, style))
        .add("string_char_at_int", String.class, Long.class, StringFunctions::charAt)
        .add(
            "string_index_of_string",
            String.class,
            String.class,
            (text, part) -> indexOf(text, part, 0))
        .add(
            "string_index_of_string_int",
            textTextNumber,
            args -> {
              checkOffset(args, dialect);
              return indexOf((String) args[0], (String) args[1], (Long) args[2]);
            })
        .add(
            "string_last_index_of_string",
            String.class,
            String.class,
            (text, part) -> lastIndexOf(text, part, Math.max(length(text), 0)))
        .add(
            "string_last_index_of_string_int",
            textTextNumber,
            args -> {
              checkOffset(args, dialect);
              return lastIndexOf(args);
            })
        .add("string_lower_ascii", String.class, text -> Ascii.toLowerCase(text))
        .add("string_upper_ascii", String.class, text -> Ascii.toUpperCase(text))
        .add(
            "string_replace_string_string",
            ImmutableList.of(String.class, String.class, String.class),
            args -> replace((String) args[0], (String) args[1], (String) args[2], -1))
        .add(
            "string_replace_string_string_int",
            ImmutableList.of(String.class, String.class, String.class, Long.class),
            args -> replace((String) args[0], (String) args[1], (String) args[2], (Long) args[3]))
        .add(
            "string_split_string",
            String.class,
            String.class,
            (text, separator) -> split(text, separator, -1))
        .add(
            "string_split_string_int",
            textTextNumber,
            args -> split((String) args[0], (String) args[1], (Long) args[2]))
        .add(
            "string_substring_int",
            String.class,
            Long.class,
            (text, from) -> substring(text, from, length(text)))
        .add(
            "string_substring_int_int",
            ImmutableList.of(String.class, Long.class, Long.class),
            args -> substring((String) args[0], (Long) args[1], (Long) args[2]))
        .add("string_trim", String.class, WHITE_SPACE::trimFrom)
        .add("list_join", List.class, list -> join(list, ""))
        .add("list_join_string", List.class, String.class, (list, sep) -> join(list, sep))
        .add("strings_quote", String.class, StringFunctions::quote);
    if (dialect.stringsVersion() >= 3) {
      library.add(
          "string_reverse", String.class, text -> new StringBuilder(text).reverse().toString());
    }
  }

  private static void checkOffset(Object[] args, Dialect dialect) {
    if (dialect.strict() && (Long) args[2] > length((String) args[0])) {
      throw outOfRange((Long) args[2]);
    }
  }

  private static String charAt(String text, long index) {
    int length = length(text);
    if (index < 0 || index > length) {
      throw outOfRange(index);
    }
    return index == length ? "" : substring(text, index, index + 1);
  }

  private static String substring(String text, long from, long to) {
    int length = length(text);
    if (from > to) {
      throw new CelInvalidArgumentException("invalid substring range: " + from + " to " + to);
    } else if (from < 0 || from > length) {
      throw outOfRange(from);
    } else if (to > length) {
      throw outOfRange(to);
    }
    int start = text.offsetByCodePoints(0, (int) from);
    return text.substring(start, text.offsetByCodePoints(start, (int) (to - from)));
  }

  /**
   * An empty separator splits between code points; the last of at most {@code limit} parts is the
   * rest.
   */
  private static ImmutableList<String> split(String text, String separator, long limit) {
    ImmutableList.Builder<String> parts = ImmutableList.builder();
    if (limit == 0 || (separator.isEmpty() && text.isEmpty())) {
      return parts.build();
    }
    int start = 0;
    for (long i = 1; i != limit; i++) {
      int end =
          separator.isEmpty() ? text.offsetByCodePoints(start, 1) : text.indexOf(separator, start);
      if (end < 0 || (separator.isEmpty() && end == text.length())) {
        break;
      }
      parts.add(text.substring(start, end));
      start = end + separator.length();
    }
    return parts.add(text.substring(start)).build();
  }

  private static long indexOf(String text, String part, long from) {
    long length = length(text);
    if (from < 0) {
      throw outOfRange(from);
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
      throw outOfRange(from);
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

  private static CelInvalidArgumentException outOfRange(long index) {
    return new CelInvalidArgumentException("index out of range: " + index);
  }

  static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static long codePoints(String text, int index) {
    return index < 0 ? -1 : text.codePointCount(0, index);
  }
}
