package io.dra4j.manifest;

/**
 * A place in a text.
 *
 * @param line the line, from 1; 0 if the place is not known
 * @param column the column in the line, from 1, in code points of Unicode; 0 if the place is not
 *     known
 */
public record SourcePosition(int line, int column) {

  /** An unknown place. */
  public static final SourcePosition UNKNOWN = new SourcePosition(0, 0);

  /** {@return whether the place is known, so that it has a line} */
  public boolean isKnown() {
    return line > 0;
  }
}
