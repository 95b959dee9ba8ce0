package io.dra4j.inventory;

import java.io.Serial;

/**
 * A node selector that Kubernetes cannot parse, so that nobody can tell which nodes it is about.
 * Without stack trace, because it tells of the input, not of the program.
 */
public final class NodeSelectorException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * A broken selector.
   *
   * @param message which object it is in, which field is wrong, and what is wrong with it
   */
  public NodeSelectorException(String message) {
    super(message, null, false, false);
  }
}
