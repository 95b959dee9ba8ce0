package io.dra4j.common;

import io.dra4j.internal.Checks;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes text from outside, such as names and values of manifests, safe for messages. */
public final class PrintableText {

  /** The number of characters of a value that are shown; most names in Kubernetes are shorter. */
  private static final int SHOWN_LENGTH = 60;

  private PrintableText() {}

  /**
   * {@return the text on one line, for example with <code>&#92;u000a</code> for a line break}
   * Escapes control and format characters, separators of lines and paragraphs, and unpaired
   * surrogates, which could move the cursor, end the line, or change the direction of writing.
   *
   * @param text any text
   */
  public static String of(String text) {
    if (Checks.value("text", text).codePoints().allMatch(PrintableText::isHarmless)) {
      return text;
    }
    StringBuilder printable = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isHarmless(c)) {
                printable.appendCodePoint(c);
              } else {
                printable.append(c < 0x10000 ? "\\u%04x".formatted(c) : "\\U%08x".formatted(c));
              }
            });
    return printable.toString();
  }

  /**
   * {@return whether a character may appear in messages, so that {@link #of} does not escape it}
   *
   * @param codePoint a code point
   */
  public static boolean isHarmless(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /**
   * {@return a text of up to 60 characters unchanged; of a longer text the first 30 and an
   * ellipsis}
   *
   * @param text any text
   */
  public static String abbreviate(String text) {
    return abbreviate(text, SHOWN_LENGTH);
  }

  /**
   * {@return the text, or its beginning and an ellipsis if it is too long}
   *
   * @param text any text
   * @param most the maximum length to return unchanged; half as many characters of a longer text
   */
  public static String abbreviate(String text, int most) {
    return Checks.value("text", text).length() <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most / 2)) + "…";
  }

  /**
   * {@return the text, or its beginning and an ellipsis if it is longer}
   *
   * @param text any text
   * @param most the number of characters to show, at least 1; a surrogate pair is not split
   */
  public static String start(String text, int most) {
    if (Checks.value("text", text).length() <= most) {
      return text;
    }
    boolean isHalf = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, isHalf ? most - 1 : most) + "…";
  }

  /**
   * {@return the first names and the number of others: {@code a, b and 3 more}; empty for no names}
   *
   * @param names any names
   * @param most the number of items to list
   */
  public static String some(Collection<String> names, int most) {
    return some(Checks.value("names", names), most, name -> name);
  }

  /**
   * {@return the first items and the number of others: {@code a, b and 3 more}; empty for no items}
   *
   * @param things the items; there may be very many
   * @param most the number of items to list
   * @param text returns the text of an item
   * @param <T> the type of the items
   */
  public static <T> String some(Collection<T> things, int most, Function<? super T, String> text) {
    Checks.value("text", text);
    int more = Checks.value("things", things).size() - most;
    return things.stream()
        .limit(most)
        .map(text)
        .collect(Collectors.joining(", ", "", more > 0 ? " and " + more + " more" : ""));
  }
}
