package io.dra4j.manifest.internal.json;

import io.dra4j.common.PrintableText;

/** Makes text safe for a message: one line, no control characters, one direction of writing. */
public final class Printable {

  private Printable() {}

  public static String escape(String text) {
    return PrintableText.of(text.replace("\n", "\\n").replace("\t", "\\t"));
  }

  /** Whether a character must be escaped; surrogate pairs are checked together. */
  static boolean isUnsafe(int codePoint) {
    return Character.getType(codePoint) != Character.SURROGATE
        && !PrintableText.isHarmless(codePoint);
  }
}
