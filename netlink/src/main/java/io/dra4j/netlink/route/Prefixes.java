package io.dra4j.netlink.route;

import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/** Prefixes whose address and length come from different places of a message. */
final class Prefixes {

  private Prefixes() {}

  static IpPrefix of(IpAddress address, int length) throws NetlinkException.Malformed {
    if (length > address.bits()) {
      throw new NetlinkException.Malformed(
          "a network of " + length + " bits of address " + address);
    }
    return new IpPrefix(address, length);
  }

  /** A missing address stands for everything. */
  static IpPrefix of(int family, @Nullable IpAddress address, int length)
      throws NetlinkException.Malformed {
    if (address != null) {
      return of(address, length);
    }
    return of(family == Family.INET6 ? IpAddress.ANY_V6 : IpAddress.ANY_V4, length);
  }
}
