package io.dra4j.netlink.rdma;

import java.util.OptionalInt;

/**
 * A change of an RDMA device ({@code RDMA_NLDEV_CMD_MONITOR} of {@code rdma/rdma_netlink.h}).
 *
 * @param kind the kind of change
 * @param deviceIndex the number of the device
 * @param deviceName its name; empty if the kernel does not report it
 * @param port the changed port; absent if the device changed
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

  /** The kinds of changes, in the order of {@code enum rdma_nl_notify_event_type}. */
  public enum Kind {
    /** A device was added. */
    REGISTERED,
    /** A device was removed. */
    UNREGISTERED,
    /** A port was connected to a network device. */
    NETDEV_ATTACHED,
    /** A port was disconnected from its network device. */
    NETDEV_DETACHED,
    /** A device was renamed. */
    RENAMED,
    /** The network device of a port was renamed. */
    NETDEV_RENAMED,
    /** A change of a kind that only newer kernels report. */
    OTHER
  }
}
