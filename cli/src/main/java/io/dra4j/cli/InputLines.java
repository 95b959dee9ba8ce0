package io.dra4j.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads lines of UTF-8, each of a bounded length. */
final class InputLines {

  /** More than any device takes that fits into an object of Kubernetes (etcd: 1.5 MiB). */
  static final int MAX_BYTES = 4 << 20;

  /**
   * A line, or why there is none.
   *
   * @param number counted from 1
   * @param text the line without its end; empty if there is a problem
   * @param problem what is wrong with it; null if nothing is
   */
  record Line(int number, String text, @Nullable String problem) {}

  private final InputStream in;
  private int number;

  InputLines(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /** Returns the next line, or null at the end. */
  @Nullable Line next() throws IOException {
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
      return new Line(number, "", "has %d bytes, more than %d".formatted(length, MAX_BYTES));
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString();
      return new Line(number, text, null);
    } catch (CharacterCodingException e) {
      return new Line(number, "", "not UTF-8");
    }
  }
}
