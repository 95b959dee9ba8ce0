package io.dra4j.sysfs.overlay;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Decodes text in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it. Invalid
 * bytes are rejected here, because a parser would replace them by a guess.
 */
final class Utf8Text {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private Utf8Text() {}

  /** Decodes text without its byte order mark; an exception has the position of an invalid byte. */
  static String of(byte[] bytes, String origin) throws OverlayException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    CharBuffer decoded = CharBuffer.allocate(bytes.length);
    Charset charset = isUtf16(bytes) ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
    CoderResult end = charset.newDecoder().decode(rest, decoded, true);
    String text = decoded.flip().toString();
    if (end.isError()) {
      int line = 1 + (int) text.chars().filter(character -> character == '\n').count();
      int column = text.length() - text.lastIndexOf('\n');
      String problem = "byte 0x%02X is not %s text".formatted(bytes[rest.position()], charset);
      throw new OverlayException(origin, line, column, problem);
    }
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
  }

  private static boolean isUtf16(byte[] bytes) {
    int mark = bytes.length < 2 ? 0 : ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF);
    return mark == 0xFEFF || mark == 0xFFFE;
  }
}
