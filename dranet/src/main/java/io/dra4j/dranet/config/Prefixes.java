package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;

/** Calculations with networks and their addresses. */
public final class Prefixes {

  private Prefixes() {}

  /**
   * {@return the network of an address: host bits are 0 as the kernel requires in routes and rules}
   *
   * @param prefix an address with its prefix length
   */
  public static IpPrefix network(IpPrefix prefix) {
    byte[] bytes = prefix.address().toBytes();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.max(0, Math.min(8, prefix.length() - 8 * i));
      bytes[i] &= (byte) (0xff00 >> kept);
    }
    return new IpPrefix(IpAddress.of(bytes), prefix.length());
  }

  /**
   * {@return whether an address is in a network}
   *
   * @param network the network; bits beyond its length do not matter
   * @param address the address, of either family
   */
  public static boolean contains(IpPrefix network, IpAddress address) {
    return network.address().isV6() == address.isV6()
        && network(new IpPrefix(address, network.length())).equals(network(network));
  }
}
