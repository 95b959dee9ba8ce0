package io.dra4j.placement.cloud;

import java.util.Objects;

/**
 * The way in which the network of a machine reaches the memory of its GPUs, slowest first. Only the
 * order is claimed: the speed of a tier depends on software that is not part of a topology. For
 * messages of less than 128 KB not even the order holds.
 */
public enum NetworkTier {
  /** Through the memory of the host: each message is copied by a processor. */
  HOST_MEMORY,
  /** GPUDirect-TCPX: the NIC writes payloads of TCP into the GPU. */
  TCPX,
  /** GPUDirect-RDMA: the NIC reads and writes the GPU by itself. */
  RDMA;

  /**
   * {@return whether large messages are faster through this tier than through another one}
   *
   * @param tier the other tier
   */
  public boolean isFasterThan(NetworkTier tier) {
    Objects.requireNonNull(tier, "tier");
    return compareTo(tier) > 0;
  }
}
