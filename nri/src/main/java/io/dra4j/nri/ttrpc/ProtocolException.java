package io.dra4j.nri.ttrpc;

import java.io.IOException;
import java.io.Serial;

/** Thrown if the peer violates the protocol or a limit; the connection cannot continue. */
public final class ProtocolException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for operators. */
  public ProtocolException(String message) {
    super(message);
  }
}
