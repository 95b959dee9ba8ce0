package io.dra4j.netlink.state;

import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rule by which routes belong to a link. Routes of other links, and routes without a link, like
 * blackholes, matter only if they send from an address of the link.
 *
 * @param index the index of the link
 * @param objects the next-hop objects that use it; the kernel may report routes through them
 *     without a link
 */
record RouteOwnership(int index, Set<Integer> objects) {

  static RouteOwnership of(int index, List<NextHopObject> objects) {
    return new RouteOwnership(
        index, objects.stream().map(NextHopObject::id).collect(Collectors.toSet()));
  }

  /** Returns whether a route goes through the link, also with only one of several next hops. */
  boolean has(Route one) {
    return one.index().orElse(0) == index
        || one.nextHops().stream().anyMatch(hop -> hop.index().orElse(0) == index)
        || (one.nextHopObject().isPresent() && objects.contains(one.nextHopObject().getAsInt()));
  }
}
