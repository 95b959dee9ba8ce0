package io.dra4j.dranet.discovery;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.NextHop;
import io.dra4j.netlink.route.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The links that keep the host itself on the network, which must not be taken away: those of the
 * default routes that are preferred, in IPv4 and in IPv6, and all that they are made of: members of
 * a bond or team, ports of a bridge, the virtual function below an accelerated interface, the link
 * that a VLAN is on. What is made of them besides, such as a macvlan, is not among them.
 */
public final class Uplinks {

  /** {@code RTPROT_RA} of linux/rtnetlink.h. */
  static final int ROUTER_ADVERTISEMENT = 9;

  private static final Set<String> PAIRS = Set.of("veth", "netkit", "vxcan");

  private Uplinks() {}

  /**
   * Finds the uplinks.
   *
   * @param routes the routes of the main table
   * @param links the links
   * @return the indexes of the links that must stay
   */
  public static Set<Integer> of(List<Route> routes, List<Link> links) {
    return routes(routes, links).keySet();
  }

  /**
   * Finds the uplinks, each with the default route that makes it one.
   *
   * @param routes the routes of the main table
   * @param links the links
   * @return the default routes by the indexes of the links that must stay; one of the host's own
   *     configuration rather than one that a router advertisement made
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
          continue; // the kernel may name a next-hop object alone (nexthop_compat_mode)
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
        if (own != null && isOnAnother(link)) {
          more |= uplinks.putIfAbsent(link.parentIndex().getAsInt(), own) == null;
        }
      }
    }
    return uplinks;
  }

  private static Route own(Route one, Route other) {
    return one.protocol() == ROUTER_ADVERTISEMENT ? other : one;
  }

  /** On another link of the namespace, as a VLAN is; the other end of a pair is no such. */
  static boolean isOnAnother(Link link) {
    return link.parentIndex().isPresent()
        && link.parentNamespace().isEmpty()
        && !PAIRS.contains(link.kind());
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
