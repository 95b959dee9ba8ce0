package io.dra4j.spi;

import io.dra4j.topology.PciAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An RDMA device of a host.
 *
 * @param name its name, for example {@code mlx5_0}
 * @param address the PCI function it is on, directly or through its netdev; null if it is on none
 * @param parent the netdev that a software device such as rxe is built on; null for hardware
 * @param nodeType as Linux writes it, for example {@code 1: CA}; empty if not known
 * @param nodeGuid as Linux writes it, for example {@code 506b:4b03:00f6:a3c2}; empty if not known
 * @param sysImageGuid in the same form; empty if not known
 * @param firmwareVersion empty if not known
 * @param ports its ports by number
 */
public record RdmaDevice(
    String name,
    @Nullable PciAddress address,
    @Nullable String parent,
    String nodeType,
    String nodeGuid,
    String sysImageGuid,
    String firmwareVersion,
    List<RdmaPort> ports) {

  /** Copies the ports. {@inheritDoc} */
  public RdmaDevice {
    ports = List.copyOf(ports);
  }
}
