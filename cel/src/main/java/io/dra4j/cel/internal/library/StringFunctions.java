package io.dra4j.cel.internal.library;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.Immutable;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.text.TextSearch;
import io.dra4j.cel.internal.value.EvaluationAborted;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.GoValues;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.Texts;
import io.dra4j.cel.internal.value.Values;
import java.util.List;

/**
 * The functions on strings, after {@code ext/strings.go} of cel-go in version 2, except {@code
 * format}, which {@link StringFormat} brings. Positions count code points.
 */
final class StringFunctions {

  private static final FunctionCost CONTAINS =
      new FunctionCost(
          args ->
              new CallEstimate(
                  args.get(0)
                      .sizeOrUnknown()
                      .times(Estimates.TEXT)
                      .times(args.get(1).sizeOrUnknown().times(Estimates.TEXT))),
          CallCost.before(
              (text, part) ->
                  CallCost.traverse(Values.size(text)) * CallCost.traverse(Values.size(part))));
  private static final FunctionCost BEGIN =
      new FunctionCost(
          args -> new CallEstimate(args.get(1).sizeOrUnknown().times(Estimates.TEXT)),
          CallCost.SECOND);
  private static final FunctionCost FORMAT =
      new FunctionCost(
          args -> new CallEstimate(args.get(0).sizeOrUnknown().times(Estimates.TEXT)),
          CallCost.CORE_FIRST);
  private static final FunctionCost SEARCH = new FunctionCost(Estimates::scan, CallCost.ELEMENTS);
  private static final FunctionCost SAME = new FunctionCost(Estimates.sameText(0), CallCost.FIRST);
  private static final FunctionCost REPLACE =
      new FunctionCost(StringFunctions::replacing, CallCost.FIRST_TWICE);
  private static final FunctionCost SPLIT =
      new FunctionCost(StringFunctions::splitting, CallCost.FIRST_TWICE);
  private static final FunctionCost JOIN =
      new FunctionCost(
          StringFunctions::joining,
          CallCost.after(result -> CallCost.ceil(CallCost.size(result) * 2 * CallCost.TRAVERSAL)));
  private static final FunctionCost QUOTE =
      new FunctionCost(
          args -> {
            Estimate size = args.get(0).sizeOrUnknown();
            return new CallEstimate(
                size.times(Estimates.TEXT), new Estimate(size.min() + 2, size.max() * 2 + 2));
          },
          CallCost.CORE_FIRST);

  private static final ImmutableList<Class<?>> TEXT_TEXT_NUMBER =
      ImmutableList.of(String.class, String.class, Long.class);

  private static final int MAX_PARTS = 5_000_000;

