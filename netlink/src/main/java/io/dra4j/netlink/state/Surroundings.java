package io.dra4j.netlink.state;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.route.BridgeVlan;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.PortVlans;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.route.TrafficControl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a namespace has beside the links themselves, as one reading finds it. Lists are asked for
 * when they are first needed, and once for all links of the reading; if it is about one link only,
 * the kernel tells what is of that link where it can. Not thread-safe.
 */
final class Surroundings {

  private static final int RTM_NEWNEIGHTBL = 64; // linux/rtnetlink.h
  private static final int RTM_GETNEIGHTBL = 66;
  static final String FIRST = "first";
  static final String LAST = "last";

  /** What the place of routes ends with that send from an address of the link through others. */
  static final String OF_OTHER_LINKS = " through other links";

  private static final Pattern RUNS = Pattern.compile("o+|x");

  private static final int BY_OBJECT = 0; // no link has this index

  private final RouteNetlink route;
  private final boolean isOfOne;
  private @Nullable Map<Integer, List<InterfaceAddress>> addresses;
  private @Nullable Map<Integer, List<Neighbour>> neighbours;
  private @Nullable Map<Integer, List<Neighbour>> proxies;
  private @Nullable List<Route> all;
  private @Nullable Map<Integer, List<Route>> routes;
  private final Map<IpAddress, List<Route>> routesFrom = new HashMap<>();
  private @Nullable Map<Integer, List<TrafficControl>> disciplines;
  private @Nullable Map<Integer, Map<String, String>> parameters;
  private @Nullable Map<Integer, List<BridgeVlan>> vlans;
  private @Nullable List<NextHopObject> nextHops;
  private @Nullable List<Rule> rules;

  /**
   * Asks for nothing yet.
   *
   * @param isOfOne whether a single link is read
   */
  Surroundings(RouteNetlink route, boolean isOfOne) {
    this.route = route;
    this.isOfOne = isOfOne;
  }

  List<InterfaceAddress> addresses(int index) throws NetlinkException {
    if (isOfOne) {
      return route.addresses().list(LinkKey.of(index));
    }
    if (addresses == null) {
      addresses =
          route.addresses().list().stream().collect(Collectors.groupingBy(one -> one.index()));
    }
    return addresses.getOrDefault(index, List.of());
  }

  List<Neighbour> neighbours(int index) throws NetlinkException {
    if (isOfOne) {
      return route.neighbours().list(LinkKey.of(index));
    }
    if (neighbours == null) {
      neighbours = byLink(route.neighbours().list());
    }
    return neighbours.getOrDefault(index, List.of());
  }

  /** The kernel tells those of a link only from Linux 5.0 on, and there are few. */
  List<Neighbour> proxies(int index) throws NetlinkException {
    if (proxies == null) {
      proxies = byLink(route.neighbours().proxies());
    }
    return proxies.getOrDefault(index, List.of());
  }

  private static Map<Integer, List<Neighbour>> byLink(List<Neighbour> all) {
    return all.stream().collect(Collectors.groupingBy(Neighbour::index));
  }

  /** Rules are of no link: they name links, and some of them one that has another name by now. */
  List<Rule> rules(String name, Set<Rule> others) throws NetlinkException {
    return allRules().stream()
        .filter(
            one ->
                one.inputLink().equals(name)
                    || one.outputLink().equals(name)
                    || others.contains(one.withoutState()))
        .toList();
  }

  private List<Rule> allRules() throws NetlinkException {
    if (rules == null) {
      rules = route.rules().list();
    }
    return rules;
  }

