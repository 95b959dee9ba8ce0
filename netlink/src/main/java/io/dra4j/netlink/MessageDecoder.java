package io.dra4j.netlink;

import org.jspecify.annotations.Nullable;

/**
 * Makes objects of messages.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface MessageDecoder<T> {

  /**
   * Makes an object.
   *
   * @param message valid until this method returns
   * @return the object; null to leave the message out
   * @throws NetlinkException.Malformed if it breaks the rules of its family
   */
  @Nullable T decode(Message message) throws NetlinkException.Malformed;
}
