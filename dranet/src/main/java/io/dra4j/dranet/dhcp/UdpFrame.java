package io.dra4j.dranet.dhcp;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A UDP datagram over IPv4 in an Ethernet frame, which is the only way to communicate for a host
 * without an address.
 *
 * @param source the Ethernet address of the sender
 * @param destination the Ethernet address of the receiver
 * @param from the sender's IPv4 address
 * @param to the receiver's IPv4 address
 * @param sourcePort the sender's port
 * @param destinationPort the receiver's port
 * @param payload the payload, from position to limit
 */
record UdpFrame(
    HardwareAddress source,
    HardwareAddress destination,
    IpAddress from,
    IpAddress to,
    int sourcePort,
    int destinationPort,
    ByteBuffer payload) {

  static final HardwareAddress BROADCAST = HardwareAddress.parse("ff:ff:ff:ff:ff:ff");

  /** The size of the longest frame that is read: 1500 bytes and the Ethernet header. */
  static final int MAX_SIZE = 1514;

  private static final int ETHERNET = 14;
  private static final int IP = 20;
  private static final int UDP = 8;
  private static final int TYPE_IP = 0x0800;
  private static final int PROTOCOL_UDP = 17;
  private static final int FRAGMENT = 0x3fff; // more fragments, or an offset
  private static final int DO_NOT_FRAGMENT = 0x4000;
  private static final int TIME_TO_LIVE = 64;

  byte[] encode() {
    int udpLength = UDP + payload.remaining();
    ByteBuffer frame = ByteBuffer.allocate(ETHERNET + IP + udpLength);
    frame.put(destination.toBytes()).put(source.toBytes()).putShort((short) TYPE_IP);
    frame.put((byte) 0x45).put((byte) 0).putShort((short) (IP + udpLength));
    frame.putShort((short) 0).putShort((short) DO_NOT_FRAGMENT);
    frame.put((byte) TIME_TO_LIVE).put((byte) PROTOCOL_UDP).putShort((short) 0);
    frame.put(from.toBytes()).put(to.toBytes());
    frame.putShort(ETHERNET + 10, (short) ~sum(frame, ETHERNET, IP, 0));
    frame.putShort((short) sourcePort).putShort((short) destinationPort);
    frame.putShort((short) udpLength).putShort((short) 0).put(payload.duplicate());
    int checksum =
        ~sum(frame, ETHERNET + IP, udpLength, pseudoHeader(frame, ETHERNET, udpLength)) & 0xffff;
    frame.putShort(ETHERNET + IP + 6, (short) (checksum == 0 ? 0xffff : checksum)); // RFC 768
    return frame.array();
  }

  /**
   * {@return the datagram of a frame; empty if the frame does not contain a complete UDP datagram}
   *
   * @throws MalformedPacketException if lengths or checksums are wrong
   */
  static Optional<UdpFrame> decode(ByteBuffer bytes) throws MalformedPacketException {
    ByteBuffer frame = bytes.slice();
    if (frame.limit() < ETHERNET + IP || unsigned(frame, 12) != TYPE_IP) {
      return Optional.empty();
    }
    int headLength = (frame.get(ETHERNET) & 0xf) * 4;
    int total = unsigned(frame, ETHERNET + 2);
    if ((frame.get(ETHERNET) & 0xf0) != 0x40 || headLength < IP) {
      throw new MalformedPacketException("the header of the IP packet is not valid");
    }
    if (total < headLength + UDP || ETHERNET + total > frame.limit()) {
      throw new MalformedPacketException(
          "the length of the IP packet is %d bytes, but the frame has %d"
              .formatted(total, frame.limit() - ETHERNET));
    }
    if (sum(frame, ETHERNET, headLength, 0) != 0xffff) {
      throw new MalformedPacketException("wrong checksum of the IP packet");
    }
    if ((frame.get(ETHERNET + 9) & 0xff) != PROTOCOL_UDP
        || (unsigned(frame, ETHERNET + 6) & FRAGMENT) != 0) {
      return Optional.empty();
    }
    int udp = ETHERNET + headLength;
    int length = unsigned(frame, udp + 4);
    if (length < UDP || length > total - headLength) {
      throw new MalformedPacketException(
          "the length of the UDP datagram is %d bytes, but the IP packet has %d"
              .formatted(length, total - headLength));
    }
    checkDatagram(frame, udp, length);
    return Optional.of(
        new UdpFrame(
            HardwareAddress.of(part(frame, 6, 6)),
            HardwareAddress.of(part(frame, 0, 6)),
            IpAddress.of(part(frame, ETHERNET + 12, 4)),
            IpAddress.of(part(frame, ETHERNET + 16, 4)),
            unsigned(frame, udp),
            unsigned(frame, udp + 2),
            frame.slice(udp + UDP, length - UDP)));
  }

  /** Checks the checksum; local datagrams have only that of the pseudo header, by design. */
  private static void checkDatagram(ByteBuffer frame, int udp, int length)
      throws MalformedPacketException {
    int sent = unsigned(frame, udp + 6);
    int pseudo = pseudoHeader(frame, ETHERNET, length);
    if (sent != 0 && sent != pseudo && sum(frame, udp, length, pseudo) != 0xffff) {
      throw new MalformedPacketException("wrong checksum of the UDP datagram");
    }
  }

  private static int pseudoHeader(ByteBuffer frame, int ip, int udpLength) {
    return sum(frame, ip + 12, 8, PROTOCOL_UDP + udpLength);
  }

  /** Returns the sum of RFC 1071, not inverted. */
  private static int sum(ByteBuffer bytes, int from, int length, int start) {
    long sum = start;
    for (int i = 0; i < length; i++) {
      int one = bytes.get(from + i) & 0xff;
      sum += i % 2 == 0 ? one << 8 : one;
    }
    while (sum >> 16 != 0) {
      sum = (sum & 0xffff) + (sum >> 16);
    }
    return (int) sum;
  }

  private static int unsigned(ByteBuffer bytes, int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  private static byte[] part(ByteBuffer bytes, int from, int length) {
    byte[] part = new byte[length];
    bytes.get(from, part);
    return part;
  }
}
