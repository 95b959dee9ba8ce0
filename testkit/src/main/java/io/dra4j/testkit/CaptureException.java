package io.dra4j.testkit;

import java.io.IOException;
import java.io.Serial;

/** Thrown if a record of a host violates the format, leaves its root or is too large. */
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

  /** {@return the source of the record: the file's name, or the built-in name} */
  public String source() {
    return source;
  }

  /** {@return the line at fault, from 1; an archive's entry number; 0 for the whole record} */
  public int line() {
    return line;
  }
}
