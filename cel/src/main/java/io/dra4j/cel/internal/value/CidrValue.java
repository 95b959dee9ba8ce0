package io.dra4j.cel.internal.value;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.text.IpText;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses such as {@code 10.0.0.0/8} inside CEL, where its type is {@code net.CIDR}.
 */
@SuppressWarnings("Immutable") // InetAddress is immutable, but not annotated
public final class CidrValue extends OpaqueValue implements Comparable<CidrValue> {

  /** The type in CEL. */
  public static final OpaqueType TYPE = OpaqueType.create("net.CIDR");

  private final IpValue ip;
  private final int bits;

  private CidrValue(IpValue ip, int bits) {
    this.ip = ip;
    this.bits = bits;
  }

  /**
   * Reads an address, a slash and the length of the prefix; the address may have more bits.
   *
   * @throws CelInvalidArgumentException if it is none, or its address is one of IPv4 mapped to IPv6
   */
  public static CidrValue parse(String text) {
    IpText.Prefix prefix;
    try {
      prefix = IpText.prefix(text);
    } catch (IllegalArgumentException e) {
      throw refused("network address parse error during conversion from string: " + e.getMessage());
    }
    if (prefix.address().isMapped()) {
      throw refused("IPv4-mapped IPv6 address " + GoText.quote(text) + " is not allowed");
    }
    return new CidrValue(IpValue.of(prefix.address().bytes()), prefix.bits());
  }

  private static CelInvalidArgumentException refused(String problem) {
    return new CelInvalidArgumentException(
        "network address parse error during conversion from string: " + problem);
  }

  /** Returns the address as it was written, not masked. */
  public IpValue ip() {
    return ip;
  }

  /** Returns the length of the prefix in bits. */
  public int bits() {
    return bits;
  }

  /** Returns whether an address is in the range. */
  public boolean contains(IpValue other) {
    byte[] bytes = other.address().getAddress();
    return bytes.length == ip.address().getAddress().length
        && IpValue.of(masked(bytes)).equals(masked().ip);
  }

  /** Returns whether another range is in this one. */
  public boolean contains(CidrValue other) {
    return bits <= other.bits && contains(other.ip);
  }

  /** Returns the range with an address of zeros behind the prefix. */
  public CidrValue masked() {
    return new CidrValue(IpValue.of(masked(ip.address().getAddress())), bits);
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

  /** {@inheritDoc} By addresses and lengths: keys may have been made to have one hash. */
  @Override
  public int compareTo(CidrValue other) {
    int order = ip.compareTo(other.ip);
    return order != 0 ? order : Integer.compare(bits, other.bits);
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
}
