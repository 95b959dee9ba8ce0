package io.dra4j.testkit;

import java.io.IOException;
import java.io.Serial;

/**
 * A record of a host that cannot be read: it breaks the format, leaves its root or is too large.
 */
public final class CaptureException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  /** Where the record came from. */
  private final String source;

  /** The line, from 1; or 0. */
  private final int line;

  CaptureException(String source, int line, String message) {
    super(source + (line > 0 ? ":" + line : "") + ": " + message);
    this.source = source;
    this.line = line;
  }

  /** An entry that {@link HostEntries} refused. */
  CaptureException(String source, int line, IllegalArgumentException refused) {
    this(source, line, String.valueOf(refused.getMessage()));
    initCause(refused);
  }

  /**
   * Where the record came from.
   *
   * @return the file's name, or the built-in name
   */
  public String source() {
    return source;
  }

  /**
   * The line that is wrong.
   *
   * @return counted from 1; for an archive the number of the entry; 0 when it is the record as a
   *     whole
   */
  public int line() {
    return line;
  }
}
