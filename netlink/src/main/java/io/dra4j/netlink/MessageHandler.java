package io.dra4j.netlink;

/** Handles messages. */
@FunctionalInterface
public interface MessageHandler {

  /**
   * Handles a message.
   *
   * @param message the message, valid until this method returns
   * @throws NetlinkException.Malformed if it breaks the rules of its family
   */
  void handle(Message message) throws NetlinkException.Malformed;
}
