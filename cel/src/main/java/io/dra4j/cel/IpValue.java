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
    if (text.indexOf('%') >= 0 || !InetAddresses.isInetAddress(text)) {
      return Optional.empty();
    }
    InetAddress address = InetAddresses.forString(text);
    return text.indexOf(':') >= 0 && address instanceof Inet4Address
        ? Optional.empty()
        : Optional.of(new IpValue(address));
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
