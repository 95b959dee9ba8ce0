package io.dra4j.dranet.discovery;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.NextHop;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The links that connect the host itself to the network, and must stay on the host. These are the
 * links of the preferred default routes of IPv4 and IPv6, and all links below them: members of a
 * bond or team, ports of a bridge, the virtual function below an accelerated interface, the link
 * below a VLAN. Other links that are built on them, such as a macvlan, are not uplinks.
 */
public final class Uplinks {

  /** {@code RTPROT_RA} of linux/rtnetlink.h. */
  static final int ROUTER_ADVERTISEMENT = 9;

  private Uplinks() {}

  /**
   * Reads the routes of the main table. With {@code net.ipv4.nexthop_compat_mode} 0, the kernel
   * reports no links of default routes with next-hop objects; the result has them, as uplinks.
   *
   * @param route the namespace
   * @return the routes in the order of the kernel
   * @throws NetlinkException if they cannot be read
   */
  public static List<Route> mainRoutes(RouteNetlink route) throws NetlinkException {
    List<Route> routes = route.routes().list(Route.MAIN_TABLE);
    if (routes.stream().noneMatch(Uplinks::isByObjectAlone)) {
      return routes;
    }
    Map<Integer, NextHopObject> objects = new HashMap<>();
    route.nextHopObjects().list().forEach(object -> objects.put(object.id(), object));
    return routes.stream()
        .map(one -> isByObjectAlone(one) ? one.withNextHops(waysOf(one, objects)) : one)
        .toList();
  }

  private static boolean isByObjectAlone(Route route) {
    return isDefault(route) && route.nextHopObject().isPresent() && links(route).isEmpty();
  }

  private static List<NextHop> waysOf(Route route, Map<Integer, NextHopObject> objects) {
    List<NextHop> ways = new ArrayList<>();
    NextHopObject object = objects.get(route.nextHopObject().orElse(0));
    if (object != null) { // otherwise the route was deleted meanwhile
      object.index().ifPresent(index -> ways.add(NextHop.onLink(index)));
      for (int member : object.group().keySet()) {
        NextHopObject one = objects.get(member);
        if (one != null) {
          one.index().ifPresent(index -> ways.add(NextHop.onLink(index)));
        }
      }
    }
    return ways;
  }

  /**
   * {@return the indexes of the uplinks, which must stay}
   *
   * @param routes the routes of the main table ({@link #mainRoutes})
   * @param links the links
   */
  public static Set<Integer> of(List<Route> routes, List<Link> links) {
    return routes(routes, links).keySet();
  }

  /**
   * Finds the uplinks, each with the default route that makes it one.
   *
   * @param routes the routes of the main table
   * @param links the links
   * @return the default routes by the indexes of the links that must stay; a configured route is
   *     preferred to a route from a router advertisement
   */
  static Map<Integer, Route> routes(List<Route> routes, List<Link> links) {
    Map<Integer, Route> uplinks = new HashMap<>();
    for (boolean v6 : new boolean[] {false, true}) {
      long best = Long.MAX_VALUE;
      Map<Integer, Route> found = new HashMap<>();
      for (Route route : routes) {
        if (route.destination().address().isV6() != v6 || !isDefault(route)) {
          continue;
        }
        long metric = Integer.toUnsignedLong(route.metric());
        if (links(route).isEmpty()) {
          continue; // it uses no link, like a blackhole
        }
        if (metric < best) {
          best = metric;
          found.clear();
        }
        if (metric == best) {
          links(route).forEach(index -> found.merge(index, route, Uplinks::own));
        }
      }
      found.forEach((index, route) -> uplinks.merge(index, route, Uplinks::own));
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Link link : links) {
        Route ofMaster = uplinks.get(link.masterIndex().orElse(0));
        if (ofMaster != null) {
          more |= uplinks.putIfAbsent(link.index(), ofMaster) == null;
        }
        Route own = uplinks.get(link.index());
        if (own != null && link.lowerIndex().isPresent()) {
          more |= uplinks.putIfAbsent(link.lowerIndex().getAsInt(), own) == null;
        }
      }
    }
    return uplinks;
  }

  private static Route own(Route one, Route other) {
    return one.protocol() == ROUTER_ADVERTISEMENT ? other : one;
  }

  private static boolean isDefault(Route route) {
    return route.isDefault()
        && route.destination().address().isAny()
        && route.table() == Route.MAIN_TABLE
        && route.type() == Route.UNICAST;
  }

  private static List<Integer> links(Route route) {
    List<Integer> links = new ArrayList<>();
    route.index().ifPresent(links::add);
    for (NextHop hop : route.nextHops()) {
      hop.index().ifPresent(links::add);
    }
    return links;
  }
}
