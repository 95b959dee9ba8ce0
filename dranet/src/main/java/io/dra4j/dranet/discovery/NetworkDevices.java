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
  private final RdmaNetdevs netdevs;
  private final Map<PciAddress, PciFunction> functions = new HashMap<>();
  private final Map<PciAddress, List<LinkFacts>> onFunctions = new HashMap<>();
  private final List<LinkFacts> others = new ArrayList<>(); // links on no function
  private final Set<PciAddress> kept = new HashSet<>(); // functions of links that cannot be moved
  private final Set<String> taken = new HashSet<>(); // RDMA devices
  private final Map<String, NetworkDevice> devices = new TreeMap<>();

  private NetworkDevices(HostInventory host, NetworkFacts facts, boolean movesIpoib) {
    this.host = host;
    this.facts = facts;
    this.movesIpoib = movesIpoib;
    this.netdevs = RdmaNetdevs.of(host);
  }

  /**
   * {@return the devices in the order of their names, which are unique}
   *
   * @param host the inventory that readers found
   * @param facts the facts that the kernel reports about the links
   * @param movesIpoib whether IPoIB interfaces are offered; otherwise only their RDMA devices
   */
  public static List<NetworkDevice> of(HostInventory host, NetworkFacts facts, boolean movesIpoib) {
    return new NetworkDevices(host, facts, movesIpoib).find();
  }

  private List<NetworkDevice> find() {
    host.pciFunctions().forEach(one -> functions.put(one.address(), one));
    sortLinks();
    host.pciFunctions().forEach(this::addFunction);
    host.rdmaDevices().forEach(this::addRdma);
    others.forEach(this::addLink);
    onFunctions.forEach(
        (address, links) -> { // for which no function was found
          if (!functions.containsKey(address)) {
            links.forEach(this::addLink);
          }
        });
    return List.copyOf(devices.values());
  }

  /** Sorts the offered links by their functions. */
  private void sortLinks() {
    Map<String, MoveObstacle> obstacles = facts.obstacles();
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
  }

  private void addFunction(PciFunction function) {
    List<LinkFacts> links = sorted(onFunctions.getOrDefault(function.address(), List.of()));
    boolean serves =
        isServed(function)
            && !kept.contains(function.address())
            && (!isLive() || hasRdma(function));
    if (!links.isEmpty() || serves) {
      LinkFacts first = links.isEmpty() ? null : links.get(0);
      put(DeviceNames.of(function.address()), function, first);
    }
    for (int i = 1; i < links.size(); i++) { // further ports of one function
      put(DeviceNames.of(links.get(i).link().name()), function, links.get(i));
    }
  }

  /** Adds an RDMA device on a function that is not listed yet. */
  private void addRdma(RdmaDevice rdma) {
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

  private void addLink(LinkFacts link) {
    put(DeviceNames.of(link.link().name()), null, link);
  }

  private void put(String name, @Nullable PciFunction function, @Nullable LinkFacts link) {
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

  /** Returns whether the kernel was queried. If so, functions need an interface or RDMA device. */
  private boolean isLive() {
    return !facts.links().isEmpty();
  }

  private boolean hasRdma(PciFunction function) {
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

  /** Returns the link's PCI address; empty if built on an interface, even if one is reported. */
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
