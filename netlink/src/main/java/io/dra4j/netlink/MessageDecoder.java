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
   * Converts a message to an object.
   *
   * @param message the message, valid until this method returns
   * @return the object; null to leave the message out
   * @throws NetlinkException.Malformed if it breaks the rules of its family
   */
  @Nullable T decode(Message message) throws NetlinkException.Malformed;
}
