package io.dra4j.rdma;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaLink;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts what RDMA netlink reports of devices on top of what {@code /sys} has, and says where they
 * contradict each other.
 */
final class NetlinkFacts {

  /** {@code enum rdma_node_type}, in the words of {@code node_type_show}. */
  private static final List<String> NODE_TYPES =
      List.of("", "1: CA", "2: switch", "3: router", "4: RNIC", "5: usNIC", "6: usNIC UDP");

  private static final int UNSPECIFIED_NODE = 7;

  /** {@code enum ib_port_state}, in the words of {@code state_show}. */
  private static final List<String> STATES =
      List.of("NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER");

  /** {@code enum ib_port_phys_state}, in the words of {@code phys_state_to_str}. */
  private static final List<String> PHYSICAL_STATES =
      List.of(
          "",
          "Sleep",
          "Polling",
          "Disabled",
          "PortConfigurationTraining",
          "LinkUp",
          "LinkErrorRecovery",
          "Phy Test");

  private final Consumer<String> warnings;

  NetlinkFacts(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  /** Completes the devices, by name, and adds those that only netlink knows. */
  void merge(RdmaNetlink rdma, Map<String, RdmaDevice> devices) throws NetlinkException {
    Map<String, RdmaDevice> inSysfs = new TreeMap<>(devices);
    boolean hasSysfs = !devices.isEmpty();
    for (io.dra4j.netlink.rdma.RdmaDevice reported : rdma.devices()) {
      RdmaDevice before = inSysfs.remove(reported.name());
      List<RdmaLink> links;
      try {
        links = NetlinkPorts.of(rdma, reported, warnings);
      } catch (NetlinkException.Refused e) {
        if (!NetlinkPorts.isGone(e)) {
          throw e;
        }
        devices.remove(reported.name());
        warnings.accept("RDMA device " + reported.name() + " went while it was read");
        continue;
      }
      if (before == null && hasSysfs) {
        warnings.accept(
            "RDMA device "
                + reported.name()
                + " is reported by netlink, but not in /sys/class/infiniband");
      }
      devices.put(reported.name(), device(reported, links, before));
    }
    for (String name : inSysfs.keySet()) {
      warnings.accept(
          "RDMA device "
              + name
              + " is in /sys/class/infiniband, but not reported by netlink: it belongs to another"
              + " network namespace or has just gone");
    }
  }

  private RdmaDevice device(
      io.dra4j.netlink.rdma.RdmaDevice reported,
      List<RdmaLink> links,
      @Nullable RdmaDevice before) {
    RdmaDevice sysfs = before == null ? RdmaDevice.named(reported.name()).build() : before;
    String name = "RDMA device " + reported.name();
    Map<Integer, RdmaPort> ports = new TreeMap<>();
    int last = NetlinkPorts.last(reported, warning -> {});
    for (int port = 1; port <= last; port++) {
      ports.put(port, RdmaPort.numbered(port).build()); // there, even if its state is not known
    }
    sysfs.ports().forEach(port -> ports.put(port.number(), port));
    for (RdmaLink link : links) {
      RdmaPort port = ports.get(link.port());
      ports.put(
          link.port(),
          port(
              link,
              port == null ? RdmaPort.numbered(link.port()).build() : port,
              name + " port " + link.port(),
              reported.protocol()));
    }
    String parent = sysfs.parent();
    if (parent != null) {
      links.stream()
          .map(RdmaLink::netdevName)
          .filter(netdev -> !netdev.isEmpty() && !netdev.equals(parent))
          .findFirst()
          .ifPresent(netdev -> contradiction(name, "network device", netdev, parent));
    }
    return sysfs.toBuilder()
        .index(reported.index())
        .nodeType(first(name, "node type", nodeType(reported.nodeType()), sysfs.nodeType()))
        .nodeGuid(first(name, "node GUID", guid(reported.nodeGuid()), sysfs.nodeGuid()))
        .sysImageGuid(
            first(
                name, "system image GUID", guid(reported.systemImageGuid()), sysfs.sysImageGuid()))
        .firmwareVersion(
            first(name, "firmware", reported.firmwareVersion(), sysfs.firmwareVersion()))
        .protocol(reported.protocol())
        .ports(new ArrayList<>(ports.values()))
        .build();
  }

  private RdmaPort port(RdmaLink link, RdmaPort sysfs, String name, String protocol) {
    RdmaPort.Builder port =
        sysfs.toBuilder()
            .state(first(name, "state", word(STATES, link.state()), sysfs.state()))
            .physicalState(
                first(
                    name,
                    "physical state",
                    word(PHYSICAL_STATES, link.physicalState()),
                    sysfs.physicalState()));
    first(name, "LID", link.lid(), sysfs.lid()).ifPresent(port::lid);
    first(name, "LID of the subnet manager", link.subnetManagerLid(), sysfs.subnetManagerLid())
        .ifPresent(port::subnetManagerLid);
    if (link.lid().orElse(0) != 0) { // else the kernel says 0 whatever it is
      link.lidMaskCount().ifPresent(port::lidMaskCount);
    }
    comparePrefix(name, link.subnetPrefix(), sysfs);
    if (!link.netdevName().isEmpty()) {
      port.netdev(link.netdevName());
    }
    if (sysfs.linkLayer().isEmpty()) {
      linkLayer(link, protocol).ifPresent(port::linkLayer);
    }
    return port.build();
  }

  /** The first GID of a port of InfiniBand is the subnet's prefix and its GUID (IBTA 4.1.1). */
  private void comparePrefix(String name, long prefix, RdmaPort sysfs) {
    for (RdmaGid gid : sysfs.gids()) {
      if (prefix != 0 && gid.index() == 0 && !gid.value().startsWith(guid(prefix))) {
        contradiction(
            name, "subnet prefix", guid(prefix), gid.value().substring(0, guid(prefix).length()));
      }
    }
  }

  /**
   * The protocol of a device is that of its first port ({@code fill_dev_info} of the kernel), and
   * adapters for both have ports of InfiniBand and of Ethernet beside each other. A port has a
   * local identifier, be it 0, if and only if it speaks InfiniBand ({@code fill_port_info}).
   */
  private static Optional<String> linkLayer(RdmaLink link, String protocol) {
    if (link.lid().isPresent()) {
      return Optional.of("InfiniBand");
    }
    return switch (protocol) {
      case "ib", "opa", "roce", "iw", "usnic" -> Optional.of("Ethernet");
      default -> Optional.empty();
    };
  }

  private String first(String of, String fact, String netlink, String sysfs) {
    if (netlink.isEmpty()) {
      return sysfs;
    }
    if (!sysfs.isEmpty() && !sysfs.equals(netlink)) {
      contradiction(of, fact, netlink, sysfs);
    }
    return netlink;
  }

  /** 0 is no local identifier. */
  private OptionalInt first(String of, String fact, OptionalInt netlink, OptionalInt sysfs) {
    if (netlink.orElse(0) == 0) {
      return sysfs;
    }
    if (sysfs.isPresent() && !sysfs.equals(netlink)) {
      contradiction(
          of, fact, Integer.toString(netlink.getAsInt()), Integer.toString(sysfs.getAsInt()));
    }
    return netlink;
  }

  private void contradiction(String of, String fact, String netlink, String sysfs) {
    warnings.accept(
        of
            + ": "
            + fact
            + " is "
            + netlink
            + " by netlink, but "
            + sysfs
            + " in /sys; netlink counts");
  }

  private static String nodeType(int number) {
    return number == UNSPECIFIED_NODE ? "" : word(NODE_TYPES, number);
  }

  /** Numbers of newer kernels have no word yet; what {@code /sys} says stays then. */
  private static String word(List<String> words, int number) {
    return number >= 0 && number < words.size() ? words.get(number) : "";
  }

  /** Such as 5054:00ff:fe0d:a000. */
  private static String guid(long guid) {
    return "%04x:%04x:%04x:%04x"
        .formatted(guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
  }
}
