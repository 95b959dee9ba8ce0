package io.dra4j.sysfs.overlay;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Bytes that have to be text in UTF-8: left to a parser, broken ones would be guessed at. */
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
    CoderResult end = StandardCharsets.UTF_8.newDecoder().decode(rest, decoded, true);
    String text = decoded.flip().toString();
    if (end.isError()) {
      int line = 1 + (int) text.chars().filter(character -> character == '\n').count();
      int column = text.length() - text.lastIndexOf('\n');
      String problem = "byte 0x%02X is not UTF-8 text".formatted(bytes[rest.position()]);
      throw new OverlayException(origin, line, column, problem);
    }
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
  }
}
