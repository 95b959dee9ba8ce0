package io.dra4j.dranet.dhcp;

import java.io.Serial;

/** Signals a malformed packet, which the client ignores. */
final class MalformedPacketException extends Exception {

  @Serial private static final long serialVersionUID = 1;

  MalformedPacketException(String message) {
    super(message);
  }
}
