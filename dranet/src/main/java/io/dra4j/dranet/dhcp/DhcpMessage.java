package io.dra4j.dranet.dhcp;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A DHCP message for IPv4 (RFC 2131, 2).
 *
 * @param reply whether it is from a server
 * @param transaction the random number of the client, the same in all messages of an exchange
 *     ({@code xid})
 * @param seconds the time since the client began, in seconds
 * @param client the Ethernet address of the client ({@code chaddr})
 * @param clientAddress the current address of the client ({@code ciaddr})
 * @param yourAddress the address for the client ({@code yiaddr})
 * @param options the options of RFC 2132 by number; the parts of a split option are joined
 */
record DhcpMessage(
    boolean reply,
    int transaction,
    int seconds,
    HardwareAddress client,
    IpAddress clientAddress,
    IpAddress yourAddress,
    Map<Integer, byte[]> options) {

  static final int DISCOVER = 1;
  static final int OFFER = 2;
  static final int REQUEST = 3;
  static final int ACK = 5;
  static final int NAK = 6;
  static final int RELEASE = 7;

  static final int SUBNET_MASK = 1;
  static final int ROUTERS = 3;
  static final int REQUESTED_ADDRESS = 50;
  static final int LEASE_TIME = 51;
  static final int MESSAGE_TYPE = 53;
  static final int SERVER = 54;
  static final int WANTED_OPTIONS = 55;
  static final int REASON = 56;
  static final int CLIENT_ID = 61;
  static final int CLASSLESS_ROUTES = 121;

  private static final int OVERLOAD = 52;
  private static final int PAD = 0;
  private static final int END = 255;

  private static final int HEAD = 240;
  private static final int LEAST = 300; // RFC 1542, 2.1: relays may require it
  private static final int COOKIE = 0x63825363;
  private static final int ETHERNET = 1;
  private static final int SERVER_NAME_AT = 44;
  private static final int FILE_AT = 108;
  private static final int COOKIE_AT = 236;

  DhcpMessage {
    options = Collections.unmodifiableMap(new TreeMap<>(options));
  }

  /** Returns the message type, such as {@link #OFFER}. */
  int type() throws MalformedPacketException {
    byte[] type = options.get(MESSAGE_TYPE);
    if (type == null || type.length != 1) {
      throw new MalformedPacketException("not a DHCP message: it has no type (option 53)");
    }
    return type[0] & 0xff;
  }

  Optional<IpAddress> address(int option) throws MalformedPacketException {
    byte[] value = sized(option, 4);
    return value == null ? Optional.empty() : Optional.of(IpAddress.of(value));
  }

  Optional<Long> number(int option) throws MalformedPacketException {
    byte[] value = sized(option, 4);
    return value == null
        ? Optional.empty()
        : Optional.of(Integer.toUnsignedLong(ByteBuffer.wrap(value).getInt()));
  }

  private byte @Nullable [] sized(int option, int size) throws MalformedPacketException {
    byte[] value = options.get(option);
    if (value != null && value.length != size) {
      throw new MalformedPacketException(
          "option %d has %d bytes, expected %d".formatted(option, value.length, size));
    }
    return value;
  }

  byte[] encode() {
    ByteArrayOutputStream tail = new ByteArrayOutputStream();
    options.forEach(
        (option, value) -> {
          for (int at = 0; at < value.length || at == 0; at += 255) { // RFC 3396
            int length = Math.min(255, value.length - at);
            tail.write(option);
            tail.write(length);
            tail.write(value, at, length);
          }
        });
    tail.write(END);
    ByteBuffer message = ByteBuffer.allocate(Math.max(LEAST, HEAD + tail.size()));
    message.put((byte) (reply ? 2 : 1)).put((byte) ETHERNET).put((byte) 6).put((byte) 0);
    message.putInt(transaction).putShort((short) Math.min(seconds, 0xffff)).putShort((short) 0);
    message.put(clientAddress.toBytes()).put(yourAddress.toBytes());
    message.position(28);
    message.put(client.toBytes());
    message.position(COOKIE_AT);
    message.putInt(COOKIE).put(tail.toByteArray());
    return message.array();
  }

  /**
   * Reads a message.
   *
   * @throws MalformedPacketException if truncated, of another network type, or its options overflow
   */
  static DhcpMessage decode(ByteBuffer bytes) throws MalformedPacketException {
    ByteBuffer message = bytes.slice();
    if (message.limit() < HEAD || message.getInt(COOKIE_AT) != COOKIE) {
      throw new MalformedPacketException(
          "not a DHCP message: it is truncated or has no magic cookie");
    }
    int operation = message.get(0);
    if (operation != 1 && operation != 2) {
      throw new MalformedPacketException("not a DHCP message: operation " + operation);
    }
    if (message.get(1) != ETHERNET || message.get(2) != 6) {
      throw new MalformedPacketException("a DHCP message of another type of network");
    }
    Map<Integer, ByteArrayOutputStream> found = new TreeMap<>();
    collect(message.slice(HEAD, message.limit() - HEAD), found);
    ByteArrayOutputStream overload = found.get(OVERLOAD);
    if (overload != null) {
      byte[] value = overload.toByteArray();
      int which = value.length == 1 ? value[0] : 0;
      if (which < 1 || which > 3) {
        throw new MalformedPacketException("option 52 (overload): expected 1, 2 or 3");
      }
      if ((which & 1) != 0) {
        collect(message.slice(FILE_AT, COOKIE_AT - FILE_AT), found);
      }
      if ((which & 2) != 0) {
        collect(message.slice(SERVER_NAME_AT, FILE_AT - SERVER_NAME_AT), found);
      }
    }
    Map<Integer, byte[]> options = new TreeMap<>();
    found.forEach((option, value) -> options.put(option, value.toByteArray()));
    return new DhcpMessage(
        operation == 2,
        message.getInt(4),
        Short.toUnsignedInt(message.getShort(8)),
        HardwareAddress.of(part(message, 28, 6)),
        IpAddress.of(part(message, 12, 4)),
        IpAddress.of(part(message, 16, 4)),
        options);
  }

  private static void collect(ByteBuffer area, Map<Integer, ByteArrayOutputStream> options)
      throws MalformedPacketException {
    while (area.hasRemaining()) {
      int option = area.get() & 0xff;
      if (option == PAD) {
        continue;
      }
      if (option == END) {
        return;
      }
      int length = area.hasRemaining() ? area.get() & 0xff : -1;
      if (length < 0 || length > area.remaining()) {
        throw new MalformedPacketException(
            "option %d is truncated: only %d bytes are left".formatted(option, area.remaining()));
      }
      byte[] value = new byte[length];
      area.get(value);
      options.computeIfAbsent(option, key -> new ByteArrayOutputStream()).writeBytes(value);
    }
  }

  private static byte[] part(ByteBuffer bytes, int from, int length) {
    byte[] part = new byte[length];
    bytes.get(from, part);
    return part;
  }
}
