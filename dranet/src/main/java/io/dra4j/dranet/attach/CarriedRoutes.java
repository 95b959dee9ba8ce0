package io.dra4j.dranet.attach;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.Prefixes;
import io.dra4j.dranet.config.RouteConfig;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.NextHop;
import io.dra4j.netlink.route.Route;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The routes of a link in a pod: the configured routes, and the routes of the host that are valid
 * there, with all their properties such as metric, type and flags.
 */
final class CarriedRoutes {

  private static final int REDIRECT = 1; // RTPROT_REDIRECT: the kernel learns it again

  private final NetworkConfig config;
  private final Consumer<String> notices;
  private final Set<IpAddress> own; // the addresses of the link
  private final List<IpPrefix> near = new ArrayList<>(); // destinations on the link
  private final Set<String> known = new HashSet<>();
  private final List<PlannedRoute> routes = new ArrayList<>();
  private final List<ConfigurationProblem> problems = new ArrayList<>();
  private final Set<Integer> tables = new HashSet<>();

  private CarriedRoutes(NetworkConfig config, Set<IpAddress> own, Consumer<String> notices) {
    this.config = config;
    this.own = own;
    this.notices = notices;
  }

  /** Determines the routes; {@code leased} has the destinations of those from a DHCP server. */
  static CarriedRoutes of(
      NetworkConfig config,
      List<IpPrefix> leased,
      HostLink host,
      List<InterfaceAddress> addresses,
      Consumer<String> notices) {
    Set<IpAddress> own =
        addresses.stream().map(one -> one.address().address()).collect(Collectors.toSet());
    CarriedRoutes all = new CarriedRoutes(config, own, notices);
    all.fill(leased, host, addresses);
    return all;
  }

  private void fill(List<IpPrefix> leased, HostLink host, List<InterfaceAddress> addresses) {
    List<RouteConfig> given = config.routes() == null ? List.of() : config.routes();
    List<Route> carried = new ArrayList<>();
    for (Route one : host.state().routes()) {
      onlyThis(one, host.link().index(), notices)
          .filter(CarriedRoutes::isWorth)
          .ifPresent(carried::add);
    }
    addNear(given, carried, addresses);
    for (int i = 0; i < given.size(); i++) {
      addGiven(given.get(i), i, leased);
    }
    carried.forEach(this::addCarried);
    // A gateway must be reachable when its route is added: routes on the link come first.
    routes.sort(
        Comparator.comparingInt((PlannedRoute one) -> one.route().scope())
            .reversed()
            .thenComparing(one -> one.route().gateway().isPresent()));
    tables.removeAll(Set.of(0, 253, Route.MAIN_TABLE, Route.LOCAL_TABLE));
  }

  /** Adds the destinations that are reached without a gateway. */
  private void addNear(
      List<RouteConfig> given, List<Route> carried, List<InterfaceAddress> addresses) {
    for (InterfaceAddress one : addresses) {
      near.add(one.address());
      one.peer().ifPresent(peer -> near.add(new IpPrefix(peer, one.address().length())));
    }
    given.stream().filter(one -> one.gateway() == null).forEach(one -> near.add(one.destination()));
    carried.stream()
        .filter(one -> one.gateway().isEmpty())
        .filter(this::hasOwnSource)
        .forEach(one -> near.add(one.destination()));
  }

  private boolean hasOwnSource(Route route) {
    return route.preferredSource().map(own::contains).orElse(true);
  }

  private void addGiven(RouteConfig one, int index, List<IpPrefix> leased) {
    long table =
        config.link().vrf() == null ? one.effectiveTable() : config.link().vrf().effectiveTable();
    Route route = LinkPlanner.route(one, table);
    IpAddress gateway = one.gateway();
    if (gateway != null && !isNear(gateway)) {
      problems.add(
          new ConfigurationProblem(
              "/routes/" + index + "/gateway",
              gateway + " cannot be reached: no address or link route of the interface covers it"));
    }
    known.add(PodRoutes.key(route));
    routes.add(
        leased.contains(one.destination())
            ? PlannedRoute.leased(route)
            : PlannedRoute.configured(route, index));
  }

  private void addCarried(Route one) {
    Route route =
        config.link().vrf() == null
            ? one
            : one.withTable((int) config.link().vrf().effectiveTable());
    boolean reachable =
        (one.flags() & Route.ON_LINK) != 0 || one.gateway().map(this::isNear).orElse(true);
    if (!reachable || !hasOwnSource(one)) {
      notices.accept(
          "route "
              + one
              + " of the host is left out: in the pod, the interface does not have "
              + (reachable ? "its source address" : "a route to its gateway"));
    } else if (known.add(PodRoutes.key(route))) {
      routes.add(PlannedRoute.carried(route));
      tables.add(route.table());
    }
  }

  private boolean isNear(IpAddress gateway) {
    return (gateway.isV6() && gateway.isLinkLocal())
        || near.stream().anyMatch(network -> Prefixes.contains(network, gateway));
  }

  /**
   * Returns whether the route must be carried over. The kernel itself recreates the routes that it
   * creates from addresses and from received messages.
   */
  private static boolean isWorth(Route route) {
    return route.table() != Route.LOCAL_TABLE
        && route.type() == Route.UNICAST
        && route.protocol() != Route.PROTOCOL_KERNEL
        && route.protocol() != REDIRECT
        && !(route.destination().address().isV6()
            && (route.destination().address().isLinkLocal()
                || route.destination().address().toBytes()[0] == -1));
  }

  /**
   * Returns the route without its next hops over other links; empty if it cannot be carried over.
   */
  private static Optional<Route> onlyThis(Route route, int index, Consumer<String> notices) {
    if (route.nextHopObject().isPresent()) {
      notices.accept("route " + route + " stays on the host: it uses a next-hop object");
      return Optional.empty();
    }
    List<NextHop> ways = route.nextHops();
    if (ways.isEmpty()) {
      return Optional.of(route.withoutState());
    }
    List<NextHop> ours = ways.stream().filter(way -> way.index().orElse(0) == index).toList();
    if (ours.size() != 1) {
      notices.accept(
          "route " + route + " stays on the host: it has several next hops over one link");
      return Optional.empty();
    }
    Route one = route.withoutState().withNextHops(List.of()).withLink(index);
    Optional<IpAddress> gateway = ours.get(0).gateway();
    return Optional.of(gateway.isPresent() ? one.withGateway(gateway.get()) : one);
  }

  List<PlannedRoute> routes() {
    return routes;
  }

  /** Returns the problems of configured routes. */
  List<ConfigurationProblem> problems() {
    return problems;
  }

  /**
   * Returns the tables, other than the standard tables of every host, that get routes of the host.
   */
  Set<Integer> carriedTables() {
    return tables;
  }
}
