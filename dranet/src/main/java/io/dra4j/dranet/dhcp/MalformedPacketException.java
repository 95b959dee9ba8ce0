package io.dra4j.dranet.dhcp;

import java.io.Serial;

/** A packet that is not what it claims to be; it is passed over. */
final class MalformedPacketException extends Exception {

  @Serial private static final long serialVersionUID = 1;

  MalformedPacketException(String message) {
    super(message);
  }
}
