package io.dra4j.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses such as {@code 10.0.0.0/8} inside CEL, where its type is {@code net.CIDR}.
 */
@SuppressWarnings("Immutable") // InetAddress is immutable, but not annotated
final class CidrValue extends OpaqueValue {

  static final OpaqueType TYPE = OpaqueType.create("net.CIDR");

  private final IpValue ip;
  private final int bits;

  private CidrValue(IpValue ip, int bits) {
    this.ip = ip;
    this.bits = bits;
  }

  /** Reads an address, a slash and the length of the prefix; the address may have more bits. */
  static Optional<CidrValue> parse(String text) {
    int slash = text.lastIndexOf('/');
    String length = text.substring(slash + 1);
    if (slash < 0 || !length.matches("0|[1-9][0-9]{0,2}")) {
      return Optional.empty();
    }
    int bits = Integer.parseInt(length);
    return IpValue.parse(text.substring(0, slash))
        .filter(ip -> bits <= 8 * ip.address().getAddress().length)
        .map(ip -> new CidrValue(ip, bits));
  }

  IpValue ip() {
    return ip;
  }

  int bits() {
    return bits;
  }

  boolean contains(IpValue other) {
    byte[] bytes = other.address().getAddress();
    return bytes.length == ip.address().getAddress().length
        && toAddress(masked(bytes)).equals(masked().ip.address());
  }

  boolean contains(CidrValue other) {
    return bits <= other.bits && contains(other.ip);
  }

  CidrValue masked() {
    return new CidrValue(new IpValue(toAddress(masked(ip.address().getAddress()))), bits);
  }

  @Override
  public OpaqueType celType() {
    return TYPE;
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CidrValue value && ip.equals(value.ip) && bits == value.bits;
  }

  @Override
  public int hashCode() {
    return 31 * ip.hashCode() + bits;
  }

  @Override
  public String toString() {
    return ip + "/" + bits;
  }

  private byte[] masked(byte[] address) {
    for (int i = 0; i < address.length; i++) {
      int kept = Math.min(8, Math.max(0, bits - 8 * i));
      address[i] &= (byte) (0xff << (8 - kept));
    }
    return address;
  }

  private static InetAddress toAddress(byte[] address) {
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e); // cannot be: the length is right
    }
  }
}
