package io.dra4j.inventory;

import java.io.Serial;

/**
 * A node selector that Kubernetes cannot parse, so that it is unknown which nodes it selects. Has
 * no stack trace, because it reports an error of the input, not of the program.
 */
public final class NodeSelectorException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message the object, the field, and the problem
   */
  public NodeSelectorException(String message) {
    super(message, null, false, false);
  }
}
