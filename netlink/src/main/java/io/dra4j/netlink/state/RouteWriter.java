package io.dra4j.netlink.state;

import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.NextHop;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sets the routes of a link and the next-hop objects that they go through, in their order. Ways of
 * other links, which the kernel may have made one route or one group with those of this one, stay.
 */
final class RouteWriter {

  private static final int LAST_METRIC = -1; // unsigned, the largest
  private static final int ANY_PROTOCOL = 0; // RTPROT_UNSPEC
  private static final int PREFERRED_SOURCE = 7; // RTA_PREFSRC

  private final RouteNetlink route;
  private final Attempts attempts;
  private final Map<Integer, String> foreignHops = new HashMap<>();
  private final Set<Integer> leftGroups = new HashSet<>();
  private @Nullable Map<String, List<Route>> present; // routes of all links, by their places

  RouteWriter(RouteNetlink route, Attempts attempts) {
    this.route = route;
    this.attempts = attempts;
  }

  /**
   * Next-hop objects go before the routes through them.
   *
   * @param changed the values of the link that differ, among them orders
   * @param round 1 at first: what the kernel makes itself is left to it then
   */
  void set(LinkState wanted, LinkState now, Map<String, String> changed, int round)
      throws IOException {
    nextHops(wanted, now);
    routes(wanted, now, round);
    order(wanted, now, changed);
  }

  /** Groups come after their members, and those of which members were gone are set anew. */
  private void nextHops(LinkState wanted, LinkState now) throws IOException {
    Set<Integer> captured = numbers(wanted);
    Set<Integer> present = numbers(now);
    for (FactKind.Fact<NextHopObject> one : FactKind.NEXT_HOP.onlyIn(now, wanted)) {
      if (captured.contains(one.object().id())) {
        continue; // it is changed in its place, with what goes through it
      }
      if (present.containsAll(one.object().group().keySet())) {
        attempts.attempt(one.toString(), () -> one.remove(route));
      } else {
        leftGroups.add(one.object().id());
        attempts.refuse(one.toString(), "it has members of others, which are not touched");
      }
    }
    for (FactKind.Fact<NextHopObject> one : FactKind.NEXT_HOP.onlyIn(wanted, now)) {
      if (!attempts.attempt(one.toString(), () -> nextHop(one.object(), present))) {
        foreignHops.put(one.object().id(), one.toString());
      }
    }
  }

  /** The groups with members of others that were not there, and lose the link's as it goes down. */
  static List<FactKind.Fact<NextHopObject>> groupsOfOthers(LinkState wanted, LinkState now) {
    Set<Integer> captured = numbers(wanted);
    Set<Integer> present = numbers(now);
    List<FactKind.Fact<NextHopObject>> groups = FactKind.NEXT_HOP.onlyIn(now, wanted);
    groups.removeIf(
        one ->
            captured.contains(one.object().id())
                || present.containsAll(one.object().group().keySet()));
    return groups;
  }

  /** Gives groups back what they have lost; tells which have it. */
  List<FactKind.Fact<NextHopObject>> lengthened(
      List<FactKind.Fact<NextHopObject>> groups, LinkState wanted) throws IOException {
    List<FactKind.Fact<NextHopObject>> done = new ArrayList<>();
    for (FactKind.Fact<NextHopObject> one : groups) {
      if (attempts.attempt(one.toString(), () -> nextHop(one.object(), numbers(wanted)))) {
        done.add(one);
      }
    }
    return done;
  }

  private static Set<Integer> numbers(LinkState state) {
    return state.facts(FactKind.NEXT_HOP).stream()
        .map(one -> one.object().id())
        .collect(Collectors.toSet());
  }

  /** A number may be somebody else's by now, whose object is left alone. */
  private void nextHop(NextHopObject object, Set<Integer> ofTheLink) throws NetlinkException {
    Set<Integer> members = object.group().keySet();
    for (int member : members) {
      if (foreignHops.containsKey(member)) {
        throw new IllegalArgumentException(foreignHops.get(member) + " is not there");
      }
    }
    try {
      route.nextHopObjects().add(object);
    } catch (NetlinkException.Exists e) {
      NextHopObject present = route.nextHopObjects().get(object.id());
      boolean isLeftOfIt =
          !present.group().isEmpty() && members.containsAll(present.group().keySet());
      if (!ofTheLink.contains(object.id()) && !isLeftOfIt) {
        throw e;
      }
      if (present.group().isEmpty() != members.isEmpty()) { // the kernel refuses that in one step
        route.nextHopObjects().delete(present);
        route.nextHopObjects().add(object);
      } else {
        route.nextHopObjects().replace(object);
      }
    }
  }

