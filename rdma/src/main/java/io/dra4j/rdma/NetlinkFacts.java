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
 * Merges the reports of RDMA netlink into the devices read from {@code /sys}. Netlink takes
 * precedence, and each contradiction is a warning.
 */
final class NetlinkFacts {

  /** The names of {@code enum rdma_node_type}, as {@code node_type_show} writes them. */
  private static final List<String> NODE_TYPES =
      List.of("", "1: CA", "2: switch", "3: router", "4: RNIC", "5: usNIC", "6: usNIC UDP");

  private static final int UNSPECIFIED_NODE = 7;

  /** The names of {@code enum ib_port_state}, as {@code state_show} writes them. */
  private static final List<String> STATES =
      List.of("NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER");

  /** The names of {@code enum ib_port_phys_state}, as {@code phys_state_to_str} writes them. */
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

  /** Completes the devices, by name, and adds devices that only netlink reports. */
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
        warnings.accept("RDMA device " + reported.name() + " disappeared while it was read");
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
              + " network namespace or has just disappeared");
    }
  }

  private RdmaDevice device(
      io.dra4j.netlink.rdma.RdmaDevice reported,
      List<RdmaLink> links,
      @Nullable RdmaDevice before) {
    RdmaDevice sysfs = before == null ? RdmaDevice.named(reported.name()).build() : before;
    String name = "RDMA device " + reported.name();
    List<RdmaPort> ports = ports(reported, links, sysfs, name);
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
        .ports(ports)
        .build();
  }

  private List<RdmaPort> ports(
      io.dra4j.netlink.rdma.RdmaDevice reported,
      List<RdmaLink> links,
      RdmaDevice sysfs,
      String name) {
    Map<Integer, RdmaPort> ports = new TreeMap<>();
    int last = NetlinkPorts.last(reported, warning -> {});
    for (int port = 1; port <= last; port++) {
      ports.put(
          port, RdmaPort.numbered(port).build()); // the port exists, even if its state is not known
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
    return new ArrayList<>(ports.values());
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
    if (link.lid().orElse(0) != 0) { // otherwise the kernel reports 0 in any case
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

  /** The first GID of an InfiniBand port is the subnet's prefix and the GUID (IBTA 4.1.1). */
  private void comparePrefix(String name, long prefix, RdmaPort sysfs) {
    for (RdmaGid gid : sysfs.gids()) {
      if (prefix != 0 && gid.index() == 0 && !gid.value().startsWith(guid(prefix))) {
        contradiction(
            name, "subnet prefix", guid(prefix), gid.value().substring(0, guid(prefix).length()));
      }
    }
  }

  /**
   * The link layer of a port. The kernel reports the protocol of the first port for the whole
   * device ({@code fill_dev_info}), but an adapter may have both InfiniBand and Ethernet ports. A
   * port has a local identifier, possibly 0, if and only if it is an InfiniBand port ({@code
   * fill_port_info}).
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

  /** Prefers the value of netlink. The value 0 means that there is no local identifier. */
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
            + " in /sys; the value of netlink is used");
  }

  private static String nodeType(int number) {
    return number == UNSPECIFIED_NODE ? "" : word(NODE_TYPES, number);
  }

  /** The name of a number; empty for numbers of newer kernels, so that {@code /sys} counts. */
  private static String word(List<String> words, int number) {
    return number >= 0 && number < words.size() ? words.get(number) : "";
  }

  /** The GUID as Linux writes it, for example 5054:00ff:fe0d:a000. */
  private static String guid(long guid) {
    return "%04x:%04x:%04x:%04x"
        .formatted(guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
  }
}
