package io.dra4j.common;

import io.dra4j.internal.Checks;

/** Text from outside, such as names and values of manifests, made fit for messages. */
public final class PrintableText {

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
}
