package io.dra4j.dranet.discovery;

import io.dra4j.netlink.route.Link;
import io.dra4j.rdma.RdmaNetdevs;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.topology.PciAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the network devices of a host: PCI functions of class 02 with a kernel driver and with an
 * interface in the namespace or an RDMA device; RDMA devices on other functions; and all other
 * interfaces. Links that cannot be moved ({@link MoveObstacle}), such as bridges and uplinks, and
 * links of the node's own network are left out. For a captured host, whose links are not known, all
 * functions are listed.
 */
public final class NetworkDevices {

  private static final int NETWORK_CLASS = 0x02;

  /** Drivers that pass a function to user-space programs; such a function has no interface. */
  private static final Set<String> USER_SPACE_DRIVERS =
      Set.of("vfio-pci", "uio_pci_generic", "igb_uio", "pci-stub");

  private static final Set<String> NODE_LINKS = Set.of("cilium_net", "cilium_host", "docker0");

  private final HostInventory host;
  private final NetworkFacts facts;
  private final boolean movesIpoib;

  private NetworkDevices(HostInventory host, NetworkFacts facts, boolean movesIpoib) {
    this.host = host;
    this.facts = facts;
    this.movesIpoib = movesIpoib;
  }

  /**
   * Finds the devices.
   *
   * @param host the inventory that readers found
   * @param facts the facts that the kernel reports about the links
   * @param movesIpoib whether IPoIB interfaces are offered; otherwise only their RDMA devices are
   *     offered
   * @return the devices in the order of their names, which are unique
   */
  public static List<NetworkDevice> of(HostInventory host, NetworkFacts facts, boolean movesIpoib) {
    return new NetworkDevices(host, facts, movesIpoib).find();
  }

  private List<NetworkDevice> find() {
    Map<PciAddress, PciFunction> functions = new HashMap<>();
    host.pciFunctions().forEach(one -> functions.put(one.address(), one));
    Map<PciAddress, List<LinkFacts>> onFunctions = new HashMap<>();
    List<LinkFacts> others = new ArrayList<>();
    Map<String, MoveObstacle> obstacles = facts.obstacles();
    Set<PciAddress> kept = new HashSet<>();
    for (LinkFacts one : facts.links()) {
      Optional<PciAddress> address = address(one.link());
      if (obstacles.containsKey(one.link().name())) {
        address.ifPresent(kept::add);
      } else if (isOffered(one.link())) {
        if (address.isPresent()) {
          onFunctions.computeIfAbsent(address.get(), none -> new ArrayList<>()).add(one);
        } else {
          others.add(one);
        }
      }
    }
    Map<String, NetworkDevice> devices = new TreeMap<>();
    RdmaNetdevs netdevs = RdmaNetdevs.of(host);
    Set<String> taken = new HashSet<>();
    for (PciFunction function : host.pciFunctions()) {
      List<LinkFacts> links = sorted(onFunctions.getOrDefault(function.address(), List.of()));
      boolean serves =
          isServed(function)
              && !kept.contains(function.address())
              && (!isLive() || hasRdma(function, taken));
      if (!links.isEmpty() || serves) {
        LinkFacts first = links.isEmpty() ? null : links.get(0);
        put(devices, taken, DeviceNames.of(function.address()), function, first, netdevs);
      }
      for (int i = 1; i < links.size(); i++) { // further ports of one function
        put(
            devices,
            taken,
            DeviceNames.of(links.get(i).link().name()),
            function,
            links.get(i),
            netdevs);
      }
    }
    for (RdmaDevice rdma : host.rdmaDevices()) {
      PciAddress address = rdma.address();
      String name = address == null ? "" : DeviceNames.of(address);
      if (address != null
          && rdma.parent() == null
          && !taken.contains(rdma.name())
          && !kept.contains(address)
          && !devices.containsKey(name)) {
        devices.put(name, new NetworkDevice(name, functions.get(address), null, rdma));
      }
    }
    for (LinkFacts one : others) {
      put(devices, taken, DeviceNames.of(one.link().name()), null, one, netdevs);
    }
    onFunctions.forEach(
        (address, links) -> { // for which no function was found
          if (!functions.containsKey(address)) {
            for (LinkFacts one : links) {
              put(devices, taken, DeviceNames.of(one.link().name()), null, one, netdevs);
            }
          }
        });
    return List.copyOf(devices.values());
  }

  private void put(
      Map<String, NetworkDevice> devices,
      Set<String> taken,
      String name,
      @Nullable PciFunction function,
      @Nullable LinkFacts link,
      RdmaNetdevs netdevs) {
    RdmaDevice rdma = null;
    if (link != null) {
      rdma = netdevs.find(link.link().name()).map(RdmaNetdevs.Match::device).orElse(null);
    }
    if (rdma == null && function != null) {
      for (RdmaDevice one : host.rdmaDevices()) {
        if (function.address().equals(one.address())
            && one.parent() == null
            && !taken.contains(one.name())) {
          rdma = one;
          break;
        }
      }
    }
    if (rdma != null) {
      taken.add(rdma.name());
    }
    devices.putIfAbsent(name, new NetworkDevice(name, function, link, rdma));
  }

  private boolean isOffered(Link link) {
    return !NODE_LINKS.contains(link.name())
        && (movesIpoib || !link.kind().equals("ipoib"))
        && !Netdev.isRepresentor(link.physicalPortName(), link.switchId().isPresent());
  }

  /**
   * Returns whether the kernel was queried. If so, functions without interface and RDMA device are
   * left out.
   */
  private boolean isLive() {
    return !facts.links().isEmpty();
  }

  private boolean hasRdma(PciFunction function, Set<String> taken) {
    return host.rdmaDevices().stream()
        .anyMatch(
            one ->
                function.address().equals(one.address())
                    && one.parent() == null
                    && !taken.contains(one.name()));
  }

  private static boolean isServed(PciFunction function) {
    return function.identity() != null
        && function.identity().classCode() >> 16 == NETWORK_CLASS
        && function.driver() != null
        && !USER_SPACE_DRIVERS.contains(function.driver());
  }

  /** Returns the links in the order of ports; links without port in the order of their indexes. */
  private static List<LinkFacts> sorted(List<LinkFacts> links) {
    return links.stream()
        .sorted(
            Comparator.comparing((LinkFacts one) -> one.link().physicalPortName())
                .thenComparing(one -> one.link().index()))
        .toList();
  }

  /**
   * Returns the PCI address of a link; empty for links that are built on an interface, even if the
   * kernel reports a function for them.
   */
  private static Optional<PciAddress> address(Link link) {
    boolean made = !link.kind().isEmpty() && !link.kind().equals("ipoib");
    if (made || !link.parentBus().equals("pci")) {
      return Optional.empty();
    }
    try {
      return Optional.of(PciAddress.parse(link.parentDevice()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
