package io.dra4j.sysfs.overlay;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Bytes that have to be text in UTF-8, or in UTF-16 with the byte order mark with which PowerShell
 * writes it: left to a parser, broken ones would be guessed at.
 */
final class Utf8Text {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private Utf8Text() {}

  /**
   * Reads text, without the byte order mark that it may begin with.
   *
   * @throws OverlayException if it is no text, with the place of the byte
   */
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
