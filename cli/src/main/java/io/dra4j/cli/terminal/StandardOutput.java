package io.dra4j.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output that ends the command if it cannot be written, because the answer would be
 * incomplete; {@link java.io.PrintWriter} alone would ignore the error. If the reader has closed
 * the pipe, like {@code head} after ten lines, the rest is discarded, and the command ends
 * normally.
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

  /** Returns whether the reader has closed the pipe, so that further output is discarded. */
  public boolean isUnread() {
    return isUnread;
  }

  /** Signals that output could not be written. */
  public static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException(IOException cause) {
      super(cause);
    }

    /** Returns the message of the operating system. */
    public String reason() {
      Throwable cause = getCause();
      return cause == null || cause.getMessage() == null ? "the output failed" : cause.getMessage();
    }
  }
}
