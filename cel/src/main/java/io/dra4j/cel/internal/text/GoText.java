package io.dra4j.cel.internal.text;

import java.util.Locale;

/** Writes texts as the package {@code strconv} of Go does. */
public final class GoText {

  private GoText() {}

  /**
   * Writes as {@code %q} does.
   *
   * @param text any text
   * @return the text in quotes, with escapes for what is not printed
   */
  public static String quote(String text) {
    StringBuilder result = new StringBuilder().append('"');
    text.codePoints().forEach(c -> append(result, c));
    return result.append('"').toString();
  }

  private static void append(StringBuilder result, int c) {
    int special = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
    if (special >= 0) {
      result.append('\\').append("abfnrtv\\\"".charAt(special));
    } else if (c < ' ' || c == 0x7f) {
      result.append(String.format(Locale.ROOT, "\\x%02x", c));
    } else if (Unicode.isPrinted(c)) {
      result.appendCodePoint(c);
    } else {
      result.append(String.format(Locale.ROOT, c > 0xffff ? "\\U%08x" : "\\u%04x", c));
    }
  }
}