  /** Those that use a link, and the groups with those. */
  List<NextHopObject> nextHops(int index) throws NetlinkException {
    if (nextHops == null) {
      try {
        nextHops = route.nextHopObjects().list();
      } catch (NetlinkException.Unsupported e) { // before Linux 5.3
        nextHops = List.of();
      }
    }
    List<NextHopObject> ours = new ArrayList<>();
    Set<Integer> numbers = new HashSet<>();
    for (NextHopObject one : nextHops) {
      if (one.index().orElse(0) == index) {
        ours.add(one);
        numbers.add(one.id());
      }
    }
    for (NextHopObject one : nextHops) {
      if (one.group().keySet().stream().anyMatch(numbers::contains)) {
        ours.add(one);
      }
    }
    return ours;
  }

  /**
   * Those of a link; and all others that send from one of some addresses, with which the kernel
   * deletes them (IPv4, {@code fib_sync_down_addr}) or takes it from them (IPv6). Those it tells of
   * all links only.
   */
  List<Route> routes(Ways ways, Set<IpAddress> sources) throws NetlinkException {
    int index = ways.index();
    if (isOfOne && sources.isEmpty()) {
      return route.routes().through(LinkKey.of(index)).stream().filter(ways::has).toList();
    }
    if (routes == null) {
      routes = new HashMap<>();
      for (Route one : all()) {
        Set<Integer> keys = Ways.links(one);
        if (one.nextHopObject().isPresent()) {
          keys.add(BY_OBJECT);
        }
        keys.forEach(key -> routes.computeIfAbsent(key, none -> new ArrayList<>()).add(one));
        one.preferredSource()
            .ifPresent(
                from -> routesFrom.computeIfAbsent(from, none -> new ArrayList<>()).add(one));
      }
    }
    List<Route> through = new ArrayList<>(routes.getOrDefault(index, List.of()));
    for (Route one : routes.getOrDefault(BY_OBJECT, List.of())) {
      if (ways.has(one) && !Ways.links(one).contains(index)) {
        through.add(one);
      }
    }
    for (IpAddress source : sources) {
      for (Route one : routesFrom.getOrDefault(source, List.of())) {
        if (!ways.has(one)) {
          through.add(one);
        }
      }
    }
    return through;
  }

  private List<Route> all() throws NetlinkException {
    if (all == null) {
      all = route.routes().list();
    }
    return all;
  }

  /**
   * Where routes of a link have a place together with those of others: whether they come {@code
   * first}, {@code last}, or otherwise such as {@code others, 2 own, others}, by place. To
   * addresses of one link each, such as {@code fe80::/64}, every link has one, and none is used
   * before others. Routes of others that send from its addresses stand for themselves.
   */
  Map<String, String> order(List<Route> ours, Ways ways) throws NetlinkException {
    Set<IpPrefix> shared = shared(ours, ways);
    Set<String> places = new HashSet<>();
    Set<Route> own = new HashSet<>();
    for (Route one : ours) {
      if (shared.contains(one.destination())) {
        places.add(place(one, ways));
        own.add(lasting(one));
      }
    }
    Map<String, StringBuilder> patterns = new HashMap<>();
    for (Route one : shared.isEmpty() ? List.<Route>of() : all()) {
      if (shared.contains(one.destination())) {
        boolean isOurs = own.contains(lasting(one));
        String place = Rows.place(one);
        boolean isHere = isOurs && ways.has(one);
        stand(isHere, place, places, patterns);
        stand(isOurs && !isHere, place + OF_OTHER_LINKS, places, patterns);
      }
    }
    return named(patterns);
  }

  /** Where routes of a link lead to which others seem to lead, too: few, where there are many. */
  private Set<IpPrefix> shared(List<Route> ours, Ways ways) throws NetlinkException {
    Set<IpPrefix> destinations = new HashSet<>();
    for (Route one : ours) {
      IpAddress to = one.destination().address();
      if (!(to.isV6() && (to.isLinkLocal() || (to.toBytes()[0] & 0xff) == 0xff))) {
        destinations.add(one.destination());
      }
    }
    if (destinations.isEmpty()) {
      return Set.of();
    }
    Set<Route> own = new HashSet<>(ours);
    return all().stream()
        .filter(one -> !own.contains(one) || !ways.has(one))
        .map(Route::destination)
        .filter(destinations::contains)
        .collect(Collectors.toSet());
  }

