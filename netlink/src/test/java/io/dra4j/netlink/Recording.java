package io.dra4j.netlink;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes recordings of conversations that no kernel here can hold, attribute by attribute. */
public final class Recording {

  private static final int SEQUENCE = 1;
  private static final int PORT = 77;

  private final StringBuilder text = new StringBuilder();

  /** Nothing has been said. */
  public Recording() {}

  /** A request; flags without {@link MessageFlags#REQUEST}. */
  public Recording sent(int type, int flags, byte[]... parts) {
    return line('>', type, flags | MessageFlags.REQUEST, parts);
  }

  /** A reply. */
  public Recording received(int type, int flags, byte[]... parts) {
    return line('<', type, flags, parts);
  }

  /** The end of a dump. */
  public Recording done() {
    return line('<', MessageFlags.DONE, MessageFlags.MULTI, u32(0));
  }

  /** An answer with an error number, positive; 0 acknowledges. */
  public Recording answered(int errno) {
    return line('<', MessageFlags.ERROR, MessageFlags.CAPPED, u32(-errno), new byte[16]);
  }

  /** Messages that were lost: ENOBUFS. */
  public Recording lost() {
    text.append("! 105\n");
    return this;
  }

  /** Nothing more for now: ETIMEDOUT. */
  public Recording quiet() {
    text.append("! 110\n");
    return this;
  }

  private Recording line(char direction, int type, int flags, byte[]... parts) {
    byte[] payload = concat(parts);
    byte[] message =
        concat(u32(16 + payload.length), u16(type), u16(flags), u32(SEQUENCE), u32(PORT), payload);
    text.append(direction).append(' ').append(RecordedTransport.hex(message)).append('\n');
    return this;
  }

  /** Plays it. */
  public RecordedTransport play() {
    return RecordedTransport.parse(text.toString());
  }

  /** An attribute of other things. */
  public static byte[] attribute(int type, byte[]... parts) {
    byte[] value = concat(parts);
    return concat(u16(4 + value.length), u16(type), value, new byte[(4 - value.length % 4) % 4]);
  }

  /** A nested attribute, as this library writes it. */
  public static byte[] nest(int type, byte[]... parts) {
    return attribute(type | 0x8000, parts);
  }

  /** Text with the zero byte that ends it. */
  public static byte[] text(String value) {
    return (value + "\0").getBytes(StandardCharsets.UTF_8);
  }

  /** One byte. */
  public static byte[] u8(int value) {
    return new byte[] {(byte) value};
  }

  /** Two bytes, the lower first. */
  public static byte[] u16(int value) {
    return new byte[] {(byte) value, (byte) (value >> 8)};
  }

  /** Four bytes, the lowest first. */
  public static byte[] u32(int value) {
    return concat(u16(value), u16(value >> 16));
  }

  /** Eight bytes, the lowest first. */
  public static byte[] u64(long value) {
    return concat(u32((int) value), u32((int) (value >> 32)));
  }

  /** Bytes one after the other. */
  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
