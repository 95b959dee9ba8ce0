package io.dra4j.netlink.state;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds the routes of a link that are gone, and sets the next-hop objects that they go through. What
 * is in the place of an IPv6 route stays there.
 */
final class RouteWriter {

  private static final String SHARED =
      "it is shared with other links, which are not touched; add the part of this link by hand";

  private static final String NO_ADDRESS = "an address is refused that the kernel makes it of";
  private static final String IN_PLACE = "another route is in its place, which is not touched";

  private final RouteNetlink route;
  private final FailedAttempts attempts;
  private final Map<Integer, String> missingHops = new HashMap<>();
  private @Nullable Map<Object, List<Route>> present; // routes of all links, by their places

  RouteWriter(RouteNetlink route, FailedAttempts attempts) {
    this.route = route;
    this.attempts = attempts;
  }

  /**
   * Next-hop objects go before the routes through them.
   *
   * @param round 1 at first: what the kernel makes itself is left to it then
   */
  void set(LinkState wanted, LinkState now, int round) throws IOException {
    Set<Integer> ours =
        now.nextHopObjects().stream().map(NextHopObject::id).collect(Collectors.toSet());
    for (FactKind.Fact<NextHopObject> one : FactKind.NEXT_HOP.onlyIn(wanted, now)) {
      if (Obstacle.isShared(one.object(), wanted)) {
        attempts.refuse(one.toString(), SHARED);
      } else if (!attempts.attempt(one.toString(), () -> nextHop(one.object(), ours))) {
        missingHops.put(one.object().id(), one.toString());
      }
    }
    routes(wanted, now, round);
  }

  /** A number may be another link's by now, whose object is left alone. */
  private void nextHop(NextHopObject object, Set<Integer> ours) throws NetlinkException {
    for (int member : object.group().keySet()) {
      if (missingHops.containsKey(member)) {
        throw new IllegalArgumentException(missingHops.get(member) + " is not there");
      }
    }
    try {
      route.nextHopObjects().add(object);
    } catch (NetlinkException.Exists e) {
      if (!ours.contains(object.id())) {
        throw e;
      }
      route.nextHopObjects().replace(object);
    }
  }

  /** Those without a gateway first: a gateway is reached through one of them. */
  private void routes(LinkState wanted, LinkState now, int round) throws IOException {
    List<FactKind.Fact<Route>> missing = FactKind.ROUTE.onlyIn(wanted, now);
    missing.removeIf(one -> KernelMade.is(one) && round == 1);
    if (wanted.facts(FactKind.ADDRESS).stream().anyMatch(attempts::isRefused)) {
      // The route to the network of an IPv6 address would never go without it.
      missing.removeIf(
          one -> KernelMade.isAwaited(one) && attempts.refuse(one.toString(), NO_ADDRESS));
    }
    missing.sort(Comparator.comparing(one -> needsOthers(one.object())));
    for (FactKind.Fact<Route> one : missing) {
      attempts.attempt(one.toString(), () -> add(one.object(), wanted));
    }
  }

  /**
   * IPv4 routes, and IPv6 routes without gateways, may be there several times. Others of IPv6 would
   * become a further next hop of one that is there.
   */
  private void add(Route one, LinkState wanted) throws NetlinkException {
    int hop = one.nextHopObject().orElse(0);
    boolean isV6 = one.destination().address().isV6();
    if (missingHops.containsKey(hop)) {
      throw new IllegalArgumentException(missingHops.get(hop) + " is not there");
    }
    if (!wanted.ownership().has(one)) {
      addElsewhere(one);
    } else if (isV6 && Obstacle.isShared(one, wanted)) {
      throw new IllegalArgumentException(SHARED);
    } else if (isV6
        && needsOthers(one)
        && inThePlaceOf(one).stream().anyMatch(RouteWriter::needsOthers)) {
      throw new IllegalArgumentException(IN_PLACE);
    } else {
      route.routes().append(one);
    }
  }

  /**
   * A route of others, which its owner may have changed since, goes with the address that it sends
   * from; of IPv6 it stays, without it.
   */
  private void addElsewhere(Route one) throws NetlinkException {
    List<Route> there = inThePlaceOf(one);
    boolean isV6 = one.destination().address().isV6();
    if (isV6 ? there.isEmpty() : there.stream().noneMatch(other -> isSameWay(one, other))) {
      route.routes().append(one);
    } else if (isV6 && there.size() == 1 && isWithoutSource(there.get(0), one)) {
      route.routes().replace(one);
    } else {
      throw new IllegalArgumentException(IN_PLACE);
    }
  }

  private static boolean isSameWay(Route one, Route other) {
    return one.type() == other.type()
        && one.nextHopObject().equals(other.nextHopObject())
        && (one.nextHopObject().isPresent() // of which the kernel may report the links, too
            || (one.index().equals(other.index()) && one.gateway().equals(other.gateway())));
  }

  /** Whether one route is another that has only lost the address that it sent from. */
  private static boolean isWithoutSource(Route left, Route one) {
    return Arrays.equals(
        ObjectKind.ROUTE.pack(left), ObjectKind.ROUTE.pack(one.withoutPreferredSource()));
  }

  /** Routes that the kernel may take for a route; asked once for those of all places. */
  private List<Route> inThePlaceOf(Route one) throws NetlinkException {
    if (present == null) {
      present = route.routes().list().stream().collect(Collectors.groupingBy(RouteWriter::place));
    }
    return present.getOrDefault(place(one), List.of());
  }

  private static Object place(Route one) {
    return "%s from %s table %d tos %d metric %d"
        .formatted(one.destination(), one.source(), one.table(), one.typeOfService(), one.metric());
  }

  private static boolean needsOthers(Route one) {
    return one.gateway().isPresent()
        || one.nextHopObject().isPresent()
        || !one.nextHops().isEmpty();
  }
}
