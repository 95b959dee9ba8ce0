package io.dra4j.rdma;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaLink;
import io.dra4j.netlink.rdma.RdmaNetlink;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The ports of a device, as RDMA netlink reports them. */
final class NetlinkPorts {

  /** The most ports that are queried one by one; no device has so many. */
  private static final int MAX = 4_096;

  private NetlinkPorts() {}

  /** The number of the last port to query; a warning reports ports after it. */
  static int last(RdmaDevice device, Consumer<String> warnings) {
    if (device.ports() > MAX) {
      warnings.accept(
          "RDMA device "
              + device.name()
              + " reports "
              + device.ports()
              + " ports; ports after "
              + MAX
              + " are ignored");
    }
    return Math.min(device.ports(), MAX);
  }

  /**
   * Whether a list of ports was refused because the device no longer exists: {@code
   * ib_device_get_by_index} found none. Other errors, such as a lack of memory, mean nothing for
   * the device.
   */
  static boolean isGone(NetlinkException.Refused refusal) {
    return refusal.errno() == Errno.EINVAL.code();
  }

  /**
   * The ports of a device. The kernel's list ends where the driver cannot report a port ({@link
   * RdmaNetlink#links}): the ports after that are queried one by one.
   *
   * @param warnings takes a sentence for each port that netlink cannot report
   * @throws NetlinkException.Refused if the device does not exist ({@link #isGone}), or the kernel
   *     cannot report it now
   */
  static List<RdmaLink> of(RdmaNetlink rdma, RdmaDevice device, Consumer<String> warnings)
      throws NetlinkException {
    List<RdmaLink> links = new ArrayList<>(rdma.links(device.index()));
    Set<Integer> listed = links.stream().map(RdmaLink::port).collect(Collectors.toSet());
    int last = last(device, warnings);
    for (int port = 1; port <= last; port++) {
      if (!listed.contains(port)) {
        try {
          links.add(rdma.link(device.index(), port));
        } catch (NetlinkException.Refused
            | NetlinkException.NotFound
            | NetlinkException.Unsupported
            | NetlinkException.PermissionDenied
            | NetlinkException.Malformed
            | NetlinkException.Busy e) {
          warnings.accept(
              "RDMA device "
                  + device.name()
                  + " port "
                  + port
                  + ": netlink cannot report it: "
                  + e.getMessage());
        }
      }
    }
    return links;
  }
}
