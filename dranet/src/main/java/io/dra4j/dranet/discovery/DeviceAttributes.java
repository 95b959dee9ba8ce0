package io.dra4j.dranet.discovery;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.StandardAttributes;
import io.dra4j.netlink.route.Link;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.publish.AttributeBuilder;
import io.dra4j.sysfs.NearNumaNodes;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PcieLink;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The published attributes of network devices: first the attributes that existing manifests use,
 * with their names and types, then the attributes of providers, then facts of the hardware. {@link
 * AttributeGroup} defines which attributes are left out if there are too many.
 */
public final class DeviceAttributes {

  /** Kinds that are published under other names, as by Type() of links in vishvananda/netlink. */
  private static final Map<String, String> TYPES = Map.of("", "device", "tun", "tuntap");

  /** Hardware types by number ({@code ARPHRD_...}, linux/if_arp.h). */
  private static final Map<Integer, String> ENCAPSULATIONS =
      Map.ofEntries(
          Map.entry(0, "generic"),
          Map.entry(1, "ether"),
          Map.entry(19, "atm"),
          Map.entry(24, "ieee1394"),
          Map.entry(27, "eui64"),
          Map.entry(32, "infiniband"),
          Map.entry(256, "slip"),
          Map.entry(512, "ppp"),
          Map.entry(519, "rawip"),
          Map.entry(768, "ipip"),
          Map.entry(769, "tunnel6"),
          Map.entry(772, "loopback"),
          Map.entry(776, "sit"),
          Map.entry(778, "gre"),
          Map.entry(801, "ieee802.11"),
          Map.entry(823, "gre6"),
          Map.entry(824, "netlink"),
          Map.entry(0xfffe, "none"),
          Map.entry(0xffff, "void"));

  private final String driver;
  private final HostInventory host;
  private final boolean numaNodeLists;
  private final Set<AttributeGroup> groups;
  private final Map<PciAddress, PciFunction> functions = new HashMap<>();
  private final Map<String, Netdev> netdevs = new HashMap<>();
  private final Map<PciAddress, Long> rates;

