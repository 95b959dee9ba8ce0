package io.dra4j.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output that ends the command when it cannot be written: what would be lost is no answer.
 * {@link java.io.PrintWriter} alone would go on. A reader that has gone, as {@code head} does after
 * ten lines, needs no more of it: the rest is dropped, so that the command ends as it would have.
 */
public final class StandardOutput extends OutputStream {

  private final OutputStream out;
  private boolean isUnread;

  public StandardOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (isUnread) {
      return;
    }
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      failed(e);
    }
  }

  @Override
  public void flush() {
    if (isUnread) {
      return;
    }
    try {
      out.flush();
    } catch (IOException e) {
      failed(e);
    }
  }

  private void failed(IOException e) {
    if (!String.valueOf(e.getMessage()).contains("Broken pipe")) {
      throw new LostException(e);
    }
    isUnread = true;
  }

  /** Whether the reader has gone, so that further output is lost. */
  public boolean isUnread() {
    return isUnread;
  }

  /** Output that could not be written. */
  public static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException(IOException cause) {
      super(cause);
    }

    /** What the system says. */
    public String reason() {
      Throwable cause = getCause();
      return cause == null || cause.getMessage() == null ? "the output failed" : cause.getMessage();
    }
  }
}