  /** White space of Unicode. */
  private static final CharMatcher WHITE_SPACE = CharMatcher.whitespace();

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      charAt
        string_char_at_int string.(int) string
      contains
        contains_string string.(string) bool
      endsWith
        ends_with_string string.(string) bool
      format
        string_format string.(list(dyn)) string
      indexOf
        string_index_of_string string.(string) int
        string_index_of_string_int string.(string, int) int
      join
        list_join list(string).() string
        list_join_string list(string).(string) string
      lastIndexOf
        string_last_index_of_string string.(string) int
        string_last_index_of_string_int string.(string, int) int
      lowerAscii
        string_lower_ascii string.() string
      replace
        string_replace_string_string string.(string, string) string
        string_replace_string_string_int string.(string, string, int) string
      split
        string_split_string string.(string) list(string)
        string_split_string_int string.(string, int) list(string)
      startsWith
        starts_with_string string.(string) bool
      strings.quote
        strings_quote (string) string
      substring
        string_substring_int string.(int) string
        string_substring_int_int string.(int, int) string
      trim
        string_trim string.() string
      upperAscii
        string_upper_ascii string.() string
      """;

  private StringFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    addTests(library);
    addSearches(library, dialect);
    addChanges(library, dialect);
    addParts(library);
    addFormats(library, dialect.formatStyle());
  }

  private static void addTests(FunctionLibrary.Builder library) {
    library
        .add(
            "contains_string",
            CONTAINS,
            String.class,
            String.class,
            inBytes((text, part) -> TextSearch.forwards(part).in(text, 0) >= 0))
        .add("starts_with_string", BEGIN, String.class, String.class, inBytes(String::startsWith))
        .add("ends_with_string", BEGIN, String.class, String.class, inBytes(String::endsWith));
  }

  private static void addSearches(FunctionLibrary.Builder library, Dialect dialect) {
    library
        .add(
            "string_index_of_string",
            SEARCH,
            String.class,
            String.class,
            (text, part) -> indexOf(text, part, 0))
        .add(
            "string_index_of_string_int",
            SEARCH,
            TEXT_TEXT_NUMBER,
            args -> {
              checkOffset(args, dialect);
              return indexOf((String) args[0], (String) args[1], (Long) args[2]);
            })
        .add(
            "string_last_index_of_string",
            SEARCH,
            String.class,
            String.class,
            (text, part) ->
                GoText.length(text) < GoText.length(part) // in bytes, not in characters
                    ? -1L
                    : lastIndexOf(text, part, Texts.length(text)))
        .add(
            "string_last_index_of_string_int",
            SEARCH,
            TEXT_TEXT_NUMBER,
            args -> {
              checkOffset(args, dialect);
              return lastIndexOf(args);
            });
  }

  private static void addChanges(FunctionLibrary.Builder library, Dialect dialect) {
    library
        .add(
            "string_lower_ascii",
            SAME,
            String.class,
            text -> Ascii.toLowerCase(GoText.characters(text)))
        .add(
            "string_upper_ascii",
            SAME,
            String.class,
            text -> Ascii.toUpperCase(GoText.characters(text)))
        .add(
            "string_replace_string_string",
            REPLACE,
            ImmutableList.of(String.class, String.class, String.class),
            args -> replace((String) args[0], (String) args[1], (String) args[2], -1))
        .add(
            "string_replace_string_string_int",
            REPLACE,
            ImmutableList.of(String.class, String.class, String.class, Long.class),
            args -> replace((String) args[0], (String) args[1], (String) args[2], (Long) args[3]));
    if (dialect.stringsVersion() >= 3) {
      library.add(
          "string_reverse",
          FunctionCost.ONE,
          String.class,
          text -> new StringBuilder(GoText.characters(text)).reverse().toString());
    }
  }

  private static void addParts(FunctionLibrary.Builder library) {
    library
        .add(
            "string_char_at_int",
            FunctionCost.ONE,
            String.class,
            Long.class,
            StringFunctions::charAt)
        .addLengthy(
            "string_split_string",
            SPLIT,
            ImmutableList.of(String.class, String.class),
            (args, work) -> split((String) args[0], (String) args[1], -1, work))
        .addLengthy(
            "string_split_string_int",
            SPLIT,
            TEXT_TEXT_NUMBER,
            (args, work) -> split((String) args[0], (String) args[1], (Long) args[2], work))
        .add(
            "string_substring_int",
            SAME,
            String.class,
            Long.class,
            (text, from) -> substring(text, from))
        .add(
            "string_substring_int_int",
            SAME,
            ImmutableList.of(String.class, Long.class, Long.class),
            args -> substring((String) args[0], (Long) args[1], (Long) args[2]))
        .add("string_trim", SAME, String.class, WHITE_SPACE::trimFrom);
  }

  private static void addFormats(FunctionLibrary.Builder library, FormatStyle style) {
    library
        .addLengthy(
            "string_format",
            FORMAT,
            ImmutableList.of(String.class, List.class),
            (args, work) -> StringFormat.format((String) args[0], (List<?>) args[1], style, work))
        .addLengthy(
            "list_join",
            JOIN,
            ImmutableList.of(List.class),
            (args, work) -> join((List<?>) args[0], "", work))
        .addLengthy(
            "list_join_string",
            JOIN,
            ImmutableList.of(List.class, String.class),
            (args, work) -> join((List<?>) args[0], (String) args[1], work))
        .add("strings_quote", QUOTE, String.class, StringFunctions::quote);
  }

  private static CallEstimate replacing(List<Argument> args) {
    Estimate size = args.get(0).sizeOrDeclared();
    Estimate old = args.get(1).sizeOrDeclared();
    Estimate replacement = args.get(2).sizeOrDeclared();
    long maxCount = 0;
    long maxKept = 0;
    if (old.min() == 0) {
      maxCount = Estimate.add(size.max(), 1);
      maxKept = size.max();
    } else if (Long.compareUnsigned(replacement.max(), old.min()) <= 0) {
      maxKept = size.max();
    } else {
      maxCount = quotient(size.max(), old.min());
    }
    long minCount = 0;
    long minKept = 0;
    if (old.max() == 0) {
      minCount = Estimate.add(size.min(), 1);
      minKept = size.min();
    } else if (Long.compareUnsigned(old.max(), replacement.min()) <= 0) {
      minKept = size.min();
    } else {
      minCount = quotient(size.min(), old.max());
    }
    Estimate result =
        new Estimate(minCount, maxCount).times(replacement).plus(new Estimate(minKept, maxKept));
    return new CallEstimate(size.times(2 * Estimates.TEXT), result);
  }

  private static long quotient(long dividend, long divisor) {
    return Estimate.round(Math.ceil(Estimate.toDouble(dividend) / Estimate.toDouble(divisor)));
  }

  private static CallEstimate splitting(List<Argument> args) {
    Estimate size = args.get(0).sizeOrDeclared();
    Long limit = args.size() > 2 ? Estimates.literal(args.get(2)) : null;
    return new CallEstimate(
        size.times(2 * Estimates.TEXT), new Estimate(0, limit == null ? size.max() : (long) limit));
  }

  private static CallEstimate joining(List<Argument> args) {
    Estimate count = args.get(0).sizeOrDeclared();
    Estimate size = Estimate.ZERO;
    Argument element = Estimates.element(args.get(0));
    if (element != null) {
      size = count.times(element.sizeOrDeclared());
    }
    if (args.size() > 1) {
      Estimate separators =
          new Estimate(
              count.min() == 0 ? 0 : count.min() - 1, count.max() == 0 ? 0 : count.max() - 1);
      size = size.plus(args.get(1).sizeOrDeclared().times(separators));
    }
    return new CallEstimate(size.times(Estimates.TEXT), size);
  }

  private static void checkOffset(Object[] args, Dialect dialect) {
    if (dialect.strict() && (Long) args[2] > Texts.length((String) args[0])) {
      throw outOfRange((Long) args[2]);
    }
  }

  /** Looks for a part in a text. */
  @Immutable
  private interface Search {
    boolean finds(String text, String part);
  }

  private static CelFunctionOverload.Binary<String, String> inBytes(Search search) {
    return (text, part) ->
        GoText.endsInBytes(part)
            ? search.finds(GoText.asBytes(text), GoText.asBytes(part))
            : search.finds(text, part);
  }

  private static String charAt(String text, long index) {
    int start = offset(text, 0, index);
    if (start < 0) {
      throw outOfRange(index);
    }
    int end = start == text.length() ? start : text.offsetByCodePoints(start, 1);
    return GoText.characters(text.substring(start, end));
  }

  private static String substring(String text, long from) {
    int start = offset(text, 0, from);
    if (start < 0) {
      throw outOfRange(from);
    }
    return GoText.characters(text.substring(start));
  }

  private static String substring(String text, long from, long to) {
    if (from > to) {
      throw new CelInvalidArgumentException(
          "invalid substring range. start: " + from + ", end: " + to);
    }
    int start = offset(text, 0, from);
    if (start < 0) {
      throw outOfRange(from);
    }
    int end = offset(text, start, to - from);
    if (end < 0) {
      throw outOfRange(to);
    }
    return GoText.characters(text.substring(start, end));
  }

  /**
   * {@return the index at which a code point begins, counted from another one; the length is
   * included, -1 if there is none} Looks no further, since the cost of a call is independent of the
   * length.
   */
  private static int offset(String text, int start, long codePoints) {
    if (codePoints < 0 || codePoints > text.length() - start) {
      return -1;
    }
    try {
      return text.offsetByCodePoints(start, (int) codePoints);
    } catch (IndexOutOfBoundsException e) {
      return -1; // some of its code points are two characters
    }
  }

  /** An empty separator splits between code points; the last of {@code limit} parts is the rest. */
  private static ImmutableList<String> split(
      String text, String separator, long limit, EvaluationMeter work) {
    if (GoText.endsInBytes(separator)) {
      return split(GoText.asBytes(text), GoText.asBytes(separator), limit, work).stream()
          .map(GoText::ofBytes)
          .collect(ImmutableList.toImmutableList());
    }
    ImmutableList.Builder<String> parts = ImmutableList.builder();
    if (limit == 0 || (separator.isEmpty() && text.isEmpty())) {
      return parts.build();
    }
    TextSearch search = TextSearch.forwards(separator);
    int start = 0;
    for (long i = 1; i != limit; i++) {
      int end = separator.isEmpty() ? text.offsetByCodePoints(start, 1) : search.in(text, start);
      if (end < 0 || (separator.isEmpty() && end == text.length())) {
        break;
      }
      parts.add(text.substring(start, end));
      start = end + separator.length();
    }
    ImmutableList<String> all = parts.add(text.substring(start)).build();
    work.takes(MemoryCost.ofTexts(all));
    return all;
  }

  private static long indexOf(String bytes, String bytesOfPart, long from) {
    String text = GoText.characters(bytes);
    String part = GoText.characters(bytesOfPart);
    long length = Texts.length(text);
    if (from < 0) {
      throw outOfRange(from);
    } else if (part.isEmpty()) {
      return Math.min(from, length);
    } else if (from >= length) {
      return -1;
    }
    return codePoints(
        text, TextSearch.forwards(part).in(text, text.offsetByCodePoints(0, (int) from)));
  }

  private static Object lastIndexOf(Object[] args) {
    String text = (String) args[0];
    long from = (Long) args[2];
    return from >= Texts.length(text) && !((String) args[1]).isEmpty()
        ? -1L
        : lastIndexOf(text, (String) args[1], from);
  }

  private static long lastIndexOf(String bytes, String bytesOfPart, long from) {
    String text = GoText.characters(bytes);
    String part = GoText.characters(bytesOfPart);
    long length = Texts.length(text);
    if (from < 0) {
      throw outOfRange(from);
    } else if (part.isEmpty()) {
      return Math.min(from, length);
    }
    int start = text.offsetByCodePoints(0, (int) Math.min(from, length));
    return codePoints(text, TextSearch.backwards(part).in(text, start));
  }

  private static String replace(String text, String old, String replacement, long limit) {
    return GoText.endsInBytes(old)
        ? GoText.ofBytes(
            replaced(GoText.asBytes(text), GoText.asBytes(old), GoText.asBytes(replacement), limit))
        : GoText.joined(replaced(text, old, replacement, limit));
  }

  private static String replaced(String text, String old, String replacement, long limit) {
    StringBuilder result = new StringBuilder();
    int done = 0;
    TextSearch search = TextSearch.forwards(old);
    int next = search.in(text, 0);
    for (long i = 0; next >= 0 && (limit < 0 || i < limit); i++) {
      append(result, text.substring(done, next));
      append(result, replacement);
      done = next + old.length();
      if (!old.isEmpty()) {
        next = search.in(text, done);
      } else if (next < text.length()) {
        next = text.offsetByCodePoints(next, 1);
      } else {
        break;
      }
    }
    return append(result, text.substring(done)).toString();
  }

  /** Ends also where there is nothing in the texts. */
  private static String join(List<?> list, String separator, EvaluationMeter work) {
    StringBuilder result = new StringBuilder();
    String before = "";
    int parts = 0;
    for (Object element : list) {
      work.spendOn(element);
      if (++parts > MAX_PARTS) {
        throw new EvaluationAborted("join: a list of more than " + MAX_PARTS + " parts");
      }
      if (!(element instanceof String text)) {
        throw new CelInvalidArgumentException("join: invalid input: " + GoValues.text(element));
      }
      append(append(result, before), text);
      before = separator;
    }
    return GoText.joined(result.toString());
  }

  private static String quote(String text) {
    String characters = GoText.characters(text);
    StringBuilder result = new StringBuilder().append('"');
    for (int i = 0; i < characters.length(); i++) {
      char c = characters.charAt(i);
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

  private static long codePoints(String text, int index) {
    return index < 0 ? -1 : text.codePointCount(0, index);
  }
}