  /**
   * Prepares the attributes of the devices of a host.
   *
   * @param driver the name of the driver
   * @param host the inventory that readers found
   * @param numaNodeLists whether NUMA nodes are lists (feature DRAListTypeAttributes)
   * @param groups the groups of attributes to publish
   */
  public DeviceAttributes(
      String driver, HostInventory host, boolean numaNodeLists, Set<AttributeGroup> groups) {
    this.driver = driver;
    this.host = host;
    this.numaNodeLists = numaNodeLists;
    this.groups = groups.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(groups));
    host.pciFunctions().forEach(one -> functions.put(one.address(), one));
    host.netdevs().forEach(one -> netdevs.put(one.name(), one));
    this.rates = host.rates();
  }

  /**
   * {@return a device to publish, with its attributes}
   *
   * @param device the device
   * @param provided the attributes of providers, by name with domain
   * @param cuts receives each attribute that was shortened or left out
   */
  public Device of(
      NetworkDevice device,
      Map<String, DeviceAttribute> provided,
      BiConsumer<String, AttributeBuilder.Cut> cuts) {
    AttributeBuilder all = AttributeBuilder.forDriver(driver);
    for (AttributeGroup group : AttributeGroup.values()) {
      if (groups.contains(group)) {
        switch (group) {
          case PLACE -> place(all, device);
          case INTERFACE -> link(all, device);
          case ADDRESSES -> addresses(all, device);
          case IDENTITY -> identity(all, device);
          case TRAFFIC -> traffic(all, device);
          case PROVIDERS -> provided(all, device, provided, cuts);
          case RATES -> rates(all, device);
          case HARDWARE -> hardware(all, device);
        }
      }
    }
    all.cuts().forEach(cut -> cuts.accept(device.name(), cut));
    return all.build(device.name());
  }

  /** Adds an attribute of a provider; leaves it out if it cannot be published. */
  private static void provided(
      AttributeBuilder all,
      NetworkDevice device,
      Map<String, DeviceAttribute> provided,
      BiConsumer<String, AttributeBuilder.Cut> cuts) {
    provided.forEach(
        (name, value) -> {
          try {
            all.attribute(name, value);
          } catch (IllegalArgumentException e) {
            cuts.accept(
                device.name(), new AttributeBuilder.Cut(name, "left out: " + e.getMessage()));
          }
        });
  }

  private void place(AttributeBuilder all, NetworkDevice device) {
    all.whole("ifName", device.interfaceName());
    PciFunction function = device.function();
    RdmaDevice rdma = device.rdma();
    PciAddress address =
        function != null ? function.address() : rdma == null ? null : rdma.address();
    all.whole("pciAddress", address == null ? null : address.toString());
    all.flag("rdma", rdma != null);
    all.whole("rdmaDevice", rdma == null ? null : rdma.name());
    if (function != null) {
      all.whole(StandardAttributes.PCIE_ROOT, function.pcieRoot());
      OptionalInt node = function.location().numaNode();
      if (node.isPresent()) {
        all.attribute(
            StandardAttributes.NUMA_NODE,
            numaNodeLists
                ? new DeviceAttribute.IntValues(NearNumaNodes.of(node.getAsInt(), host.numaNodes()))
                : DeviceAttribute.of(node.getAsInt()));
      }
    }
  }

  private void link(AttributeBuilder all, NetworkDevice device) {
    if (device.link() == null) {
      return;
    }
    Link link = device.link().link();
    all.whole("type", TYPES.getOrDefault(link.kind(), link.kind()));
    all.flag("virtual", isVirtual(link));
    all.attribute("mac", DeviceAttribute.of(link.address().toString()));
    all.number("mtu", link.mtu());
    all.whole("state", link.operationalState().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    all.whole(
        "encapsulation",
        ENCAPSULATIONS.getOrDefault(link.hardwareType(), "unknown" + link.hardwareType()));
    PciFunction function = device.function();
    boolean physical = function != null && function.totalVirtualFunctions() > 0;
    all.flag("sriov", physical);
    if (function != null && physical) {
      all.number("sriovVfs", function.virtualFunctions().size());
    }
    if (function != null && function.physicalFunction() != null) {
      all.flag("isSriovVf", true);
    }
  }

  /** Returns whether the link is virtual, from {@code /sys} if that shows the same namespace. */
  private boolean isVirtual(Link link) {
    Netdev netdev = netdevs.get(link.name());
    boolean same = netdev != null && netdev.index().equals(OptionalInt.of(link.index()));
    return (netdev != null && same) ? netdev.virtual() : link.parentDevice().isEmpty();
  }

  private static void addresses(AttributeBuilder all, NetworkDevice device) {
    List<String> addresses = device.link() == null ? List.of() : device.link().addresses();
    all.joined("ipv4", addresses.stream().filter(one -> one.indexOf(':') < 0).toList());
    all.joined("ipv6", addresses.stream().filter(one -> one.indexOf(':') >= 0).toList());
  }

  private void identity(AttributeBuilder all, NetworkDevice device) {
    PciFunction function = device.function();
    if (function == null) {
      return;
    }
    OptionalInt node = function.location().numaNode();
    if (host.numaNodes().size() > 1 && node.isPresent()) {
      all.number("numaNode", node.getAsInt());
    }
    all.text("pciVendor", function.vendorName() == null ? "unknown" : function.vendorName());
    all.text("pciDevice", function.deviceName() == null ? "unknown" : function.deviceName());
    if (function.identity() != null) {
      all.whole("pciSubsystem", "%04x".formatted(function.identity().subsystemDevice()));
    }
  }

  private static void traffic(AttributeBuilder all, NetworkDevice device) {
    LinkFacts link = device.link();
    if (link == null) {
      return;
    }
    all.flag("ebpf", link.ebpf());
    all.joined("tcFilterNames", link.filters());
    all.joined("tcxProgramNames", link.programs());
    String alias = link.link().alias();
    if (alias.isEmpty()) {
      all.attribute("alias", DeviceAttribute.of(""));
    } else {
      all.text("alias", alias);
    }
  }

  private void rates(AttributeBuilder all, NetworkDevice device) {
    PciFunction function = device.function();
    if (function == null) {
      return;
    }
    if (function.address().domain()
        <= 0xffff) { // the helper of Kubernetes does not support longer ones
      all.whole(StandardAttributes.PCI_BUS_ID, function.address().toString());
    }
    Long rate = rates.get(function.address());
    if (rate != null && rate > 0) {
      all.capacity("bandwidth", rate % 1_000 == 0 ? rate / 1_000 + "G" : rate + "M");
      all.number("megabitsPerSecond", rate);
    }
    PciAddress physical = function.physicalFunction();
    PciFunction parent = physical == null ? null : functions.get(physical);
    if (parent != null) {
      all.whole(
          "pfName", parent.names().stream().filter(netdevs::containsKey).findFirst().orElse(null));
      int index = parent.virtualFunctions().indexOf(function.address());
      if (index >= 0) {
        all.number("vfIndex", index);
      }
    }
  }

  /** Returns a number of the identity of a function in hexadecimal; null if it is not known. */
  private static @Nullable String number(int number) {
    return number == 0 ? null : "0x%04x".formatted(number);
  }

  private static void hardware(AttributeBuilder all, NetworkDevice device) {
    PciFunction function = device.function();
    RdmaPort port = port(device);
    all.whole("portState", port == null ? null : port.state());
    if (function != null) {
      PcieLink link = function.link();
      if (link != null) {
        all.number("pcieSpeed", link.megatransfersPerSecond());
        all.number("pcieWidth", link.width());
      }
    }
    String driver = function == null ? null : function.driver();
    LinkFacts facts = device.link();
    all.text("driver", driver == null && facts != null ? facts.driver() : driver);
    if (function != null && function.identity() != null) {
      all.whole("vendorID", number(function.identity().vendor()));
      all.whole("deviceID", number(function.identity().device()));
    }
    String firmware = facts == null ? "" : facts.firmware();
    if (firmware.isEmpty() && device.rdma() != null) {
      firmware = device.rdma().firmwareVersion();
    }
    all.text("firmware", firmware);
  }

  /** Returns the interface's port; if not known, the first one that is up; null without ports. */
  private static @Nullable RdmaPort port(NetworkDevice device) {
    RdmaDevice rdma = device.rdma();
    String name = device.interfaceName();
    RdmaPort port = null;
    if (rdma != null) {
      for (RdmaPort one : rdma.ports()) {
        if (name.equals(one.netdev())) {
          return one;
        }
        if (port == null || (one.isActive() && !port.isActive())) {
          port = one;
        }
      }
    }
    return port;
  }
}
