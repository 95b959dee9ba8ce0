package io.dra4j.netlink.state;

import io.dra4j.netlink.route.Route;
import java.util.HashSet;
import java.util.Set;

/**
 * What makes a route one of a link. Routes of others, and such as lead nowhere, like blackholes,
 * are of interest only as they send from an address of the link.
 *
 * @param index the index of the link
 * @param objects the next-hop objects that use it, of which the kernel may tell no links
 */
record RouteOwnership(int index, Set<Integer> objects) {

  /** Copies the set. {@inheritDoc} */
  RouteOwnership {
    objects = Set.copyOf(objects);
  }

  /** Whether a route goes through the link, if only as one of several ways. */
  boolean has(Route one) {
    return links(one).contains(index)
        || (one.nextHopObject().isPresent() && objects.contains(one.nextHopObject().getAsInt()));
  }

  /** The links that the kernel tells of a route. */
  static Set<Integer> links(Route one) {
    Set<Integer> links = new HashSet<>();
    one.index().ifPresent(links::add);
    one.nextHops().forEach(hop -> hop.index().ifPresent(links::add));
    return links;
  }
}
