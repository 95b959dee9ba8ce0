package io.dra4j.dranet.discovery;

import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.bpf.LinkProgram;
import io.dra4j.netlink.bpf.LinkPrograms;
import io.dra4j.netlink.ethtool.DriverInformation;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.TrafficControl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The facts that the kernel reports about a network namespace at one time: the links, and the
 * routes that show which links are uplinks of the host.
 *
 * @param links the links by index
 * @param mainRoutes the routes of the main table
 */
public record NetworkFacts(List<LinkFacts> links, List<Route> mainRoutes) {

  /** No facts, for a captured host. */
  public static final NetworkFacts NONE = new NetworkFacts(List.of(), List.of());

  /** Copies the lists. {@inheritDoc} */
  public NetworkFacts {
    links = List.copyOf(links);
    mainRoutes = List.copyOf(mainRoutes);
  }

  /** {@return the links that cannot be moved, by name with their reasons} */
  public Map<String, MoveObstacle> obstacles() {
    return MoveObstacle.of(mainRoutes, links.stream().map(LinkFacts::link).toList());
  }

  /**
   * Queries the kernel. BPF programs and firmware versions are left out if the process does not
   * have permission to read them.
   *
   * @param namespace the network namespace
   * @param warnings receives warnings about facts that were left out
   * @return the facts
   * @throws IOException if the namespace, links, addresses or routes cannot be read
   */
  public static NetworkFacts read(NetworkNamespace namespace, Consumer<String> warnings)
      throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      List<Link> links = route.links().list(LinkQuery.lean());
      Map<Integer, List<String>> addresses = addresses(route);
      List<Route> mainRoutes = Uplinks.mainRoutes(route);
      Map<Integer, String> gateways = ipv6Gateways(mainRoutes);
      Map<String, DriverInformation> drivers = drivers(namespace, links);
      BpfReader bpf = new BpfReader(route, LinkPrograms.in(namespace), warnings);
      List<LinkFacts> facts = new ArrayList<>();
      for (Link link : links) {
        Set<String> filters = new TreeSet<>();
        Set<String> programs = new TreeSet<>();
        boolean ebpf = bpf.readFilters(link, filters);
        try {
          ebpf |= bpf.readPrograms(link, programs);
        } catch (NetlinkException.NotFound e) {
          continue; // it was deleted meanwhile
        }
        DriverInformation driver = drivers.get(link.name());
        facts.add(
            new LinkFacts(
                link,
                addresses.getOrDefault(link.index(), List.of()),
                List.copyOf(filters),
                List.copyOf(programs),
                ebpf,
                driver == null ? "" : driver.driver(),
                driver == null ? "" : driver.firmwareVersion(),
                gateways.getOrDefault(link.index(), "")));
      }
      return new NetworkFacts(facts, mainRoutes);
    }
  }

  /** Reads the BPF programs of links. */
  private static final class BpfReader {

    private final RouteNetlink route;
    private final LinkPrograms programs;
    private final Consumer<String> warnings;
    private final Set<Integer> filtered = new HashSet<>(); // the links that may have filters
    private boolean asks = true; // for programs, until it is refused

    BpfReader(RouteNetlink route, LinkPrograms programs, Consumer<String> warnings)
        throws NetlinkException {
      this.route = route;
      this.programs = programs;
      this.warnings = warnings;
      for (TrafficControl one : route.queueDisciplines().list()) {
        if (one.type().equals("clsact") || one.type().equals("ingress")) {
          filtered.add(one.index());
        }
      }
    }

    /** Adds the names of the BPF filters of a link. Returns whether there is any. */
    boolean readFilters(Link link, Set<String> names) throws NetlinkException {
      boolean hasAny = false;
      if (filtered.contains(link.index())) {
        for (TrafficControl filter : route.filters().list(link)) {
          if (filter.type().equals("bpf")) {
            hasAny = true;
            addNamed(names, filter.programName());
          }
        }
      }
      return hasAny;
    }

    /** Adds the names of the tcx programs of a link. Returns whether there is any. */
    boolean readPrograms(Link link, Set<String> names) throws NetlinkException.NotFound {
      boolean hasAny = false;
      if (asks && !link.isLoopback()) {
        try {
          for (LinkProgram program : programs.list(link.index())) {
            if (!program.point().isXdp()) {
              hasAny = true;
              addNamed(names, program.name());
            }
          }
        } catch (NetlinkException.NotFound e) {
          throw e;
        } catch (IOException e) {
          asks = false;
          warnings.accept("cannot read BPF programs of links: " + e.getMessage());
        }
      }
      return hasAny;
    }
  }

  /** Returns the gateways of IPv6 default routes, by the indexes of their links. */
  static Map<Integer, String> ipv6Gateways(List<Route> routes) {
    Map<Integer, String> gateways = new HashMap<>();
    for (Route one : routes) {
      if (one.isDefault() && one.gateway().filter(IpAddress::isV6).isPresent()) {
        one.index().ifPresent(index -> gateways.putIfAbsent(index, one.gateway().get().toString()));
      }
    }
    return gateways;
  }

  private static void addNamed(Set<String> names, String name) {
    if (!name.isEmpty()) {
      names.add(name);
    }
  }

  private static Map<Integer, List<String>> addresses(RouteNetlink route) throws NetlinkException {
    Map<Integer, Set<String>> sorted = new HashMap<>();
    for (InterfaceAddress one : route.addresses().list()) {
      if (isGlobal(one.address())) {
        sorted.computeIfAbsent(one.index(), none -> new TreeSet<>()).add(one.address().toString());
      }
    }
    Map<Integer, List<String>> addresses = new HashMap<>();
    sorted.forEach((index, all) -> addresses.put(index, List.copyOf(all)));
    return addresses;
  }

  /** Returns whether it is global unicast as in Go's net package, including private addresses. */
  private static boolean isGlobal(IpPrefix prefix) {
    IpAddress address = prefix.address();
    int first = address.toBytes()[0] & 0xff;
    boolean multicast = address.isV6() ? first == 0xff : first >= 224 && first < 240;
    boolean loopback = address.isV6() ? address.toString().equals("::1") : first == 127;
    boolean broadcast = address.toString().equals("255.255.255.255");
    return !address.isAny() && !address.isLinkLocal() && !multicast && !loopback && !broadcast;
  }

  /** Reads all drivers, entering the namespace once; most kinds without hardware have none. */
  private static Map<String, DriverInformation> drivers(
      NetworkNamespace namespace, List<Link> links) throws IOException {
    List<String> names =
        links.stream().filter(link -> !link.parentDevice().isEmpty()).map(Link::name).toList();
    if (names.isEmpty()) {
      return Map.of();
    }
    return namespace.call(
        () -> {
          Map<String, DriverInformation> drivers = new HashMap<>();
          for (String name : names) {
            try {
              drivers.put(name, Ethtool.driver(LinkKey.of(name)));
            } catch (LinuxException e) {
              // it has none, or was deleted
            }
          }
          return drivers;
        });
  }
}
