package io.dra4j.dranet.discovery;

import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import org.jspecify.annotations.Nullable;

/**
 * A network device that a host offers, by what it consists of.
 *
 * @param name its name
 * @param function the PCI function that it is on; null if it is on none
 * @param link its interface; null if it has none, or that is in a pod
 * @param rdma its RDMA device; null if it has none
 */
public record NetworkDevice(
    String name,
    @Nullable PciFunction function,
    @Nullable LinkFacts link,
    @Nullable RdmaDevice rdma) {

  /**
   * Returns the name of the interface.
   *
   * @return the name; empty if there is none on the host
   */
  public String interfaceName() {
    return link == null ? "" : link.link().name();
  }
}
