package io.dra4j.sysfs.overlay;

import java.io.Serial;

/**
 * Thrown if a recorded topology cannot be read. The message has the place and the problem, for
 * example {@code host.xml:3:7: is not well-formed XML: ...}.
 */
public final class OverlayException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception for a record.
   *
   * @param origin the source of the record, for example the name of a file
   * @param line the line in it, from 1; 0 for the whole record
   * @param problem the problem
   */
  public OverlayException(String origin, int line, String problem) {
    this(origin, line, 0, problem);
  }

  /**
   * Creates an exception for a record.
   *
   * @param origin the source of the record, for example the name of a file
   * @param line the line in it, from 1; 0 for the whole record
   * @param column the place in the line, from 1; 0 for the whole line
   * @param problem the problem
   */
  public OverlayException(String origin, int line, int column, String problem) {
    super(
        origin + (line > 0 ? ":" + line + (column > 0 ? ":" + column : "") : "") + ": " + problem);
  }
}
