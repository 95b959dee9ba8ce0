package io.dra4j.testkit;

import java.io.IOException;
import java.io.Serial;

/**
 * Thrown if a record of a host cannot be read: it violates the format, leaves its root or is too
 * large.
 */
public final class CaptureException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  /** The source of the record. */
  private final String source;

  /** The line, from 1, or 0. */
  private final int line;

  CaptureException(String source, int line, String message) {
    super(source + (line > 0 ? ":" + line : "") + ": " + message);
    this.source = source;
    this.line = line;
  }

  /** Creates an exception for an entry that {@link HostEntries} rejected. */
  CaptureException(String source, int line, IllegalArgumentException refused) {
    this(source, line, String.valueOf(refused.getMessage()));
    initCause(refused);
  }

  /**
   * The source of the record.
   *
   * @return the file's name, or the built-in name
   */
  public String source() {
    return source;
  }

  /**
   * Returns the line with the problem.
   *
   * @return the line, from 1; for an archive, the number of the entry; 0 for the whole record
   */
  public int line() {
    return line;
  }
}
