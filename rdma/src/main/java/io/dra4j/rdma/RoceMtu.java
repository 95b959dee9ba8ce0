package io.dra4j.rdma;

import io.dra4j.spi.RdmaDevice;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a driver computes the active MTU of a RoCE port, which neither {@code /sys} nor RDMA netlink
 * reports: the largest MTU of InfiniBand that, with what the driver takes for headers, fits the
 * packets of the network device.
 */
enum RoceMtu {
  /**
   * Most: GRH, UDP, BTH, XRC, atomic and ICRC ({@code iboe_get_mtu} in the kernel's {@code
   * rdma/ib_addr.h}); none where not even 256 bytes fit.
   */
  ALL_HEADERS(40 + 8 + 12 + 4 + 28 + 4, false),

  /** rxe: {@code RXE_MAX_HDR_LENGTH} ({@code sw/rxe/rxe_param.h}); 256 bytes always fit. */
  RXE(80, true),

  /**
   * irdma and mana_ib: nothing ({@code irdma_query_port}, {@code mana_ib_query_port}); 256 bytes
   * always fit ({@code ib_mtu_int_to_enum} in {@code rdma/ib_verbs.h}).
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

  /**
   * The rule of a device.
   *
   * @param driver of its PCI function; ice and idpf are those below irdma, mana that below mana_ib
   */
  static RoceMtu of(RdmaDevice device, @Nullable String driver) {
    if (device.parent() != null) {
      return RXE; // the only one made in software that is RoCE
    }
    return switch (driver == null ? "" : driver) {
      case "ice", "idpf", "mana" -> NO_HEADERS;
      default -> ALL_HEADERS;
    };
  }

  /** The payload in bytes for the MTU of a network device; none if that is not known. */
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
