package io.dra4j.netlink.route;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A hardware address: 6 bytes on Ethernet, 20 on IP over InfiniBand, 4 or 16 on tunnels, at most 32
 * ({@code MAX_ADDR_LEN}). Immutable.
 *
 * <pre>{@code
 * LinkSettings settings = LinkSettings.none().address(HardwareAddress.parse("52:54:00:0d:a0:00"));
 * }</pre>
 */
public final class HardwareAddress {

  /** The address of links without one. */
  public static final HardwareAddress NONE = new HardwareAddress(new byte[0]);

  static final int MAX_LENGTH = 32; // MAX_ADDR_LEN of linux/netdevice.h
  private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

  private final byte[] bytes;

  private HardwareAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * {@return an address from its bytes}
   *
   * @param bytes at most 32 bytes, in the order of the text form
   * @throws IllegalArgumentException if there are more
   */
  public static HardwareAddress of(byte[] bytes) {
    if (bytes.length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a hardware address of " + bytes.length + " bytes, at most " + MAX_LENGTH);
    }
    return bytes.length == 0 ? NONE : new HardwareAddress(bytes.clone());
  }

  /** Creates an address of up to 8 bytes from a number, with the last byte lowest. */
  static HardwareAddress of(long value, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (value >> (8 * (length - 1 - i)));
    }
    return length == 0 ? NONE : new HardwareAddress(bytes);
  }

  /**
   * {@return an address from text, as Linux writes it}
   *
   * @param text bytes as two hexadecimal digits with colons, as {@code 52:54:00:0d:a0:00}
   * @throws IllegalArgumentException if the text has another form
   */
  public static HardwareAddress parse(String text) {
    try {
      return of(COLONS.parseHex(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a hardware address: '" + text + "'", e);
    }
  }

  /** {@return whether there is no address, that is, it has no bytes} */
  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /** {@return the length of the address in bytes} */
  public int length() {
    return bytes.length;
  }

  /** {@return the bytes of the address, in the order of the text form} */
  public byte[] toBytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HardwareAddress address && Arrays.equals(bytes, address.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the address as Linux writes it: lower case, with colons; empty if there is none. */
  @Override
  public String toString() {
    return COLONS.formatHex(bytes);
  }
}
