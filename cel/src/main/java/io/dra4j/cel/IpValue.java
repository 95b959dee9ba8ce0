package io.dra4j.cel;

import com.google.common.net.InetAddresses;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An IPv4 or IPv6 address inside CEL, where its type is {@code net.IP}. */
@SuppressWarnings("Immutable") // InetAddress is immutable, but not annotated
final class IpValue extends OpaqueValue {

  static final OpaqueType TYPE = OpaqueType.create("net.IP");

  private final InetAddress address;

  IpValue(InetAddress address) {
    this.address = address;
  }

  /** Reads an address without zone; IPv4 addresses mapped to IPv6 are refused. */
  static Optional<IpValue> parse(String text) {
    return read(text).filter(ip -> text.indexOf(':') < 0 || !(ip.address instanceof Inet4Address));
  }

  /**
   * Reads an address without zone; an IPv4 address mapped to IPv6 is the IPv4 address, but may not
   * be written half in either form.
   */
  static Optional<IpValue> parseMapped(String text) {
    return read(text).filter(ip -> text.indexOf(':') < 0 || text.indexOf('.') < 0);
  }

  private static Optional<IpValue> read(String text) {
    return text.indexOf('%') < 0 && InetAddresses.isInetAddress(text)
        ? Optional.of(new IpValue(InetAddresses.forString(text)))
        : Optional.empty();
  }

  InetAddress address() {
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

  /** Writes the canonical form (RFC 5952 for IPv6). */
  @Override
  public String toString() {
    return InetAddresses.toAddrString(address);
  }
}
