package io.dra4j.netlink;

/** Takes messages. */
@FunctionalInterface
public interface MessageHandler {

  /**
   * Takes a message.
   *
   * @param message valid until this method returns
   * @throws NetlinkException.Malformed if it breaks the rules of its family
   */
  void handle(Message message) throws NetlinkException.Malformed;
}