  /** What tells the row of a route from others, and whether it goes through other links only. */
  static String place(Route one, Ways ways) {
    return Rows.place(one) + (ways.has(one) ? "" : OF_OTHER_LINKS);
  }

  /** A route without what changes by itself from one list to the next. */
  private static Route lasting(Route one) {
    Route still = one.withoutState();
    return Lifetime.OfRoute.INSTANCE.ends(still)
        ? Lifetime.OfRoute.INSTANCE.compared(still)
        : still;
  }

  /** The same of rules that have a priority together with those of others. */
  Map<String, String> order(List<Rule> ours) throws NetlinkException {
    Set<Rule> own = new HashSet<>(ours);
    Set<String> places = new HashSet<>();
    own.forEach(one -> places.add(Rows.place(one)));
    Map<String, StringBuilder> patterns = new HashMap<>();
    for (Rule one : own.isEmpty() ? List.<Rule>of() : allRules()) {
      stand(own.contains(one), Rows.place(one), places, patterns);
    }
    return named(patterns);
  }

  private static void stand(
      boolean isOwn, String place, Set<String> places, Map<String, StringBuilder> patterns) {
    if (places.contains(place)) {
      StringBuilder seen = patterns.computeIfAbsent(place, none -> new StringBuilder());
      if (isOwn) {
        seen.append('o');
      } else if (seen.isEmpty() || seen.charAt(seen.length() - 1) != 'x') {
        seen.append('x');
      }
    }
  }

  private static Map<String, String> named(Map<String, StringBuilder> patterns) {
    Map<String, String> named = new TreeMap<>();
    patterns.forEach(
        (place, seen) -> {
          List<String> runs =
              RUNS.matcher(seen)
                  .results()
                  .map(one -> one.group().equals("x") ? "others" : one.group().length() + " own")
                  .toList();
          if (runs.size() == 2) {
            named.put(place, runs.get(1).equals("others") ? FIRST : LAST);
          } else if (runs.size() > 2) {
            named.put(place, String.join(", ", runs));
          }
        });
    return named;
  }

  /** The VLANs that the link has as a port of a bridge. */
  List<BridgeVlan> bridgeVlans(int index) throws NetlinkException {
    if (vlans == null) {
      vlans = new HashMap<>();
      for (PortVlans port : route.bridgeVlans().list()) {
        vlans.put(port.index(), port.vlans());
      }
    }
    return vlans.getOrDefault(index, List.of());
  }

  /** Queueing disciplines, which the kernel tells of all links at once. */
  List<TrafficControl> disciplines(int index) throws NetlinkException {
    if (disciplines == null) {
      disciplines =
          route.queueDisciplines().list().stream()
              .collect(Collectors.groupingBy(TrafficControl::index));
    }
    return disciplines.getOrDefault(index, List.of());
  }

  /** The sysctls {@code neigh} of a link, which the kernel tells of all links at once. */
  Map<String, String> neighbourParameters(int index) throws NetlinkException {
    if (parameters == null) {
      Map<Integer, Map<String, String>> all = new HashMap<>();
      NetlinkSocket socket = route.socket();
      socket.<Boolean>dump(
          socket
              .request(RTM_GETNEIGHTBL, 0, AttributeTable.NONE, "list neighbour tables")
              .appendZeros(4),
          RTM_NEWNEIGHTBL,
          message -> {
            Configuration.readNeighbours(
                message.attributes(4),
                link ->
                    isOfOne && link != index
                        ? new TreeMap<>()
                        : all.computeIfAbsent(link, none -> new TreeMap<>()));
            return null;
          });
      parameters = all;
    }
    return parameters.getOrDefault(index, Map.of());
  }
}
