package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;

/** Calculations with networks and their addresses. */
public final class Prefixes {

  private Prefixes() {}

  /**
   * Returns the network of an address.
   *
   * @param prefix an address with its prefix length
   * @return the prefix with all host bits 0, as the kernel requires for routes and rules
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
   * Returns whether an address is in a network.
   *
   * @param network the network; bits beyond its length do not matter
   * @param address the address, of either family
   * @return whether the address is in the network
   */
  public static boolean contains(IpPrefix network, IpAddress address) {
    return network.address().isV6() == address.isV6()
        && network(new IpPrefix(address, network.length())).equals(network(network));
  }
}
