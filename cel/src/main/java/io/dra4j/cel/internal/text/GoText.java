package io.dra4j.cel.internal.text;

import com.google.common.base.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Texts as Go has them, which are bytes: writes them as its package {@code strconv}, and keeps what
 * is no UTF-8, which parts of URLs may decode to. Such a byte is a low surrogate alone, U+DC00 and
 * the byte, as in PEP 383; no other text of CEL has one. Where such bytes come together to a
 * character, they become it.
 */
public final class GoText {

  /** A low surrogate: behind it, the bytes that are no character. */
  private static final int BYTES_ALONE = 0xdc00;

  private static final int REPLACEMENT = 0xfffd;

  private GoText() {}

  /**
   * {@return a text in quotes as {@code %q} writes it, with escapes for what is not printed}
   *
   * @param text any text
   */
  public static String quote(String text) {
    return quote(text, Unicode.V15);
  }

  /**
   * {@return a text in quotes, as {@code %q} writes it}
   *
   * @param text the text
   * @param known the characters that the release of Go knows; others are written as escapes
   */
  public static String quote(String text, Unicode known) {
    StringBuilder result = new StringBuilder().append('"');
    text.codePoints().forEach(c -> append(result, c, known));
    return result.append('"').toString();
  }

  /**
   * {@return a text in quotes as {@code %q} writes it; what is not printed or no UTF-8 is escaped}
   *
   * @param bytes a text in UTF-8, which may have been cut within a character
   */
  public static String quote(byte[] bytes) {
    return quote(decode(bytes));
  }

