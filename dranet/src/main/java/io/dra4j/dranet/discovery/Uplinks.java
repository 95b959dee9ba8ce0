package io.dra4j.dranet.discovery;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.NextHop;
import io.dra4j.netlink.route.Route;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The links that keep the host itself on the network, which nobody may take away: those of the
 * default routes that are preferred, in IPv4 and in IPv6, and all that they are made of: members of
 * a bond or team, ports of a bridge, the virtual function below an accelerated interface, the link
 * that a VLAN is on. What is made of them besides, such as a macvlan, is not among them.
 */
public final class Uplinks {

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
    Set<Integer> uplinks = new HashSet<>();
    for (boolean v6 : new boolean[] {false, true}) {
      long best = Long.MAX_VALUE;
      Set<Integer> found = new HashSet<>();
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
          found.addAll(links(route));
        }
      }
      uplinks.addAll(found);
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Link link : links) {
        int master = link.masterIndex().orElse(0);
        if (master != 0 && uplinks.contains(master)) {
          more |= uplinks.add(link.index());
        }
        if (uplinks.contains(link.index()) && isOnAnother(link)) {
          more |= uplinks.add(link.parentIndex().getAsInt());
        }
      }
    }
    return uplinks;
  }

  /** On another link of the namespace, as a VLAN is; the other end of a pair is no such. */
  private static boolean isOnAnother(Link link) {
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
