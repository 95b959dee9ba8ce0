package io.dra4j.cel.internal.value;

import com.google.common.net.InetAddresses;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.text.IpText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An IPv4 or IPv6 address inside CEL, where its type is {@code net.IP}. */
@SuppressWarnings("Immutable") // InetAddress is immutable, but not annotated
public final class IpValue extends OpaqueValue implements Comparable<IpValue> {

  /** The type in CEL. */
  public static final OpaqueType TYPE = OpaqueType.create("net.IP");

  private final InetAddress address;

  private IpValue(InetAddress address) {
    this.address = address;
  }

  /**
   * Reads an address.
   *
   * @throws CelInvalidArgumentException if it is none, has a zone, or is one of IPv4 mapped to IPv6
   */
  public static IpValue parse(String text) {
    IpText.Address address = read(text);
    if (address.isMapped()) {
      throw new CelInvalidArgumentException(
          "IPv4-mapped IPv6 address " + GoText.quote(text) + " is not allowed");
    }
    return of(address.bytes());
  }

  /**
   * Reads an address; one of IPv4 mapped to IPv6 is that of IPv4, but may not be written half in
   * either form.
   *
   * @throws CelInvalidArgumentException if it is none or has a zone
   */
  public static IpValue parseMapped(String text) {
    IpText.Address address = read(text);
    if (text.indexOf(':') >= 0 && text.indexOf('.') >= 0) {
      throw new CelInvalidArgumentException(
          "IPv4-mapped IPv6 address " + GoText.quote(text) + " is not allowed");
    }
    return of(address.bytes());
  }

  private static IpText.Address read(String text) {
    IpText.Address address;
    try {
      address = IpText.address(text);
    } catch (IllegalArgumentException e) {
      throw new CelInvalidArgumentException(
          "IP Address "
              + GoText.quote(text)
              + " parse error during conversion from string: "
              + e.getMessage());
    }
    if (!address.zone().isEmpty()) {
      throw new CelInvalidArgumentException(
          "IP address " + GoText.quote(text) + " with zone value is not allowed");
    }
    return address;
  }

  /** Returns the address of 4 or 16 bytes. */
  public static IpValue of(byte[] bytes) {
    try {
      return new IpValue(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e); // cannot be: the length is right
    }
  }

  /** Returns the address. */
  public InetAddress address() {
    return address;
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
    return other instanceof IpValue value && address.equals(value.address);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }

  /** {@inheritDoc} By their bytes: keys of a map may have been made to have one hash. */
  @Override
  public int compareTo(IpValue other) {
    return Arrays.compareUnsigned(address.getAddress(), other.address.getAddress());
  }

  /** Writes the canonical form (RFC 5952 for IPv6). */
  @Override
  public String toString() {
    return InetAddresses.toAddrString(address);
  }
}
