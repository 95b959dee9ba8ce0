package io.dra4j.examples;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.LinkMove;
import io.dra4j.rdma.CharacterDevice;
import io.dra4j.rdma.CharacterDevices;
import io.dra4j.rdma.RdmaNetdevs;
import io.dra4j.rdma.RdmaReader;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds the RDMA device of a network device, and lends both to a pod. */
public final class LendRdma {

  private LendRdma() {}

  /**
   * Lists the files that a container needs to use the RDMA device of a network device.
   *
   * @param machine this machine ({@link Host#live()}) or a captured one
   * @param netdev the name of the network device, for example {@code ib0}
   * @return for example {@code /dev/infiniband/uverbs0 c 231:192}; empty if it has no RDMA device
   */
  public static List<String> filesFor(Host machine, String netdev) {
    List<String> files = new ArrayList<>();
    // README: begin
    HostInventory inventory = RdmaReader.read(machine);
    inventory.warnings().forEach(System.err::println);
    RdmaNetdevs.of(inventory)
        .find(netdev)
        .ifPresent(
            found -> {
              RdmaDevice device = found.device();
              System.out.println(device.name() + " on " + device.address());
              device.ports().forEach(port -> System.out.println(port.state() + " " + port.gids()));
              CharacterDevices nodes = CharacterDevices.of(machine, device);
              nodes.problems().forEach(System.err::println); // missing or contradictory facts
              for (CharacterDevice node : nodes.list()) {
                files.add(node.path() + " c " + node.major() + ":" + node.minor());
              }
            });
    // README: end
    return files;
  }

  /**
   * Moves a network device into a pod, and an RDMA device if namespaces do not share it.
   *
   * @param host the namespace of both
   * @param rdmaDevice the name of the RDMA device, for example {@code mlx5_0}
   * @param netdev the name of the network device
   * @param pod the namespace of the pod, where the network device is called {@code net1}
   * @throws IOException if the kernel refuses
   */
  public static void lend(
      NetworkNamespace host, String rdmaDevice, String netdev, NetworkNamespace pod)
      throws IOException {
    try (RdmaNetlink rdma = RdmaNetlink.open(host)) {
      if (!rdma.isShared()) {
        for (io.dra4j.netlink.rdma.RdmaDevice one : rdma.devices()) {
          if (one.name().equals(rdmaDevice)) {
            rdma.move(one.index(), pod);
          }
        }
      }
    } catch (NetlinkException.Unsupported e) {
      // the kernel has no RDMA
    }
    LinkMove.move(host, LinkKey.of(netdev), pod, "net1");
  }
}
