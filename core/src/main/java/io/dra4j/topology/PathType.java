package io.dra4j.topology;

import java.util.Objects;

/**
 * The types of paths between two devices of one host, shortest first. The levels are the levels of
 * {@code nvidia-smi topo -m} and of NCCL ({@code src/include/graph.h}), with more distinctions
 * where these two combine several cases.
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
   * {@return the name of the type in {@code nvidia-smi topo -m}, for example {@code PIX}; {@code
   * PHB|NODE} and {@code -} if it has no name}
   */
  public String nvidiaSmiName() {
    return nvidiaSmiName;
  }

  /** {@return the name in logs of NCCL, for example {@code PXB}; {@code -} if it has no name} */
  public String ncclName() {
    return ncclName;
  }

  /** Whether this type is ambiguous, and the other type is one of its possible meanings. */
  boolean leavesOpen(PathType other) {
    return this == HOST_BRIDGE_OR_NUMA_NODE && (other == HOST_BRIDGE || other == NUMA_NODE);
  }

  /**
   * {@return whether a path of this type is at most as long as a path of another type}
   *
   * @param type the other type
   */
  public boolean isWithin(PathType type) {
    Objects.requireNonNull(type, "type");
    return compareTo(type) <= 0;
  }
}