  /**
   * Those without a gateway first, but for IPv6 ones in the place of a route with ways of others;
   * then until no further gateway becomes reachable. What stands in the place of a missing one goes
   * only when the kernel takes that.
   */
  private void routes(LinkState wanted, LinkState now, int round) throws IOException {
    int index = now.index();
    present = null;
    List<FactKind.Fact<Route>> missing = FactKind.ROUTE.onlyIn(wanted, now);
    missing.removeIf(one -> LinkReader.isByKernel(one) && round == 1);
    missing.removeIf(one -> isOfARefusedAddress(one, wanted, now));
    List<FactKind.Fact<Route>> extra = FactKind.ROUTE.onlyIn(now, wanted);
    Map<String, List<FactKind.Fact<Route>>> inTheWay = new HashMap<>();
    Set<String> ways = extra.isEmpty() ? Set.of() : ways(wanted);
    if (!extra.isEmpty()) {
      removeWays(extra, ways, index);
      inTheWay.putAll(takeInTheWay(extra, missing, wanted.ways()));
      removeWhole(extra, ways, now);
    }
    if (missing.isEmpty()) {
      return;
    }
    Set<String> joined = new HashSet<>();
    for (FactKind.Fact<Route> fact : wanted.facts(FactKind.ROUTE)) {
      if (isJoined(fact.object(), index)) {
        joined.add(Rows.place(fact.object()));
      }
    }
    missing.sort(
        Comparator.comparing(
            one ->
                needsOthers(one.object()) ? 1 : joined.contains(Rows.place(one.object())) ? 2 : 0));
    int left = Integer.MAX_VALUE;
    while (missing.size() < left) {
      left = missing.size();
      List<FactKind.Fact<Route>> refused = new ArrayList<>();
      for (FactKind.Fact<Route> one : missing) {
        List<FactKind.Fact<Route>> there =
            inTheWay.getOrDefault(Rows.place(one.object()), List.of());
        Attempts.Step step =
            () -> {
              if (!there.isEmpty()) {
                checkHop(one.object());
                tryCopy(one.object());
                removeWhole(there, ways, now);
                there.clear();
                present = null;
              }
              addRoute(one.object(), wanted.ways());
            };
        if (!attempts.attempt(one.toString(), step)) {
          refused.add(one);
        }
      }
      missing = refused;
    }
    for (List<FactKind.Fact<Route>> there : inTheWay.values()) {
      for (FactKind.Fact<Route> one : there) {
        attempts.refuse(one.toString(), "the kernel refuses the one that was in its place");
      }
    }
  }

  /** Takes out of a list what stands in the place of a route of the link that is missing. */
  private static Map<String, List<FactKind.Fact<Route>>> takeInTheWay(
      List<FactKind.Fact<Route>> extra, List<FactKind.Fact<Route>> missing, Ways ways) {
    Map<String, List<FactKind.Fact<Route>>> inTheWay = new HashMap<>();
    for (FactKind.Fact<Route> one : missing) {
      if (ways.has(one.object())) {
        inTheWay.put(Rows.place(one.object()), new ArrayList<>());
      }
    }
    extra.removeIf(
        one -> {
          List<FactKind.Fact<Route>> there = inTheWay.get(Rows.place(one.object()));
          return there != null && there.add(one);
        });
    return inTheWay;
  }

  /** The route to the network of an address goes with it, and would never go without it. */
  private boolean isOfARefusedAddress(FactKind.Fact<Route> fact, LinkState wanted, LinkState now) {
    IpPrefix network = fact.object().destination();
    if (fact.object().protocol() != Route.PROTOCOL_KERNEL
        || now.addresses().stream().anyMatch(one -> AddressWriter.isIn(network, one))) {
      return false;
    }
    List<FactKind.Fact<InterfaceAddress>> its = new ArrayList<>(wanted.facts(FactKind.ADDRESS));
    its.removeIf(one -> !AddressWriter.isIn(network, one.object()));
    if (its.isEmpty() || !its.stream().allMatch(one -> attempts.isRefused(one.toString()))) {
      return false;
    }
    attempts.refuse(fact.toString(), "the address is not there that the kernel makes it of");
    return true;
  }

