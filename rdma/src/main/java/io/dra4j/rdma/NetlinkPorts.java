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

/** Which ports a device has, and what RDMA netlink reports of each. */
final class NetlinkPorts {

  /** More ports than any device has are not asked for one by one. */
  private static final int MAX = 4_096;

  private NetlinkPorts() {}

  /** The number of the last port; ports that are not asked for are reported. */
  static int last(RdmaDevice device, Consumer<String> warnings) {
    if (device.ports() > MAX) {
      warnings.accept(
          "RDMA device "
              + device.name()
              + ": says that it has "
              + device.ports()
              + " ports; those after "
              + MAX
              + " are not looked for");
    }
    return Math.min(device.ports(), MAX);
  }

  /**
   * Whether a list of ports was refused because the device has gone: {@code ib_device_get_by_index}
   * found none. What else may be refused for, as for want of memory, says nothing of the device.
   */
  static boolean isGone(NetlinkException.Refused refusal) {
    return refusal.errno() == Errno.EINVAL.code();
  }

  /**
   * The ports of a device. The kernel's list ends where the driver cannot report a port ({@link
   * RdmaNetlink#links}): those after it are asked for alone.
   *
   * @param warnings takes a sentence for each port that netlink cannot report
   * @throws NetlinkException.Refused if the device is not there ({@link #isGone}), or the kernel
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
