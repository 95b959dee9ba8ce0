package io.dra4j.netlink;

import java.nio.ByteBuffer;

/** Handles datagrams of protocols whose datagrams do not consist of messages. */
@FunctionalInterface
public interface DatagramHandler {

  /**
   * Handles a datagram.
   *
   * @param datagram the bytes from position to limit; valid until this method returns
   * @throws NetlinkException.Malformed if it breaks the rules of its protocol
   */
  void handle(ByteBuffer datagram) throws NetlinkException.Malformed;
}
