package io.dra4j.netlink.state;

import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What makes a route one of a link. Routes of others, and such as lead nowhere, like blackholes,
 * are of interest only as they send from an address of the link.
 *
 * @param index the index of the link
 * @param objects the next-hop objects that use it, of which the kernel may name no links
 */
record RouteOwnership(int index, Set<Integer> objects) {

  static RouteOwnership of(int index, List<NextHopObject> objects) {
    return new RouteOwnership(
        index, objects.stream().map(NextHopObject::id).collect(Collectors.toSet()));
  }

  /** Whether a route goes through the link, if only as one of several ways. */
  boolean has(Route one) {
    return one.index().orElse(0) == index
        || one.nextHops().stream().anyMatch(hop -> hop.index().orElse(0) == index)
        || (one.nextHopObject().isPresent() && objects.contains(one.nextHopObject().getAsInt()));
  }
}
