package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import java.util.Arrays;

/**
 * Parses addresses and networks in their usual forms. Refuses IPv4-mapped IPv6 addresses (RFC 4291,
 * 2.5.5.2): the kernel treats them as IPv6, but their author means IPv4.
 */
final class IpText {

  private static final int MAPPED_BYTES = 12;

  private IpText() {}

  static IpAddress address(String text) {
    return plain(IpAddress.parse(text));
  }

  static IpPrefix prefix(String text) {
    IpPrefix prefix = IpPrefix.parse(text);
    plain(prefix.address());
    return prefix;
  }

  private static IpAddress plain(IpAddress address) {
    byte[] bytes = address.toBytes();
    byte[] mapped = new byte[MAPPED_BYTES];
    mapped[10] = -1;
    mapped[11] = -1;
    if (address.isV6() && Arrays.equals(bytes, 0, MAPPED_BYTES, mapped, 0, MAPPED_BYTES)) {
      IpAddress v4 = IpAddress.of(Arrays.copyOfRange(bytes, MAPPED_BYTES, bytes.length));
      throw new IllegalArgumentException(address + " is an IPv4-mapped IPv6 address; use " + v4);
    }
    return address;
  }
}
