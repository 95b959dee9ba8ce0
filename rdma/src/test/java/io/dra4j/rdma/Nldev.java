package io.dra4j.rdma;

import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.RecordedTransport;
import io.dra4j.netlink.rdma.RdmaNetlink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Conversations of RDMA netlink that no kernel here can hold. */
final class Nldev {

  static final int GET = 0x1401;
  static final int PORT_GET = 0x1405;
  static final int SYS_GET = 0x1406;
  static final int SYS_SET = 0x1407;
  static final int CHARDEV_GET = 0x140f;

  private static final int REQUEST = 1;
  private static final int DUMP = 0x300;
  private static final int MULTI = 2;
  private static final int ERROR = 2;
  private static final int DONE = 3;
  private static final int CAPPED = 0x100;

  private final StringBuilder text = new StringBuilder();

  /** A request for a list. */
  Nldev lists(int type, byte[]... attributes) {
    return line('>', type, REQUEST | DUMP, attributes);
  }

  /** A request for one thing. */
  Nldev asks(int type, byte[]... attributes) {
    return line('>', type, REQUEST, attributes);
  }

  /** One of several answers. */
  Nldev told(int type, byte[]... attributes) {
    return line('<', type, MULTI, attributes);
  }

  /** The only answer. */
  Nldev answered(int type, byte[]... attributes) {
    return line('<', type, 0, attributes);
  }

  Nldev done() {
    return line('<', DONE, MULTI, u32(0));
  }

  /** A refusal, by its positive number; 0 is no refusal. */
  Nldev refused(int errno) {
    return line('<', ERROR, CAPPED, u32(-errno), new byte[16]);
  }

  /** A list of one device, and of its one port. */
  Nldev device(byte[][] device, byte[]... port) {
    return lists(GET)
        .told(GET, device)
        .done()
        .lists(PORT_GET, index(3))
        .told(PORT_GET, port)
        .done();
  }

  RdmaNetlink play() {
    return RdmaNetlink.over(NetlinkSocket.over(RecordedTransport.parse(text.toString())));
  }

  static byte[] index(int value) {
    return attribute(1, u32(value));
  }

  static byte[] name(String value) {
    return attribute(2, text(value));
  }

  static byte[] port(int value) {
    return attribute(3, u32(value));
  }

  static byte[] attribute(int type, byte[] value) {
    byte[] attribute = new byte[(value.length + 7) / 4 * 4];
    buffer(attribute).putShort((short) (value.length + 4)).putShort((short) type).put(value);
    return attribute;
  }

  static byte[] u8(int value) {
    return new byte[] {(byte) value};
  }

  static byte[] u32(int value) {
    byte[] bytes = new byte[4];
    buffer(bytes).putInt(value);
    return bytes;
  }

  static byte[] u64(long value) {
    byte[] bytes = new byte[8];
    buffer(bytes).putLong(value);
    return bytes;
  }

  static byte[] text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  private Nldev line(char direction, int type, int flags, byte[]... parts) {
    int length = 16;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] bytes = new byte[length];
    ByteBuffer message = buffer(bytes);
    message.putInt(length).putShort((short) type).putShort((short) flags).putInt(1).putInt(77);
    for (byte[] part : parts) {
      message.put(part);
    }
    text.append(direction).append(' ').append(HexFormat.of().formatHex(bytes)).append('\n');
    return this;
  }
}
