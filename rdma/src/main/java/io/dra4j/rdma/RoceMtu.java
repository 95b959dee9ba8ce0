package io.dra4j.rdma;

import io.dra4j.spi.RdmaDevice;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which drivers compute the active MTU of a RoCE port, which neither {@code /sys} nor
 * RDMA netlink reports. It is the largest InfiniBand MTU that fits into a packet of the network
 * device together with the headers, whose size depends on the driver.
 */
enum RoceMtu {
  /**
   * Most drivers subtract GRH, UDP, BTH, XRC, atomic and ICRC ({@code iboe_get_mtu} in the kernel's
   * {@code rdma/ib_addr.h}). There is no MTU if not even 256 bytes fit.
   */
  ALL_HEADERS(40 + 8 + 12 + 4 + 28 + 4, false),

  /** rxe subtracts {@code RXE_MAX_HDR_LENGTH} ({@code sw/rxe/rxe_param.h}); at least 256. */
  RXE(80, true),

  /**
   * irdma and mana_ib subtract nothing ({@code irdma_query_port}, {@code mana_ib_query_port}). The
   * MTU is at least 256 bytes ({@code ib_mtu_int_to_enum} in {@code rdma/ib_verbs.h}).
   */
  NO_HEADERS(0, true);

  private static final int SMALLEST = 256;
  private static final int LARGEST = 4_096;

  private final int headers;
  private final boolean smallestFits;

  RoceMtu(int headers, boolean smallestFits) {
    this.headers = headers;
    this.smallestFits = smallestFits;
  }

  /** The rule of a device by its PCI driver; irdma works on ice and idpf, mana_ib on mana. */
  static RoceMtu of(RdmaDevice device, @Nullable String driver) {
    if (device.parent() != null) {
      return RXE; // the only software device with RoCE
    }
    return switch (driver == null ? "" : driver) {
      case "ice", "idpf", "mana" -> NO_HEADERS;
      default -> ALL_HEADERS;
    };
  }

  /** The payload in bytes for the MTU of a network device; empty if the MTU is not known. */
  OptionalInt payload(OptionalInt netdevMtu) {
    if (netdevMtu.isEmpty()) {
      return OptionalInt.empty();
    }
    int payload = netdevMtu.getAsInt() - headers;
    if (payload < SMALLEST) {
      return smallestFits ? OptionalInt.of(SMALLEST) : OptionalInt.empty();
    }
    return OptionalInt.of(Math.min(LARGEST, Integer.highestOneBit(payload)));
  }
}
