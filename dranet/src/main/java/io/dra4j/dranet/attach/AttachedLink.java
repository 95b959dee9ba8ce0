package io.dra4j.dranet.attach;

import io.dra4j.netlink.route.IpPrefix;
import java.util.List;

/**
 * A device that is attached.
 *
 * @param device the name of the device
 * @param interfaceName the name of its network interface in the pod; empty if it has none
 * @param hardwareAddress the hardware address of the interface; empty if it has none
 * @param addresses the addresses that were assigned to the interface
 * @param rdmaMoved whether its RDMA device was moved into the pod as well
 */
public record AttachedLink(
    String device,
    String interfaceName,
    String hardwareAddress,
    List<IpPrefix> addresses,
    boolean rdmaMoved) {

  /** Copies the list. {@inheritDoc} */
  public AttachedLink {
    addresses = List.copyOf(addresses);
  }
}
