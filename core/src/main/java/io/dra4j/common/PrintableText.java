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
   * Escapes the characters that could move the cursor, end the line, or change the direction of
   * writing: control and format characters, separators of lines and paragraphs, and unpaired
   * surrogates.
   *
   * @param text any text
   * @return the text on one line, with <code>&#92;u000a</code> for a line break
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
   * Returns whether a character may appear in a message without an escape.
   *
   * @param codePoint a code point
   * @return false for a character that {@link #of} escapes
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
   * Returns the beginning of a value, or all of it if it is short.
   *
   * @param text any text
   * @return a text of up to 60 characters unchanged; of a longer text the first 30 characters and
   *     an ellipsis
   */
  public static String abbreviate(String text) {
    return abbreviate(text, SHOWN_LENGTH);
  }

  /**
   * Returns the beginning of a text, or all of it if it is short.
   *
   * @param text any text
   * @param most the length up to which a text is returned unchanged; half as many characters of a
   *     longer text
   * @return the text, or its beginning and an ellipsis
   */
  public static String abbreviate(String text, int most) {
    return Checks.value("text", text).length() <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most / 2)) + "…";
  }

  /**
   * Returns the beginning of a text, or all of it if it is short.
   *
   * @param text any text
   * @param most the number of characters to show, at least 1; a surrogate pair is not split
   * @return the text, or its beginning and an ellipsis
   */
  public static String start(String text, int most) {
    if (Checks.value("text", text).length() <= most) {
      return text;
    }
    boolean isHalf = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, isHalf ? most - 1 : most) + "…";
  }

  /**
   * Returns the first of several names, and the number of the others: {@code a, b and 3 more}.
   *
   * @param names any names
   * @param most the number of items to list
   * @return the names with commas between them; empty if there are no names
   */
  public static String some(Collection<String> names, int most) {
    return some(Checks.value("names", names), most, name -> name);
  }

  /**
   * Returns the first of several items, and the number of the others: {@code a, b and 3 more}.
   *
   * @param things the items; there may be very many
   * @param most the number of items to list
   * @param text returns the text of an item
   * @param <T> the type of the items
   * @return the texts with commas between them; empty if there are no items
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
