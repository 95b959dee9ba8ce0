package io.dra4j.model;

import java.io.Serial;

/**
 * A selector expression that cannot be compiled, or not be evaluated on a device. Checked, because
 * whoever runs other people's expressions must say what becomes of broken ones; without stack
 * trace, because it tells of the expression, not of the program.
 */
public final class SelectorException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * A failed expression.
   *
   * @param message what is wrong with the expression, for its author
   */
  public SelectorException(String message) {
    super(message, null, false, false);
  }
}
