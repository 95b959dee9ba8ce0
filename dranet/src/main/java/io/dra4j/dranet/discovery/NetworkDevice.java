package io.dra4j.dranet.discovery;

import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import org.jspecify.annotations.Nullable;

/**
 * A network device of a host with its parts.
 *
 * @param name the name of the device
 * @param function the PCI function that it is on; null if it is on none
 * @param link its interface; null if it has none, or if the interface is in a pod
 * @param rdma its RDMA device; null if it has none
 */
public record NetworkDevice(
    String name,
    @Nullable PciFunction function,
    @Nullable LinkFacts link,
    @Nullable RdmaDevice rdma) {

  /** {@return the name of the network interface; empty if there is none on the host} */
  public String interfaceName() {
    return link == null ? "" : link.link().name();
  }
}
