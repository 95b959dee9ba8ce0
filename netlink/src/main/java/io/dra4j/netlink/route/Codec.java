package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/** How the objects of a kind are messages. */
interface Codec<T> {

  /** {@return the attributes of its messages} */
  AttributeTable table();

  /** {@return the object; null if the message is about something else, such as another family} */
  @Nullable T decode(Message message) throws NetlinkException.Malformed;

  /** Writes what the kernel needs to add an object, or to find the one to delete. */
  void encode(T object, MessageWriter request, boolean deleting);
}
