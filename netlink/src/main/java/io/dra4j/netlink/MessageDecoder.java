package io.dra4j.netlink;

import org.jspecify.annotations.Nullable;

/**
 * Converts messages to objects.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface MessageDecoder<T> {

  /**
   * {@return an object for the message; null to leave the message out}
   *
   * @param message the message, valid until this method returns
   * @throws NetlinkException.Malformed if it breaks the rules of its family
   */
  @Nullable T decode(Message message) throws NetlinkException.Malformed;
}