  /**
   * {@return the text of UTF-8 that may be cut within a character; a byte that belongs to no
   * character is a low surrogate alone, U+DC00 and the byte}
   */
  static String decode(byte[] bytes) {
    if (Utf8.isWellFormed(bytes)) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
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
   * {@return one text behind another; bytes of a character that come together are that character}
   *
   * @param a one
   * @param b the other
   */
  public static String concat(String a, String b) {
    String both = a + b;
    return !a.isEmpty() && !b.isEmpty() && isByteAlone(b.charAt(0)) ? joined(both) : both;
  }

  /**
   * {@return the joined texts, in which bytes of a character that came together are that character}
   *
   * @param parts texts, one behind the other
   */
  public static String joined(String parts) {
    return firstByteAlone(parts) < 0 ? parts : decode(bytes(parts));
  }

  /**
   * {@return whether a text begins or ends with a byte that is no character} It may then be within
   * the characters of other texts, where only {@link #asBytes} finds it.
   *
   * @param text any text
   */
  public static boolean endsInBytes(String text) {
    return !text.isEmpty() && (isByteAlone(text.charAt(0)) || isByteAlone(text, text.length() - 1));
  }

  /**
   * {@return each byte of a text as a character up to U+00FF, to search for a byte in it}
   *
   * @param text any text
   */
  public static String asBytes(String text) {
    return new String(bytes(text), StandardCharsets.ISO_8859_1);
  }

  /**
   * {@return the text of bytes}
   *
   * @param bytes the result of {@link #asBytes}, or a part of it
   */
  public static String ofBytes(String bytes) {
    return decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * {@return the bytes of a text: its UTF-8, with the bytes that are none as they were}
   *
   * @param text any text
   */
  public static byte[] bytes(String text) {
    if (firstByteAlone(text) < 0) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    text.codePoints()
        .forEach(
            c -> {
              if (isByteAlone(c)) {
                bytes.write(c - BYTES_ALONE);
              } else {
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
              }
            });
    return bytes.toByteArray();
  }

  /**
   * {@return the number of bytes of a text, the length of {@link #bytes}}
   *
   * @param text any text
   */
  public static int length(String text) {
    if (firstByteAlone(text) < 0) {
      return Utf8.encodedLength(text);
    }
    int length = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = text.codePointAt(i);
      length += c < 0x80 || isByteAlone(c) ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }
    return length;
  }

  /**
   * {@return the text as Go's {@code []rune} has it, with U+FFFD for each byte that is no UTF-8}
   *
   * @param text any text
   */
  public static String characters(String text) {
    if (firstByteAlone(text) < 0) {
      return text;
    }
    StringBuilder result = new StringBuilder();
    text.codePoints().forEach(c -> result.appendCodePoint(character(c)));
    return result.toString();
  }

  /** Returns U+FFFD for a byte that is no UTF-8, and else the character. */
  static int character(int c) {
    return isByteAlone(c) ? REPLACEMENT : c;
  }

  /** Returns whether a code point of a text is a byte that is no UTF-8. */
  public static boolean isByteAlone(int c) {
    return c >= BYTES_ALONE + 0x80 && c <= BYTES_ALONE + 0xff;
  }

  /** Returns where the first byte that is no UTF-8 is, or −1. */
  static int firstByteAlone(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isByteAlone(text, i)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isByteAlone(String text, int at) {
    return isByteAlone(text.charAt(at))
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  /**
   * {@return the order of two texts by their bytes, as in Go: 1, 0 or −1}
   *
   * @param a one
   * @param b the other
   */
  public static int order(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        if (isByteAlone(a, i) || isByteAlone(b, i)) {
          return Integer.signum(
              Arrays.compareUnsigned(bytes(a.substring(i)), bytes(b.substring(i))));
        }
        boolean surrogate = Character.isSurrogate(x);
        return (surrogate == Character.isSurrogate(y) ? x > y : surrogate) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
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
        appendCode(result, 'x', c, 2);
      } else if (c >= 0x80 && c <= 0x9f) {
        appendCode(result, 'u', c, 4);
      } else {
        result.appendCodePoint(c);
      }
      length = Math.max(1, length);
    }
    return result.append('"').toString();
  }

  /** Returns the number of bytes of the character there, or 0 if there is none. */
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

  /**
   * {@return a message of {@link #quote(String)} with the known characters in quotes as they are}
   *
   * @param message a message that has texts in quotes
   * @param known the characters that the release knows
   */
  public static String requote(String message, Unicode known) {
    if (known == Unicode.V15 || message.indexOf('\\') < 0) {
      return message;
    }
    StringBuilder result = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      isQuoted ^= c == '"';
      if (!isQuoted || c != '\\' || i + 1 == message.length()) {
        result.append(c);
        continue;
      }
      char letter = message.charAt(++i);
      int code = letter == 'u' ? code(message, i, 4) : letter == 'U' ? code(message, i, 8) : -1;
      if (code >= 0 && known.isPrinted(code)) {
        result.appendCodePoint(code);
        i += letter == 'u' ? 4 : 8;
      } else {
        result.append(c).append(letter);
      }
    }
    return result.toString();
  }

  /** Returns the number of an escape whose letter is there; -1 for none. */
  private static int code(String text, int letter, int digits) {
    int code = 0;
    for (int i = letter + 1; i <= letter + digits; i++) {
      int digit = i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
      if (digit < 0 || code > Character.MAX_CODE_POINT >> 4) {
        return -1;
      }
      code = (code << 4) | digit;
    }
    return code;
  }

  private static void append(StringBuilder result, int c, Unicode known) {
    int special = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
    if (special >= 0) {
      result.append('\\').append("abfnrtv\\\"".charAt(special));
    } else if (c < ' ' || c == 0x7f) {
      appendCode(result, 'x', c, 2);
    } else if (isByteAlone(c)) {
      appendCode(result, 'x', c - BYTES_ALONE, 2);
    } else if (known.isPrinted(c)) {
      result.appendCodePoint(c);
    } else {
      appendCode(result, c > 0xffff ? 'U' : 'u', c, c > 0xffff ? 8 : 4);
    }
  }

  private static void appendCode(StringBuilder result, char letter, int code, int digits) {
    result.append('\\').append(letter);
    for (int i = digits - 1; i >= 0; i--) {
      result.append(Character.forDigit((code >>> (4 * i)) & 0xf, 16));
    }
  }
}
