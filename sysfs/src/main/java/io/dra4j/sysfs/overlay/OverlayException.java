package io.dra4j.sysfs.overlay;

import java.io.Serial;

/**
 * A recorded topology that cannot be read as a whole. The message says where and what is wrong, for
 * example {@code host.xml:3:7: is no well-formed XML: ...}.
 */
public final class OverlayException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * A record that cannot be read.
   *
   * @param origin where it was read, for example the name of a file
   * @param line the line in it, from 1; 0 for the whole record
   * @param problem what is wrong
   */
  public OverlayException(String origin, int line, String problem) {
    this(origin, line, 0, problem);
  }

  /**
   * A record that cannot be read.
   *
   * @param origin where it was read, for example the name of a file
   * @param line the line in it, from 1; 0 for the whole record
   * @param column the place in the line, from 1; 0 for the whole line
   * @param problem what is wrong
   */
  public OverlayException(String origin, int line, int column, String problem) {
    super(
        origin + (line > 0 ? ":" + line + (column > 0 ? ":" + column : "") : "") + ": " + problem);
  }
}
