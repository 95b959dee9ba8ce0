package io.dra4j.cel;

import java.util.Locale;

/** Writes texts as the package {@code strconv} of Go does. */
final class GoText {

  private GoText() {}

  /** Writes as {@code %q} does. */
  static String quote(String text) {
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
    } else if (isPrinted(c)) {
      result.appendCodePoint(c);
    } else {
      result.append(String.format(Locale.ROOT, c > 0xffff ? "\\U%08x" : "\\u%04x", c));
    }
  }

  private static boolean isPrinted(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }
}
