package io.dra4j.common;

import io.dra4j.internal.Checks;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Text from outside, such as names and values of manifests, made fit for messages. */
public final class PrintableText {

  /** So much of a value is shown; names in Kubernetes are shorter. */
  private static final int SHOWN_LENGTH = 60;

  private PrintableText() {}

  /**
   * Escapes what could move the cursor, end the line, or turn the direction of writing: control and
   * format characters, separators of lines and paragraphs, and halves of characters.
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
   * Whether a character may stand in a message as it is.
   *
   * @param codePoint a code point
   * @return false for what {@link #of} escapes
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
   * The beginning of a value, or all of it if it is short.
   *
   * @param text any text
   * @return up to 60 characters; of a longer text the first half of that and an ellipsis
   */
  public static String abbreviate(String text) {
    return abbreviate(text, SHOWN_LENGTH);
  }

  /**
   * The beginning of a text, or all of it if it is short.
   *
   * @param text any text
   * @param most so many characters are short; half as many are shown of more
   * @return the text, or its beginning and an ellipsis
   */
  public static String abbreviate(String text, int most) {
    return Checks.value("text", text).length() <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most / 2)) + "…";
  }

  /**
   * The beginning of a text, or all of it if it is short.
   *
   * @param text any text
   * @param most so many characters are shown, from 1; both halves of a character or none
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
   * The first of several names, and how many others there are: {@code a, b and 3 more}.
   *
   * @param names any names
   * @param most so many are listed
   * @return the names with commas between them; empty for no name
   */
  public static String some(Collection<String> names, int most) {
    return some(Checks.value("names", names), most, name -> name);
  }

  /**
   * The first of several things, and how many others there are: {@code a, b and 3 more}.
   *
   * @param things any things, of which there may be very many
   * @param most so many are listed
   * @param text makes the text of a thing that is listed
   * @param <T> the type of the things
   * @return the texts with commas between them; empty for no thing
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
