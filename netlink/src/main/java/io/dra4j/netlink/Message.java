package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A message from the kernel, as a view of the receive buffer: valid until the method that it was
 * passed to returns. Offsets are relative to the beginning of the payload. Not thread-safe.
 *
 * <pre>{@code
 * AttributeReader reader = message.attributes(16); // behind struct ifinfomsg
 * while (reader.next()) {
 *   if (reader.type() == 3) { // IFLA_IFNAME
 *     System.out.println(message.u32(4) + " is " + reader.string());
 *   }
 * }
 * }</pre>
 */
public final class Message {

  private static final int HEADER = 16;

  private final AttributeReader attributes = new AttributeReader();
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private int next;
  private int payload;
  private int end;
  private int type;
  private int flags;

  Message() {}

  /**
   * {@return a message from a stored payload, for a {@link MessageDecoder}}
   *
   * @param type the type of the message
   * @param payload the bytes after the header, which must not change while the message is in use
   */
  public static Message of(int type, byte[] payload) {
    Message message = new Message();
    message.buffer = ByteBuffer.wrap(payload).order(ByteOrder.nativeOrder());
    message.type = type;
    message.end = payload.length;
    message.next = payload.length;
    return message;
  }

  /** Starts to read a datagram from its beginning to its limit. */
  void reset(ByteBuffer datagram) {
    buffer = datagram.order(ByteOrder.nativeOrder());
    next = 0;
    end = 0;
    payload = 0;
  }

  /** Goes to the next message of the datagram, if there is one. */
  boolean next() throws NetlinkException.Malformed {
    int at = next;
    int rest = buffer.limit() - at;
    if (rest <= 0) {
      return false;
    }
    if (rest < HEADER) {
      throw new NetlinkException.Malformed(
          rest + " bytes left at byte " + at + " of a datagram, a message header has " + HEADER);
    }
    int length = buffer.getInt(at);
    if (length < HEADER || length > rest) {
      throw new NetlinkException.Malformed(
          "message at byte "
              + at
              + " of a datagram is "
              + Integer.toUnsignedString(length)
              + " bytes long, expected "
              + HEADER
              + " to "
              + rest);
    }
    type = Short.toUnsignedInt(buffer.getShort(at + 4));
    flags = Short.toUnsignedInt(buffer.getShort(at + 6));
    payload = at + HEADER;
    end = at + length;
    next = at + ((length + 3) & ~3);
    return true;
  }

  /** {@return the type ({@code nlmsg_type}) in its family, for example 16, {@code RTM_NEWLINK}} */
  public int type() {
    return type;
  }

  /** {@return the flags of the message ({@code nlmsg_flags}): the bits of {@link MessageFlags}} */
  public int flags() {
    return flags;
  }

  int sequence() {
    return buffer.getInt(payload - 8);
  }

  int port() {
    return buffer.getInt(payload - 4);
  }

  /** {@return the length of the payload in bytes} */
  public int length() {
    return end - payload;
  }

  private int at(int offset, int size) throws NetlinkException.Malformed {
    if (offset < 0 || offset > end - payload - size) {
      throw new NetlinkException.Malformed(
          "message of type "
              + type
              + " has "
              + length()
              + " bytes of payload, expected at least "
              + (offset + size));
    }
    return payload + offset;
  }

  /**
   * {@return an unsigned 8-bit field}
   *
   * @param offset the offset of the field
   * @throws NetlinkException.Malformed if the message ends before
   */
  public int u8(int offset) throws NetlinkException.Malformed {
    return Byte.toUnsignedInt(buffer.get(at(offset, 1)));
  }

  /**
   * {@return an unsigned 16-bit field}
   *
   * @param offset the offset of the field
   * @throws NetlinkException.Malformed if the message ends before
   */
  public int u16(int offset) throws NetlinkException.Malformed {
    return Short.toUnsignedInt(buffer.getShort(at(offset, 2)));
  }

  /**
   * {@return a 32-bit field}
   *
   * @param offset the offset of the field
   * @throws NetlinkException.Malformed if the message ends before
   */
  public int u32(int offset) throws NetlinkException.Malformed {
    return buffer.getInt(at(offset, 4));
  }

  /**
   * {@return a part of the payload, such as the fixed header of a family, in a new array}
   *
   * @param offset the offset of the part
   * @param size the number of bytes
   * @throws NetlinkException.Malformed if the message ends before
   */
  public byte[] bytes(int offset, int size) throws NetlinkException.Malformed {
    byte[] bytes = new byte[size];
    buffer.get(at(offset, size), bytes);
    return bytes;
  }

  /**
   * {@return a reader before the first attribute of the message; the same object each time}
   *
   * @param headerLength the length of the fixed header of the family, which comes before
   * @throws NetlinkException.Malformed if the message ends before
   */
  public AttributeReader attributes(int headerLength) throws NetlinkException.Malformed {
    int from = at(headerLength, 0);
    attributes.reset(buffer, Math.min(end, (from + 3) & ~3), end);
    return attributes;
  }
}
