package io.dra4j.nri.ttrpc;

import java.io.IOException;
import java.io.Serial;

/** The peer broke the protocol, or a limit; the connection cannot go on. */
public final class ProtocolException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for operators. */
  public ProtocolException(String message) {
    super(message);
  }
}
