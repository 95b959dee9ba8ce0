package io.dra4j.cli;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output that ends the command when it cannot be written: what would be lost is no answer,
 * and a reader that has gone needs no more of it. {@link java.io.PrintWriter} alone would go on.
 */
final class AnswerStream extends OutputStream {

  private final OutputStream out;

  AnswerStream(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw new LostException(e);
    }
  }

  @Override
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw new LostException(e);
    }
  }

  /** Output that could not be written. */
  static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException(IOException cause) {
      super(cause);
    }

    /** Whether the reader of a pipe has had enough, as {@code head} has after ten lines. */
    boolean isClosedPipe() {
      return reason().contains("Broken pipe");
    }

    /** What the system says. */
    String reason() {
      Throwable cause = getCause();
      return cause == null || cause.getMessage() == null ? "the output failed" : cause.getMessage();
    }
  }
}
