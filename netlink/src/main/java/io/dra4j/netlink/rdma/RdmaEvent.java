package io.dra4j.netlink.rdma;

import java.util.OptionalInt;

/**
 * A change of an RDMA device ({@code RDMA_NLDEV_CMD_MONITOR} of {@code rdma/rdma_netlink.h}).
 *
 * @param kind what happened
 * @param deviceIndex the number of the device
 * @param deviceName its name; empty if the kernel does not report it
 * @param port the port that it happened to; absent if it happened to the device
 * @param netdevIndex the network device of the port; absent if the kernel does not report it
 * @param netdevName its name; empty if the kernel does not report it
 */
public record RdmaEvent(
    Kind kind,
    int deviceIndex,
    String deviceName,
    OptionalInt port,
    OptionalInt netdevIndex,
    String netdevName) {

  /** What happens to devices, in the order of {@code enum rdma_nl_notify_event_type}. */
  public enum Kind {
    /** A device has come. */
    REGISTERED,
    /** A device has gone. */
    UNREGISTERED,
    /** A port has got its network device. */
    NETDEV_ATTACHED,
    /** A port has lost its network device. */
    NETDEV_DETACHED,
    /** A device has another name. */
    RENAMED,
    /** The network device of a port has another name. */
    NETDEV_RENAMED,
    /** Something that only newer kernels know. */
    OTHER
  }
}
