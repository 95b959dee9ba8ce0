package io.dra4j.manifest.internal.json;

import io.dra4j.common.PrintableText;

/**
 * Makes text from a manifest fit for a message: one line, no control characters, nothing that turns
 * the direction of writing.
 */
public final class Printable {

  private Printable() {}

  public static String escape(String text) {
    StringBuilder out = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = !isUnsafe(text, i);
      if (out == null) {
        if (plain) {
          continue;
        }
        out = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (plain) {
        out.append(c);
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c == '\t') {
        out.append("\\t");
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    return out == null ? text : out.toString();
  }

  private static boolean isUnsafe(String text, int i) {
    char c = text.charAt(i);
    if (Character.isSurrogate(c)) {
      boolean paired =
          Character.isHighSurrogate(c)
              ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
              : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
      return !paired;
    }
    return isUnsafe((int) c);
  }

  /** Whether a character must be escaped; halves of pairs are looked at together. */
  static boolean isUnsafe(int codePoint) {
    return Character.getType(codePoint) != Character.SURROGATE
        && !PrintableText.isHarmless(codePoint);
  }
}
