package io.dra4j.dranet.config;

import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;

/** Networks and the addresses in them. */
public final class Prefixes {

  private Prefixes() {}

  /**
   * Returns the network of an address.
   *
   * @param prefix an address and the length of its network
   * @return the same with all bits beyond the network 0, as the kernel wants it of routes and rules
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
   * Whether an address is in a network.
   *
   * @param network the network; bits beyond its length do not matter
   * @param address the address, of either family
   * @return whether it is
   */
  public static boolean contains(IpPrefix network, IpAddress address) {
    return network.address().isV6() == address.isV6()
        && network(new IpPrefix(address, network.length())).equals(network(network));
  }
}
