package io.dra4j.netlink.route;

import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects of a kind to and from messages, for kinds where the kernel reports facts in two
 * places or accepts other values than it reports.
 */
interface Codec<T extends RouteObject> extends MessageDecoder<T> {

  /** {@return the object; null if the message is about something else, such as another family} */
  @Override
  @Nullable T decode(Message message) throws NetlinkException.Malformed;

  /** {@return the message that adds an object} */
  Payload encode(T object);

  /** {@return the message that identifies an object to delete} */
  default Payload encodeDeleted(T object) {
    return encode(object);
  }
}
