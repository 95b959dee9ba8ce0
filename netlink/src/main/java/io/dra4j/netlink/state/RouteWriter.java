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

/** Sets a link's next-hop objects and missing routes. A route in place of an IPv6 route stays. */
final class RouteWriter {

  private static final String SHARED =
      "it is shared with other links, which are not changed; add the part of this link by hand";

  private static final String NO_ADDRESS =
      "the kernel creates this route from an address of the link, and an address of the link "
          + "was refused";
  private static final String IN_PLACE = "another route is in its place, which is not changed";

  private final RouteNetlink route;
  private final FailedAttempts attempts;
  private final Map<Integer, String> missingHops = new HashMap<>();
  private @Nullable Map<Object, List<Route>> present; // routes of all links, by their places

  RouteWriter(RouteNetlink route, FailedAttempts attempts) {
    this.route = route;
    this.attempts = attempts;
  }

  /**
   * Sets next-hop objects before the routes through them.
   *
   * @param round the round, from 1: in the first round, routes that the kernel creates are left to
   *     it
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

  /** Sets a next-hop object, unless its number belongs to another link now. */
  private void nextHop(NextHopObject object, Set<Integer> ours) throws NetlinkException {
    for (int member : object.group().keySet()) {
      if (missingHops.containsKey(member)) {
        throw new IllegalArgumentException(missingHops.get(member) + " does not exist");
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

  /** Adds routes without a gateway first: gateways are reached through them. */
  private void routes(LinkState wanted, LinkState now, int round) throws IOException {
    List<FactKind.Fact<Route>> missing = FactKind.ROUTE.onlyIn(wanted, now);
    missing.removeIf(one -> KernelMade.is(one) && round == 1);
    if (wanted.facts(FactKind.ADDRESS).stream().anyMatch(attempts::isRefused)) {
      // The route to the network of an IPv6 address would stay after the address is removed.
      missing.removeIf(
          one -> KernelMade.isAwaited(one) && attempts.refuse(one.toString(), NO_ADDRESS));
    }
    missing.sort(Comparator.comparing(one -> needsOthers(one.object())));
    for (FactKind.Fact<Route> one : missing) {
      attempts.attempt(one.toString(), () -> add(one.object(), wanted));
    }
  }

  /**
   * Adds a route. IPv4 routes, and IPv6 routes without gateways, can exist several times. Other
   * IPv6 routes would become a further next hop of an existing route.
   */
  private void add(Route one, LinkState wanted) throws NetlinkException {
    int hop = one.nextHopObject().orElse(0);
    boolean isV6 = one.destination().address().isV6();
    if (missingHops.containsKey(hop)) {
      throw new IllegalArgumentException(missingHops.get(hop) + " does not exist");
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
   * Adds a route of another link, which its owner may have changed since. The kernel deletes it
   * with the address that it sends from; an IPv6 route stays, without the address.
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
        && (one.nextHopObject().isPresent() // the kernel may also report its links
            || (one.index().equals(other.index()) && one.gateway().equals(other.gateway())));
  }

  /** Returns whether a route equals another one except for a lost source address. */
  private static boolean isWithoutSource(Route left, Route one) {
    return Arrays.equals(
        ObjectKind.ROUTE.pack(left), ObjectKind.ROUTE.pack(one.withoutPreferredSource()));
  }

  /** Returns the routes that the kernel may confuse with a route; all routes are listed once. */
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
