package io.dra4j.netlink.state;

import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Route;

/** Recognizes facts of a link that the kernel creates and deletes itself. */
final class KernelMade {

  private static final int KERNEL_RA = 9; // RTPROT_RA
  private static final int ADDRESS_KERNEL_RA = 2; // IFAPROT_KERNEL_RA, since Linux 5.18
  private static final int KERNEL_LL = 3; // IFAPROT_KERNEL_LL
  private static final int RTN_MULTICAST = 5; // after RTN_LOCAL, RTN_BROADCAST and RTN_ANYCAST

  private KernelMade() {}

  /** Returns whether the kernel creates such facts by itself, or may have created this one. */
  static boolean is(FactKind.Fact<?> fact) {
    return isAwaited(fact)
        || (fact.object() instanceof Route one && one.protocol() == KERNEL_RA)
        || (fact.object() instanceof InterfaceAddress address
            && address.protocol().orElse(0) == ADDRESS_KERNEL_RA);
  }

  /** Returns whether the kernel creates the fact without waiting for a router's advertisement. */
  static boolean isAwaited(FactKind.Fact<?> fact) {
    if (fact.object() instanceof Route one) {
      return one.protocol() == Route.PROTOCOL_KERNEL;
    }
    return fact.object() instanceof InterfaceAddress one
        && one.address().address().isV6()
        && one.address().address().isLinkLocal()
        && (one.protocol().isPresent()
            ? one.protocol().getAsInt() == KERNEL_LL
            : isOfHardwareAddress(one.address().address()));
  }

  /**
   * Returns whether an address is derived from the hardware address. Kernels before 5.18 do not
   * report the origin of an address; newer ones do not if a user set it.
   */
  private static boolean isOfHardwareAddress(IpAddress address) {
    byte[] bytes = address.toBytes();
    return bytes[11] == (byte) 0xff && bytes[12] == (byte) 0xfe; // RFC 4291, appendix A
  }

  /**
   * Returns whether the kernel creates a route for an address, after it has looked for duplicates,
   * and deletes it with the address. For a member of a VRF, these routes are in the table of the
   * VRF ({@code l3mdev_fib_table}).
   */
  static boolean isOfAddress(Route one) {
    boolean isOfThisHost = one.type() >= Route.LOCAL && one.type() <= RTN_MULTICAST;
    return one.protocol() == Route.PROTOCOL_KERNEL
        && (one.table() == Route.LOCAL_TABLE || isOfThisHost);
  }
}
