package io.dra4j.manifest;

/**
 * A place in a text.
 *
 * @param line the line, from 1; 0 where the place is not known
 * @param column the column in the line, from 1, in code points of Unicode; 0 where the place is not
 *     known
 */
public record SourcePosition(int line, int column) {

  /** The place of an object that has none, or whose place is unknown. */
  public static final SourcePosition UNKNOWN = new SourcePosition(0, 0);

  /**
   * Returns whether the place is known.
   *
   * @return whether it has a line
   */
  public boolean isKnown() {
    return line > 0;
  }
}