  /** Those of this link that were not there, unless the kernel made them or would take another. */
  private void removeWhole(List<FactKind.Fact<Route>> extra, Set<String> ways, LinkState now)
      throws IOException {
    int index = now.index();
    Map<String, List<Route>> ofSeveralWays = ofSeveralWays(now);
    for (FactKind.Fact<Route> fact : extra) {
      Route one = fact.object();
      if (LinkReader.isByKernel(fact) || isJoined(one, index) || !now.ways().has(one)) {
        continue;
      }
      List<Route> rivals =
          ofSeveralWays.isEmpty()
              ? List.of()
              : ofSeveralWays.getOrDefault(Rows.place(one), List.of());
      if (leftGroups.contains(one.nextHopObject().orElse(0))) {
        attempts.refuse(fact.toString(), "its next-hop object has members of others");
      } else if (rivals.stream().anyMatch(other -> isTakenForIpv6(one, other, ways, index))) {
        attempts.refuse(fact.toString(), "the kernel would delete one with ways of others for it");
      } else {
        attempts.attempt(
            fact.toString(),
            () -> {
              for (Route other : rivals) {
                if (isTakenForIpv4(one, other)) {
                  tryCopy(other);
                }
              }
              fact.remove(route);
            });
      }
    }
  }

  private static Map<String, List<Route>> ofSeveralWays(LinkState state) {
    return state.facts(FactKind.ROUTE).stream()
        .map(FactKind.Fact::object)
        .filter(one -> !one.nextHops().isEmpty() && one.nextHopObject().isEmpty())
        .collect(Collectors.groupingBy(Rows::place));
  }

  /**
   * Whether the kernel would take another IPv6 route for one, with its ways through other links: of
   * one without a gateway it compares the link only ({@code ip6_route_del}).
   *
   * @param ways those that stay
   */
  private static boolean isTakenForIpv6(Route one, Route other, Set<String> ways, int index) {
    return isJoined(other, index)
        && !needsOthers(one)
        && other.nextHops().stream()
            .anyMatch(
                hop -> hop.index().orElse(0) == index && ways.contains(way(Rows.place(one), hop)));
  }

  /** Whether the kernel may take an IPv4 route of several ways for one of a single one. */
  private static boolean isTakenForIpv4(Route one, Route other) {
    NextHop first = other.nextHops().get(0);
    return !one.destination().address().isV6()
        && one.nextHops().isEmpty()
        && first.index().equals(one.index())
        && first.gateway().equals(one.gateway());
  }

  /** Of IPv6 the kernel makes one route of those of several links. */
  private static boolean isJoined(Route one, int index) {
    return one.destination().address().isV6() && hasOthersWays(one, index);
  }

  private static boolean hasOthersWays(Route one, int index) {
    return one.nextHops().stream().anyMatch(hop -> hop.index().orElse(index) != index);
  }

  /** Of routes with ways of others the ways of this link go that were not there. */
  private void removeWays(List<FactKind.Fact<Route>> extra, Set<String> ways, int index)
      throws IOException {
    for (FactKind.Fact<Route> fact : extra) {
      Route one = fact.object();
      if (!isJoined(one, index)) {
        continue;
      }
      attempts.refuse(fact.toString(), "it has ways of others, which are not touched");
      List<NextHop> gone = new ArrayList<>(one.nextHops());
      gone.removeIf(
          hop ->
              hop.index().orElse(0) != index
                  || one.nextHopObject().isPresent()
                  || ways.contains(way(Rows.place(one), hop)));
      if (!gone.isEmpty()) { // only the protocol of the first one is told
        Route those = one.withNextHops(gone).withProtocol(ANY_PROTOCOL);
        attempts.attempt(fact.toString(), () -> route.routes().delete(those));
      }
    }
  }

  /** The ways that routes of a state have, with their places. */
  private static Set<String> ways(LinkState state) {
    Set<String> ways = new HashSet<>();
    for (FactKind.Fact<Route> fact : state.facts(FactKind.ROUTE)) {
      Route one = fact.object();
      ways.add(Rows.place(one) + way(one.index(), one.gateway()));
      one.nextHops().forEach(hop -> ways.add(way(Rows.place(one), hop)));
    }
    return ways;
  }

  private void addRoute(Route one, Ways ways) throws NetlinkException {
    add(one, ways);
    if (present != null) {
      inThePlaceOf(one).add(one);
    }
  }

