package io.dra4j.netlink;

import java.nio.ByteBuffer;

/** Takes datagrams of protocols whose datagrams do not consist of messages. */
@FunctionalInterface
public interface DatagramHandler {

  /**
   * Takes a datagram.
   *
   * @param datagram from position to limit; valid until this method returns
   * @throws NetlinkException.Malformed if it breaks the rules of its protocol
   */
  void handle(ByteBuffer datagram) throws NetlinkException.Malformed;
}
