package io.dra4j.rdma;

import java.util.OptionalInt;

/**
 * The active MTU of a RoCE port, which neither {@code /sys} nor RDMA netlink tells: the largest MTU
 * of InfiniBand that, with its headers, fits the packets of the network device ({@code
 * iboe_get_mtu} in the kernel's {@code rdma/ib_addr.h}).
 */
final class RoceMtu {

  /** GRH, UDP, BTH, XRC, atomic and ICRC: what may stand beside the payload. */
  private static final int HEADERS = 40 + 8 + 12 + 4 + 28 + 4;

  private static final int SMALLEST = 256;
  private static final int LARGEST = 4_096;

  private RoceMtu() {}

  /** The payload in bytes for the MTU of a network device; none if not even 256 fit. */
  static OptionalInt of(OptionalInt netdevMtu) {
    if (netdevMtu.isEmpty() || netdevMtu.getAsInt() - HEADERS < SMALLEST) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Math.min(LARGEST, Integer.highestOneBit(netdevMtu.getAsInt() - HEADERS)));
  }
}