  /**
   * IPv4 routes, and IPv6 routes without gateways, may be there several times, and come last again.
   * Others of IPv6 would become a further way of one that is there; one of several ways that has
   * lost some gets them back.
   */
  private void add(Route one, Ways ways) throws NetlinkException {
    checkHop(one);
    if (!ways.has(one)) {
      addElsewhere(one);
      return;
    }
    if (!one.destination().address().isV6()
        || (one.gateway().isEmpty() && one.nextHops().isEmpty())) {
      route.routes().append(one);
      return;
    }
    try {
      route.routes().add(one);
    } catch (NetlinkException.Exists e) {
      List<Route> there = inThePlaceOf(one);
      List<Route> joined = there.stream().filter(RouteWriter::needsOthers).toList();
      if (joined.isEmpty()) {
        route.routes().append(one);
        return;
      }
      List<NextHop> lost = lostWays(one, joined);
      if (lost.isEmpty()) {
        throw e;
      }
      if (!needsOthers(there.get(there.size() - 1))) {
        throw new IllegalArgumentException(
            "the kernel would no longer tell of the route without a gateway behind it");
      }
      if (joined.stream().allMatch(other -> besidesWays(other).equals(besidesWays(one)))) {
        route.routes().replace(one); // which gives all ways the same properties
      } else {
        lost.removeIf(way -> way.index().orElse(0) != ways.index());
        route.routes().append(one.withNextHops(lost));
      }
    }
  }

  /** Its number may be somebody else's by now. */
  private void checkHop(Route one) {
    String hop =
        one.nextHopObject().isPresent() ? foreignHops.get(one.nextHopObject().getAsInt()) : null;
    if (hop != null) {
      throw new IllegalArgumentException(hop + " is not there");
    }
  }

  /**
   * A route of others, which its owner may have changed since, goes with the address that it sends
   * from; of IPv6 it stays, without it.
   */
  private void addElsewhere(Route one) throws NetlinkException {
    List<Route> there = inThePlaceOf(one);
    boolean isV6 = one.destination().address().isV6();
    boolean isOnlyOne = isV6 && there.size() == 1;
    if (isV6 ? there.isEmpty() : there.stream().noneMatch(other -> isSameWay(one, other))) {
      route.routes().append(one);
    } else if (isOnlyOne
        && isSameWay(there.get(0), one)
        && besidesWays(there.get(0)).equals(withoutSource(besidesWays(one)))) {
      route.routes().replace(one);
    } else {
      throw new IllegalArgumentException("another route is in its place, which is not touched");
    }
  }

  private static boolean isSameWay(Route one, Route other) {
    return one.type() == other.type()
        && one.nextHopObject().equals(other.nextHopObject())
        && (one.nextHopObject().isPresent() // of which the kernel may tell the links, too
            || (one.index().equals(other.index()) && one.gateway().equals(other.gateway())));
  }

  /** Asks once for those of all places, before the first is set that depends on them. */
  private List<Route> inThePlaceOf(Route one) throws NetlinkException {
    if (present == null) {
      present = new HashMap<>();
      for (Route other : route.routes().list()) {
        present.computeIfAbsent(Rows.place(other), none -> new ArrayList<>()).add(other);
      }
    }
    return present.computeIfAbsent(Rows.place(one), none -> new ArrayList<>());
  }

  /** The ways of a route that those in its place lack, if they have no others. */
  private static List<NextHop> lostWays(Route one, List<Route> there) {
    Map<String, NextHop> ways = new LinkedHashMap<>();
    one.nextHops().forEach(hop -> ways.put(way(hop.index(), hop.gateway()), hop));
    for (Route other : there) {
      Set<String> others = new LinkedHashSet<>();
      other.nextHops().forEach(hop -> others.add(way(hop.index(), hop.gateway())));
      if (others.isEmpty()) {
        others.add(way(other.index(), other.gateway()));
      }
      if (other.nextHopObject().isPresent() || !ways.keySet().containsAll(others)) {
        return List.of();
      }
      ways.keySet().removeAll(others);
    }
    return new ArrayList<>(ways.values());
  }

  /** What makes a route different from others in its place, but for its ways. */
  private static Map<Integer, String> besidesWays(Route one) {
    Map<Integer, String> properties = new TreeMap<>();
    Attributes attributes =
        one.withoutState().attributes().without("OIF", "GATEWAY", "VIA", "MULTIPATH");
    for (int type : attributes.types()) {
      properties.put(type, HexFormat.of().formatHex(attributes.bytes(type).orElseThrow()));
    }
    properties.put(-1, one.protocol() + " " + one.scope() + " " + one.type());
    return properties;
  }

