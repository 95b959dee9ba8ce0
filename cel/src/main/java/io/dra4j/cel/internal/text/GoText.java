package io.dra4j.cel.internal.text;

import com.google.common.base.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes texts as the package {@code strconv} of Go does. */
public final class GoText {

  /** A low surrogate: behind it, the bytes that are no character. */
  private static final int BYTES_ALONE = 0xdc00;

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

  /**
   * Writes as {@code %q} does.
   *
   * @param bytes a text in UTF-8, which may have been cut within a character
   * @return the text in quotes, with escapes for what is not printed and for what is no UTF-8
   */
  public static String quote(byte[] bytes) {
    return quote(decode(bytes));
  }

  /**
   * Reads UTF-8, and keeps what is none until it is quoted, as PEP 383 does.
   *
   * @param bytes a text in UTF-8, which may have been cut within a character
   * @return the text; a byte that belongs to no character is a low surrogate alone, U+DC00 and the
   *     byte
   */
  static String decode(byte[] bytes) {
    StringBuilder result = new StringBuilder();
    int length;
    for (int i = 0; i < bytes.length; i += Math.max(1, length)) {
      length = characterAt(bytes, i);
      result.appendCodePoint(
          length == 0 ? BYTES_ALONE + (bytes[i] & 0xff) : decoded(bytes, i, length));
    }
    return result.toString();
  }

  /**
   * Writes as {@code prototext} of Go does ({@code appendString} in its encoder).
   *
   * @param bytes the content of a field: a text in UTF-8, or any bytes
   * @return the content in quotes, with escapes for control characters and for what is no UTF-8
   */
  public static String quoteField(byte[] bytes) {
    StringBuilder result = new StringBuilder().append('"');
    int length;
    for (int i = 0; i < bytes.length; i += length) {
      length = characterAt(bytes, i);
      int c = length == 0 ? bytes[i] & 0xff : decoded(bytes, i, length);
      int special = "\n\r\t\\\"".indexOf(c);
      if (special >= 0) {
        result.append('\\').append("nrt\\\"".charAt(special));
      } else if (length == 0 || c < ' ' || c == 0x7f) {
        result.append(String.format(Locale.ROOT, "\\x%02x", c));
      } else if (c >= 0x80 && c <= 0x9f) {
        result.append(String.format(Locale.ROOT, "\\u%04x", c));
      } else {
        result.appendCodePoint(c);
      }
      length = Math.max(1, length);
    }
    return result.append('"').toString();
  }

  /** The number of bytes of the character there, or 0 if there is none. */
  private static int characterAt(byte[] bytes, int from) {
    for (int length = 1; length <= 4 && from + length <= bytes.length; length++) {
      if (Utf8.isWellFormed(bytes, from, length)) {
        return length;
      }
    }
    return 0;
  }

  private static int decoded(byte[] bytes, int from, int length) {
    return new String(bytes, from, length, StandardCharsets.UTF_8).codePointAt(0);
  }

  private static void append(StringBuilder result, int c) {
    int special = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
    if (special >= 0) {
      result.append('\\').append("abfnrtv\\\"".charAt(special));
    } else if (c < ' ' || c == 0x7f) {
      result.append(String.format(Locale.ROOT, "\\x%02x", c));
    } else if (c >= BYTES_ALONE + 0x80 && c <= BYTES_ALONE + 0xff) {
      result.append(String.format(Locale.ROOT, "\\x%02x", c - BYTES_ALONE));
    } else if (Unicode.isPrinted(c)) {
      result.appendCodePoint(c);
    } else {
      result.append(String.format(Locale.ROOT, c > 0xffff ? "\\U%08x" : "\\u%04x", c));
    }
  }
}
