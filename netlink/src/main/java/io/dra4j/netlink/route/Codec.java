package io.dra4j.netlink.route;

import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/**
 * How the objects of a kind are messages, where the kernel says two things or takes others than it
 * reports.
 */
interface Codec<T extends RouteObject> extends MessageDecoder<T> {

  /** {@return the object; null if the message is about something else, such as another family} */
  @Override
  @Nullable T decode(Message message) throws NetlinkException.Malformed;

  /** {@return what the kernel needs to add an object} */
  Payload encode(T object);

  /** {@return what the kernel needs to find the object to delete} */
  default Payload encodeDeleted(T object) {
    return encode(object);
  }
}