  private static Map<Integer, String> withoutSource(Map<Integer, String> properties) {
    properties.remove(PREFERRED_SOURCE);
    return properties;
  }

  private static String way(String place, NextHop hop) {
    return place + way(hop.index(), hop.gateway());
  }

  private static String way(OptionalInt index, Optional<IpAddress> gateway) {
    return index + " " + gateway;
  }

  /** Puts routes in their order again, and IPv4 ones before or behind those of other links. */
  private void order(LinkState wanted, LinkState now, Map<String, String> changed)
      throws IOException {
    Map<String, List<FactKind.Fact<Route>>> rows = Map.of();
    Map<String, List<FactKind.Fact<Route>>> there = Map.of();
    for (String fact : changed.keySet()) {
      boolean isOwn = fact.startsWith(LinkReader.OWN_ORDER);
      String prefix = isOwn ? LinkReader.OWN_ORDER : LinkReader.ORDER;
      if (!fact.startsWith(prefix + "route ")) {
        continue;
      }
      if (fact.endsWith(Surroundings.OF_OTHER_LINKS)) {
        attempts.refuse(fact, "routes of others are before it, which are not touched");
        continue;
      }
      String place = fact.substring(prefix.length());
      String order = LinkReader.ORDER + place;
      if (isOwn && changed.containsKey(order)) {
        continue; // it comes with the order among others
      }
      if (rows.isEmpty()) {
        rows = Rows.of(wanted.facts(FactKind.ROUTE), wanted.ways());
        there = Rows.of(now.facts(FactKind.ROUTE), now.ways());
      }
      List<FactKind.Fact<Route>> row = new ArrayList<>(rows.getOrDefault(place, List.of()));
      row.removeIf(one -> attempts.isRefused(one.toString())); // which is not there
      List<Route> ours = FactKind.objects(row);
      List<Route> found =
          isOwn ? FactKind.objects(there.getOrDefault(place, List.of())) : List.of();
      String stood = wanted.values().getOrDefault(order, "");
      String stands = now.values().getOrDefault(order, Surroundings.LAST);
      boolean isAsGood = isOwn && (stood.isEmpty() || !now.values().containsKey(order));
      attempts.attempt(fact, () -> order(ours, found, isAsGood ? stands : stood, now.index()));
    }
  }

  /** Those that are not in their order go, and come anew at the end or, of IPv4, the beginning. */
  private void order(List<Route> ours, List<Route> found, String stood, int index)
      throws NetlinkException {
    boolean isLast = stood.equals(Surroundings.LAST);
    if (!isLast && !stood.equals(Surroundings.FIRST)) {
      throw new IllegalArgumentException("routes of others are before it, which are not touched");
    }
    if (!isLast && ours.stream().anyMatch(one -> one.destination().address().isV6())) {
      throw new IllegalArgumentException(
          "the kernel puts IPv6 routes behind those of their metric");
    }
    List<Route> inTurn = new ArrayList<>(ours);
    List<Route> there = Rows.common(found, ours);
    if (!isLast) {
      Collections.reverse(inTurn);
      Collections.reverse(there);
    }
    inTurn.removeAll(new HashSet<>(Rows.inPlace(inTurn, there)));
    if (inTurn.stream().anyMatch(one -> isJoined(one, index))) {
      throw new IllegalArgumentException("it has ways of others, which are not touched");
    }
    for (Route one : inTurn) {
      move(one, isLast);
    }
  }

  /** It goes only if it can come back. */
  private void move(Route one, boolean isLast) throws NetlinkException {
    tryCopy(one);
    route.routes().delete(one);
    if (isLast) {
      route.routes().append(one);
    } else {
      route.routes().prepend(one);
    }
  }

  /** Whether the kernel takes a route anew shows one that nothing uses, of the largest metric. */
  private void tryCopy(Route one) throws NetlinkException {
    Route copy = one.withMetric(LAST_METRIC);
    if (one.metric() == LAST_METRIC) {
      return;
    }
    try {
      route.routes().add(copy);
    } catch (NetlinkException.Exists e) {
      return; // somebody's own, behind which the kernel has looked at it
    }
    route.routes().delete(copy);
  }

  private static boolean needsOthers(Route one) {
    return one.gateway().isPresent()
        || one.nextHopObject().isPresent()
        || !one.nextHops().isEmpty();
  }
}
