package io.dra4j.topology;

import java.util.Objects;

/**
 * How far apart two devices of one host are, nearest first. The levels are those of {@code
 * nvidia-smi topo -m} and of NCCL ({@code src/include/graph.h}), distinguished where these two lump
 * them together.
 */
public enum PathType {
  /** The same function. */
  SELF("X", "LOC"),
  /** Functions of one card, or virtual functions of one physical function. */
  SAME_CARD("PIX", "PIX"),
  /** Through one PCIe switch, or one root port. */
  SWITCH("PIX", "PIX"),
  /** Through several PCIe switches, without the host bridge. */
  MULTI_SWITCH("PXB", "PXB"),
  /** Through one PCIe host bridge. */
  HOST_BRIDGE("PHB", "PHB"),
  /** Within one NUMA node; the source does not say whether through one host bridge or several. */
  HOST_BRIDGE_OR_NUMA_NODE("PHB|NODE", "PHB"),
  /** Through several host bridges of one NUMA node. NCCL has no such level. */
  NUMA_NODE("NODE", "PHB"),
  /** Unknown: the NUMA node of a device is not known, and they share no host bridge. */
  UNKNOWN("-", "-"),
  /** From one NUMA node to another. */
  SYSTEM("SYS", "SYS");

  private final String nvidiaSmiName;
  private final String ncclName;

  PathType(String nvidiaSmiName, String ncclName) {
    this.nvidiaSmiName = nvidiaSmiName;
    this.ncclName = ncclName;
  }

  /**
   * What {@code nvidia-smi topo -m} prints for it.
   *
   * @return for example {@code PIX}; {@code PHB|NODE} and {@code -} where it has no word
   */
  public String nvidiaSmiName() {
    return nvidiaSmiName;
  }

  /**
   * What NCCL calls it in its logs.
   *
   * @return for example {@code PXB}; {@code -} where it has no word
   */
  public String ncclName() {
    return ncclName;
  }

  /** Whether who says this does not know more, and the other type is one of those it may be. */
  boolean leavesOpen(PathType other) {
    return this == HOST_BRIDGE_OR_NUMA_NODE && (other == HOST_BRIDGE || other == NUMA_NODE);
  }

  /**
   * Whether a path of this type is at least as short as one of another type.
   *
   * @param type the other type
   * @return whether it is
   */
  public boolean isWithin(PathType type) {
    Objects.requireNonNull(type, "type");
    return compareTo(type) <= 0;
  }
}
