package io.dra4j.cli.terminal;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of UTF-8, each of a bounded length. */
public final class InputLines {

  /** The limit of a line, larger than any device in a Kubernetes object (etcd: 1.5 MiB). */
  public static final int MAX_BYTES = 4 << 20;

  /** The byte order mark that some editors write before the first line. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /**
   * A line, or the problem of a line.
   *
   * @param number the number of the line, from 1
   * @param text the line without its end; empty if there is a problem
   * @param problem the problem of the line; null if there is none
   * @param column the place of the problem, in characters from 1
   */
  public record Line(int number, String text, @Nullable String problem, int column) {}

  private final InputStream in;
  private int number;

  public InputLines(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /** Returns the next line, or null at the end. */
  @Nullable
  public Line next() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    int length = 0;
    int read = in.read();
    if (read < 0) {
      return null;
    }
    for (; read >= 0 && read != '\n'; read = in.read()) {
      if (++length <= MAX_BYTES) {
        bytes.write(read);
      }
    }
    number++;
    if (length > MAX_BYTES) {
      return new Line(
          number, "", "the line has %d bytes, more than %d".formatted(length, MAX_BYTES), 1);
    }
    return line(bytes.toByteArray());
  }

  private Line line(byte[] bytes) {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult end = StandardCharsets.UTF_8.newDecoder().decode(rest, text, true);
    if (end.isError()) {
      String problem = "byte 0x%02X is not UTF-8 text".formatted(bytes[rest.position()]);
      return new Line(number, "", problem, text.position() + 1);
    }
    String line = text.flip().toString();
    boolean hasMark = number == 1 && line.startsWith(BYTE_ORDER_MARK);
    return new Line(number, hasMark ? line.substring(BYTE_ORDER_MARK.length()) : line, null, 1);
  }
}
