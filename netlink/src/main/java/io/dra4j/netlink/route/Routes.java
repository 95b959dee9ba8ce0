package io.dra4j.netlink.route;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;
import java.util.function.Predicate;

/**
 * The routes of all tables of a network namespace ({@code ip route show table all}). Thread-safe.
 *
 * <pre>{@code
 * Route route = Route.to(IpPrefix.ALL_V4).withGateway(IpAddress.parse("192.0.2.1")).withMetric(50);
 * netlink.routes().add(route); // ip route add default via 192.0.2.1 metric 50
 * }</pre>
 */
public final class Routes extends RouteObjects<Route> {

  private static final int RTM_F_CLONED = 0x200;

  Routes(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.ROUTE, RouteCodec.LAYOUT, new RouteCodec());
  }

  /**
   * {@return the routes of a table, IPv4 first; empty if there is no such table} The list is
   * filtered here, because the kernel would filter only one family, and fail if a table is empty.
   *
   * @param table the number of the table, for example {@link Route#MAIN_TABLE}
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Route> list(int table) throws NetlinkException {
    return list(Payload.of(layout), route -> route.table() == table);
  }

  /** Lists routes. Older kernels also report learned facts as routes. */
  @Override
  List<Route> list(Payload question, Predicate<Route> wanted) throws NetlinkException {
    return super.list(question, wanted.and(route -> (route.state() & RTM_F_CLONED) == 0));
  }

  /**
   * {@return the routes of all tables that go through a link, IPv4 first: with a single next hop,
   * one of several, or a next-hop object; empty if there is no such link} The kernel filters the
   * list (from Linux 4.20 on), which matters with 100,000 routes.
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Route> through(LinkKey link) throws NetlinkException {
    return listOf(
        link,
        index -> Payload.of(layout).with("OIF", index),
        index -> route -> mayGoThrough(route, index));
  }

  /**
   * Returns whether a route may go through a link. For a next-hop object, the kernel may report
   * only the number ({@code nexthop_compat_mode}).
   */
  private static boolean mayGoThrough(Route route, int index) {
    return route.nextHopObject().isPresent()
        || route.index().orElse(0) == index
        || route.nextHops().stream().anyMatch(hop -> hop.index().orElse(0) == index);
  }

  /**
   * {@return the route that the kernel chooses for packets to an address}
   *
   * @param destination the address
   * @throws NetlinkException if there is none (ENETUNREACH, EHOSTUNREACH) or the conversation fails
   */
  public Route get(IpAddress destination) throws NetlinkException {
    Payload question =
        Payload.of(layout)
            .set("family", destination.family())
            .with("DST", "dst_len", IpPrefix.host(destination));
    return get(question, new Text("route to ", destination));
  }

  /**
   * Adds a route after the routes with the same destination and metric, as {@code ip route append}
   * does ({@code NLM_F_APPEND}). For IPv6 routes with gateways, the kernel creates one route with
   * several next hops.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is an identical route
   */
  public void append(Route route) throws NetlinkException {
    write("append ", MessageFlags.CREATE | MessageFlags.APPEND, route);
  }

  /**
   * Adds a route before the routes with the same destination and metric, so that it is used, as
   * {@code ip route prepend} does ({@code NLM_F_CREATE} alone). IPv6 routes are always added after
   * the others.
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is an identical route
   */
  public void prepend(Route route) throws NetlinkException {
    write("prepend ", MessageFlags.CREATE, route);
  }

  /**
   * Adds a route, or replaces the route with the same destination and metric ({@code
   * NLM_F_REPLACE}).
   *
   * @param route the route
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void replace(Route route) throws NetlinkException {
    write("set ", MessageFlags.CREATE | MessageFlags.REPLACE, route);
  }
}
