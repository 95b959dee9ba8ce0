package io.dra4j.inventory;

import java.io.Serial;

/**
 * A node selector that Kubernetes cannot parse, so that it is unknown which nodes it is about.
 * Without stack trace, because it reports the input, not the program.
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
