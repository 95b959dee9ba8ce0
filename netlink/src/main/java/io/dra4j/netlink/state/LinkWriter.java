package io.dra4j.netlink.state;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.BridgeVlan;
import io.dra4j.netlink.route.ForwardingEntry;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.NextHop;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sets what differs of one link, in an order in which the kernel does not undo it again. What the
 * kernel refuses is remembered for the report; what breaks the conversation is thrown.
 *
 * <p>The order: while the link is down its name, settings, sysctls, master and features, because
 * they need it or decide what the kernel does when it goes up; then up; addresses, without which
 * gateways are not reachable; next-hop objects before the routes through them; neighbours and
 * rules. Links on it that are gone are made at last.
 */
final class LinkWriter {

  private static final int MACADDR_MODE = 3; // IFLA_MACVLAN_MACADDR_MODE
  private static final int LAST_METRIC = -1; // unsigned, the largest
  private static final byte[] FLUSH =
      ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(2).array();

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;
  private final LinkReader reader;
  private final Attempts attempts;
  private final Map<Integer, String> foreignHops = new HashMap<>();
  private @Nullable Map<String, List<Route>> present; // routes of all links, by their places

  LinkWriter(
      NetworkNamespace namespace,
      RouteNetlink route,
      @Nullable Ethtool ethtool,
      LinkReader reader,
      Attempts attempts) {
    this.namespace = namespace;
    this.route = route;
    this.ethtool = ethtool;
    this.reader = reader;
    this.attempts = attempts;
  }

  private boolean attempt(String fact, Attempts.Step step) throws IOException {
    return attempts.attempt(fact, step);
  }

  private String nameOf(int index) throws NetlinkException {
    return route.links().get(index).name();
  }

  /**
   * Sets what differs.
   *
   * @param wanted the state that the link is to have, under the index that it has
   * @param start the state that it has
   * @param round 1 at first: what the kernel makes itself is left to it then, and set later on
   */
  void set(LinkState wanted, LinkState start, int round) throws IOException {
    LinkState now = start;
    int index = now.index();
    Map<String, String> changed = new TreeMap<>();
    for (Difference one : wanted.ownChangesTo(now)) {
      changed.put(one.fact(), one.wanted());
    }
    boolean isUp = isOn(now, "up");
    boolean hadToGoDown =
        isUp
            && (changed.containsKey("name")
                || changed.containsKey("address")
                || changed.containsKey("master")
                || changed.containsKey("up"));
    if (hadToGoDown) {
      attempt("up", () -> change(index, LinkSettings.none().down()));
    }
    if (changed.containsKey("name")) {
      attempt("name", () -> change(index, LinkSettings.none().name(wanted.name())));
    }
    beforeABondTakesIt(wanted, changed);
    settings(index, changed);
    alternativeNames(index, changed);
    data(index, wanted, changed, "data ");
    sysctls(index, changed);
    token(index, changed);
    if (changed.containsKey("master")) {
      attempt("master", () -> change(index, master(changed)));
    }
    data(index, wanted, changed, "member ");
    vlans(index, changed);
    features(index, changed);
    flags(index, wanted, changed, hadToGoDown);
    if (hadToGoDown) {
      now = reader.readAlone(index);
    }
    if (new AddressWriter(route, attempts).set(wanted, now, round)) {
      now = reader.readAlone(index);
    }
    nextHops(wanted, now);
    routes(wanted, now, round);
    order(wanted, now, changed);
    other(FactKind.NEIGHBOUR, wanted, now);
    forwarding(wanted, now);
    rules(wanted, now);
  }

  private static boolean isOn(LinkState state, String flag) {
    return state.values().getOrDefault(flag, "off").equals("on");
  }

  private void change(int index, LinkSettings settings) throws NetlinkException {
    route.links().change(LinkKey.of(index), settings);
  }

  /** It remembers the address that the link has then, for the day on which it lets it go. */
  private static void beforeABondTakesIt(LinkState wanted, Map<String, String> changed) {
    String own = wanted.values().get(LinkReader.OWN_ADDRESS);
    if (own != null && changed.containsKey("master")) {
      changed.put("address", own);
    }
  }

  /** All at once, and one by one if the kernel refuses some: it may have set others by then. */
  private void settings(int index, Map<String, String> changed) throws IOException {
    List<LinkSettings> all = new ArrayList<>(List.of(LinkSettings.none()));
    Map<String, LinkSettings> single = new TreeMap<>();
    for (Map.Entry<String, String> one : changed.entrySet()) {
      String name = one.getKey();
      if (Setting.isOne(name) && (!one.getValue().isEmpty() || name.equals("alias"))) {
        attempt(
            name,
            () -> {
              single.put(name, Setting.write(LinkSettings.none(), name, one.getValue()));
              all.set(0, Setting.write(all.get(0), name, one.getValue()));
            });
      }
    }
    LinkSettings together = all.get(0);
    if (single.isEmpty() || attempt("settings", () -> change(index, together))) {
      return;
    }
    for (Map.Entry<String, LinkSettings> one : single.entrySet()) {
      attempt(one.getKey(), () -> change(index, one.getValue()));
    }
  }

  private void alternativeNames(int index, Map<String, String> changed) throws IOException {
    for (Map.Entry<String, String> one : changed.entrySet()) {
      if (one.getKey().startsWith("altname ")) {
        String name = one.getKey().substring("altname ".length());
        Link link = route.links().get(index);
        attempt(
            one.getKey(),
            () -> {
              if (one.getValue().isEmpty()) {
                route.links().removeAlternativeName(link, name);
              } else {
                route.links().addAlternativeName(link, name);
              }
            });
      }
    }
  }

  /** What a kind of link, or of master, has of its own: one attribute each, in its nests. */
  private void data(int index, LinkState wanted, Map<String, String> changed, String prefix)
      throws IOException {
    for (Map.Entry<String, String> one : changed.entrySet()) {
      if (one.getKey().startsWith(prefix) && one.getKey().contains("data ")) {
        attempt(one.getKey(), () -> change(index, data(wanted, one.getKey(), one.getValue())));
      }
    }
  }

  private static LinkSettings data(LinkState wanted, String fact, String value) {
    String[] words = fact.split(" ", -1);
    int type = Integer.parseInt(words[words.length - 1]);
    Attributes none = Attributes.none(AttributeTable.NONE);
    if (words.length == 4) { // member KIND data TYPE
      return LinkSettings.none().member(words[1], none.with(type, HexFormat.of().parseHex(value)));
    }
    String kind = wanted.values().getOrDefault("kind", "");
    boolean sources = kind.startsWith("macv") && type == LinkReader.MACVLAN_SOURCES;
    return LinkSettings.none()
        .kind(
            kind,
            sources && value.isEmpty()
                ? none.with(MACADDR_MODE, FLUSH)
                : none.with(type, HexFormat.of().parseHex(value)));
  }

  private void token(int index, Map<String, String> changed) throws IOException {
    String token = changed.getOrDefault("token", "");
    if (!token.isEmpty()) {
      attempt("token", () -> change(index, LinkSettings.none().token(IpAddress.parse(token))));
    }
  }

  /** The VLANs of a port of a bridge. */
  private void vlans(int index, Map<String, String> changed) throws IOException {
    LinkKey port = LinkKey.of(index);
    for (Map.Entry<String, String> one : changed.entrySet()) {
      if (one.getKey().startsWith(LinkReader.VLAN)) {
        int id = Integer.parseInt(one.getKey().substring(LinkReader.VLAN.length()));
        String how = one.getValue();
        attempt(
            one.getKey(),
            () -> {
              if (how.isEmpty()) {
                route.bridgeVlans().remove(port, id);
              } else {
                route
                    .bridgeVlans()
                    .set(port, new BridgeVlan(id, how.contains("pvid"), how.contains("untagged")));
              }
            });
      }
    }
  }

  /** The mode of addresses needs its secret first; the rest is in the order of the alphabet. */
  private void sysctls(int index, Map<String, String> changed) throws IOException {
    Map<String, String> values = new TreeMap<>(Comparator.comparing(LinkWriter::order));
    changed.forEach(
        (fact, value) -> {
          if (fact.startsWith("sysctl ") && !value.isEmpty()) {
            values.put(fact.substring("sysctl ".length()), value);
          }
        });
    if (!values.isEmpty()) {
      LinkSysctls.of(namespace, nameOf(index))
          .setAll(values)
          .forEach((parameter, refused) -> attempts.refused("sysctl " + parameter, refused));
    }
  }

  private static String order(String parameter) {
    return (parameter.endsWith("/stable_secret") ? "0" : "1") + parameter;
  }

  private LinkSettings master(Map<String, String> changed) throws NetlinkException {
    String name = changed.getOrDefault("master", "");
    return name.isEmpty()
        ? LinkSettings.none().noMaster()
        : LinkSettings.none().master(route.links().get(name).index());
  }

  private void features(int index, Map<String, String> changed) throws IOException {
    Map<String, Boolean> features = new TreeMap<>();
    Map<String, Boolean> flags = new TreeMap<>();
    changed.forEach(
        (fact, value) -> {
          if (fact.startsWith("feature ") && !value.isEmpty()) {
            features.put(fact.substring("feature ".length()), value.equals("on"));
          } else if (fact.startsWith("private flag ") && !value.isEmpty()) {
            flags.put(fact.substring("private flag ".length()), value.equals("on"));
          }
        });
    if (ethtool == null) {
      return;
    }
    Ethtool tool = ethtool;
    channels(tool, index, changed);
    if (!features.isEmpty()
        && !attempt("features", () -> tool.setFeatures(LinkKey.of(index), features))) {
      for (Map.Entry<String, Boolean> one : features.entrySet()) {
        attempt(
            "feature " + one.getKey(),
            () -> tool.setFeatures(LinkKey.of(index), Map.of(one.getKey(), one.getValue())));
      }
    }
    if (!flags.isEmpty()
        && !attempt("private flags", () -> tool.setPrivateFlags(LinkKey.of(index), flags))) {
      for (Map.Entry<String, Boolean> one : flags.entrySet()) {
        attempt(
            "private flag " + one.getKey(),
            () -> tool.setPrivateFlags(LinkKey.of(index), Map.of(one.getKey(), one.getValue())));
      }
    }
  }

  /** All at once, because some links want as many of one use as of another. */
  private void channels(Ethtool tool, int index, Map<String, String> changed) throws IOException {
    Map<String, Integer> channels = new TreeMap<>();
    changed.forEach(
        (fact, value) -> {
          if (fact.startsWith(LinkReader.CHANNELS) && !value.isEmpty()) {
            channels.put(fact.substring(LinkReader.CHANNELS.length()), Integer.parseInt(value));
          }
        });
    if (!channels.isEmpty()
        && !attempt("channels", () -> tool.setChannels(LinkKey.of(index), channels))) {
      for (Map.Entry<String, Integer> one : channels.entrySet()) {
        Map<String, Integer> single = Map.of(one.getKey(), one.getValue());
        attempt(
            LinkReader.CHANNELS + one.getKey(), () -> tool.setChannels(LinkKey.of(index), single));
      }
    }
  }

  private void flags(int index, LinkState wanted, Map<String, String> changed, boolean wentDown)
      throws IOException {
    Map<String, LinkSettings> single = new TreeMap<>();
    LinkSettings all = LinkSettings.none();
    for (Map.Entry<String, Integer> flag : Setting.FLAGS.entrySet()) {
      String name = flag.getKey();
      if (changed.containsKey(name) || (wentDown && name.equals("up"))) {
        int mask = flag.getValue();
        int value = isOn(wanted, name) ? mask : 0;
        single.put(name, LinkSettings.none().flags(value, mask));
        all = all.flags(value, mask);
      }
    }
    LinkSettings together = all;
    if (single.isEmpty() || attempt("flags", () -> change(index, together))) {
      single.keySet().forEach(attempts::forget);
      return;
    }
    for (Map.Entry<String, LinkSettings> one : single.entrySet()) { // "up" comes last
      attempt(one.getKey(), () -> change(index, one.getValue()));
    }
  }

  private <T extends RouteObject> List<FactKind.Fact<T>> missing(
      FactKind<T> kind, LinkState wanted, LinkState now, int round) {
    Set<FactKind.Fact<T>> missing = new LinkedHashSet<>(wanted.facts(kind));
    now.facts(kind).forEach(missing::remove);
    missing.removeIf(one -> LinkReader.isByKernel(one) && round == 1);
    return new ArrayList<>(missing);
  }

  /** Those that were not there are removed, unless the kernel made them. */
  private <T extends RouteObject> void removeOthers(
      FactKind<T> kind, LinkState wanted, LinkState now) throws IOException {
    removeOthers(kind, wanted, now, one -> true);
  }

  private <T extends RouteObject> void removeOthers(
      FactKind<T> kind, LinkState wanted, LinkState now, Predicate<T> removed) throws IOException {
    Set<FactKind.Fact<T>> extra = new LinkedHashSet<>(now.facts(kind));
    wanted.facts(kind).forEach(extra::remove);
    for (FactKind.Fact<T> one : extra) {
      if (!LinkReader.isByKernel(one) && removed.test(one.object())) {
        attempt(one.toString(), () -> one.remove(route));
      }
    }
  }

  /** Groups come after their members, and those of which members were gone are set anew. */
  private void nextHops(LinkState wanted, LinkState now) throws IOException {
    removeOthers(FactKind.NEXT_HOP, wanted, now);
    foreignHops.clear();
    for (FactKind.Fact<NextHopObject> one : missing(FactKind.NEXT_HOP, wanted, now, 2)) {
      if (!attempt(one.toString(), () -> nextHop(one.object()))) {
        foreignHops.put(one.object().id(), one.toString());
      }
    }
  }

  /** A number may be somebody else's by now, whose object is left alone. */
  private void nextHop(NextHopObject object) throws NetlinkException {
    try {
      route.nextHopObjects().add(object);
    } catch (NetlinkException.Exists e) {
      Map<Integer, Integer> present = route.nextHopObjects().get(object.id()).group();
      Set<Integer> members = object.group().keySet();
      if (present.isEmpty()
          || !members.containsAll(present.keySet())
          || members.stream().anyMatch(foreignHops::containsKey)) {
        throw e;
      }
      route.nextHopObjects().replace(object);
    }
  }

  /** Those without a gateway first; then until no further gateway becomes reachable. */
  private void routes(LinkState wanted, LinkState now, int round) throws IOException {
    int index = now.index();
    present = null;
    removeOthers(FactKind.ROUTE, wanted, now, one -> isRemovedWhole(one, index));
    removeWays(wanted, now);
    List<FactKind.Fact<Route>> missing = missing(FactKind.ROUTE, wanted, now, round);
    missing.sort(Comparator.comparing(one -> needsOthers(one.object())));
    int left = Integer.MAX_VALUE;
    while (missing.size() < left) {
      left = missing.size();
      List<FactKind.Fact<Route>> refused = new ArrayList<>();
      for (FactKind.Fact<Route> one : missing) {
        if (!attempt(one.toString(), () -> addRoute(one.object(), index))) {
          refused.add(one);
        }
      }
      missing = refused;
    }
  }

  private static boolean isRemovedWhole(Route one, int index) {
    boolean isJoined = one.destination().address().isV6() && hasOthersWays(one, index);
    return !isJoined && !Surroundings.isElsewhere(one, index);
  }

  private static boolean hasOthersWays(Route one, int index) {
    return one.nextHops().stream().anyMatch(hop -> hop.index().orElse(index) != index);
  }

  /** Of IPv6 the kernel makes one route of those of several links: ways of this one go, if any. */
  private void removeWays(LinkState wanted, LinkState now) throws IOException {
    int index = now.index();
    Set<String> ways = new HashSet<>();
    Set<FactKind.Fact<Route>> extra = new LinkedHashSet<>(now.facts(FactKind.ROUTE));
    for (FactKind.Fact<Route> fact : wanted.facts(FactKind.ROUTE)) {
      extra.remove(fact);
      Route one = fact.object();
      ways.add(Rows.place(one) + way(one.index(), one.gateway()));
      one.nextHops().forEach(hop -> ways.add(Rows.place(one) + way(hop.index(), hop.gateway())));
    }
    for (FactKind.Fact<Route> fact : extra) {
      Route one = fact.object();
      if (one.destination().address().isV6() && hasOthersWays(one, index)) {
        List<NextHop> gone = new ArrayList<>(one.nextHops());
        gone.removeIf(
            hop ->
                hop.index().orElse(0) != index
                    || ways.contains(Rows.place(one) + way(hop.index(), hop.gateway())));
        attempts.refuse(fact.toString(), "it has ways of others, which are not touched");
        if (!gone.isEmpty()) {
          attempt(fact.toString(), () -> route.routes().delete(one.withNextHops(gone)));
        }
      }
    }
  }

  private void addRoute(Route one, int index) throws NetlinkException {
    add(one, index);
    if (present != null) {
      inThePlaceOf(one).add(one);
    }
  }

  /**
   * IPv4 routes, and IPv6 routes without gateways, may be there several times, and come last again.
   * Others of IPv6 would become a further way of one that is there; one of several ways that has
   * lost some gets them back.
   */
  private void add(Route one, int index) throws NetlinkException {
    String hop =
        one.nextHopObject().isPresent() ? foreignHops.get(one.nextHopObject().getAsInt()) : null;
    if (hop != null) {
      throw new IllegalArgumentException(hop + " is not there");
    }
    if (Surroundings.isElsewhere(one, index)) {
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
      List<Route> joined = new ArrayList<>(inThePlaceOf(one));
      joined.removeIf(other -> !needsOthers(other));
      if (joined.isEmpty()) {
        route.routes().append(one);
      } else if (!one.nextHops().isEmpty() && hasLostWays(one, joined)) {
        route.routes().replace(one);
      } else {
        throw e;
      }
    }
  }

  /**
   * A route of another link, which its owner may have changed since, goes with the address that it
   * sends from; of IPv6 it stays, without it.
   */
  private void addElsewhere(Route one) throws NetlinkException {
    List<Route> there = inThePlaceOf(one);
    boolean isV6 = one.destination().address().isV6();
    boolean isOnlyOne = isV6 && there.size() == 1;
    if (isV6 ? there.isEmpty() : there.stream().noneMatch(other -> isSameWay(one, other))) {
      route.routes().append(one);
    } else if (isOnlyOne
        && isSameWay(there.get(0), one)
        && there.get(0).preferredSource().isEmpty()) {
      route.routes().replace(one);
    } else {
      throw new IllegalArgumentException("another route is in its place, which is not touched");
    }
  }

  private static boolean isSameWay(Route one, Route other) {
    return one.index().equals(other.index()) && one.gateway().equals(other.gateway());
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

  /** Whether each of the routes in the place of one has ways of that one only. */
  private static boolean hasLostWays(Route one, List<Route> there) {
    Set<String> ways = new LinkedHashSet<>();
    one.nextHops().forEach(hop -> ways.add(way(hop.index(), hop.gateway())));
    for (Route other : there) {
      Set<String> others = new LinkedHashSet<>();
      other.nextHops().forEach(hop -> others.add(way(hop.index(), hop.gateway())));
      if (others.isEmpty()) {
        others.add(way(other.index(), other.gateway()));
      }
      if (other.nextHopObject().isPresent() || !ways.containsAll(others)) {
        return false;
      }
    }
    return true;
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
        rows = Rows.of(wanted.facts(FactKind.ROUTE), now.index());
        there = Rows.of(now.facts(FactKind.ROUTE), now.index());
      }
      List<FactKind.Fact<Route>> row = new ArrayList<>(rows.getOrDefault(place, List.of()));
      row.removeIf(one -> attempts.isRefused(one.toString())); // which is not there
      List<Route> ours = objects(row);
      List<Route> found = isOwn ? objects(there.getOrDefault(place, List.of())) : List.of();
      String stood = wanted.values().getOrDefault(order, "");
      String stands = now.values().getOrDefault(order, Surroundings.LAST);
      boolean isAsGood = isOwn && (stood.isEmpty() || !now.values().containsKey(order));
      attempt(fact, () -> order(ours, found, isAsGood ? stands : stood));
    }
  }

  private static <T extends RouteObject> List<T> objects(List<FactKind.Fact<T>> facts) {
    return facts.stream().map(FactKind.Fact::object).toList();
  }

  /** Those that are not in their order go, and come anew at the end or, of IPv4, the beginning. */
  private void order(List<Route> ours, List<Route> found, String stood) throws NetlinkException {
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
    Set<Route> kept = new HashSet<>(Rows.inPlace(inTurn, there));
    for (Route one : inTurn) {
      if (!kept.contains(one)) {
        move(one, isLast);
      }
    }
  }

  /** It goes only if it can come back: a copy that nothing uses shows whether it can. */
  private void move(Route one, boolean isLast) throws NetlinkException {
    Route copy = one.withMetric(LAST_METRIC);
    if (one.metric() != LAST_METRIC) {
      route.routes().add(copy);
      route.routes().delete(copy);
    }
    route.routes().delete(one);
    if (isLast) {
      route.routes().append(one);
    } else {
      route.routes().prepend(one);
    }
  }

  private static boolean needsOthers(Route one) {
    return one.gateway().isPresent()
        || one.nextHopObject().isPresent()
        || !one.nextHops().isEmpty();
  }

  private <T extends RouteObject> void other(FactKind<T> kind, LinkState wanted, LinkState now)
      throws IOException {
    removeOthers(kind, wanted, now);
    for (FactKind.Fact<T> one : missing(kind, wanted, now, 2)) {
      attempt(one.toString(), () -> one.add(route));
    }
  }

  /**
   * Rules that are not in their order go, all at once, and come anew behind those of their
   * priority, unless those of others would be before them that were not.
   */
  private void rules(LinkState wanted, LinkState now) throws IOException {
    Map<String, List<FactKind.Fact<Rule>>> rows = Rows.of(wanted.facts(FactKind.RULE), now.index());
    Map<String, List<FactKind.Fact<Rule>>> there = Rows.of(now.facts(FactKind.RULE), now.index());
    Map<String, List<Rule>> all = null;
    Set<String> places = new LinkedHashSet<>(rows.keySet());
    places.addAll(there.keySet());
    List<FactKind.Fact<Rule>> gone = new ArrayList<>();
    List<FactKind.Fact<Rule>> missing = new ArrayList<>();
    for (String place : places) {
      List<FactKind.Fact<Rule>> ours = rows.getOrDefault(place, List.of());
      List<FactKind.Fact<Rule>> found = there.getOrDefault(place, List.of());
      List<FactKind.Fact<Rule>> common = Rows.common(found, ours);
      Set<FactKind.Fact<Rule>> staying = new HashSet<>();
      String order = LinkReader.ORDER + place;
      boolean wereLast = Surroundings.LAST.equals(wanted.values().get(order));
      if (!wereLast) {
        attempts.refuse(order, "rules of others are before it, which are not touched");
      }
      if (!now.values().getOrDefault(order, Surroundings.LAST).equals(Surroundings.LAST)) {
        if (all == null) {
          all = route.rules().list().stream().collect(Collectors.groupingBy(Rows::place));
        }
        List<FactKind.Fact<Rule>> last =
            Rows.behindOthers(found, all.getOrDefault(place, List.of()));
        if (!wereLast || common.size() < found.size()) { // with what is too much others may go
          staying.addAll(common);
          last.forEach(staying::remove);
          attempts.refuse(
              LinkReader.OWN_ORDER + place, "rules of others are behind, and would come first");
        }
        common.retainAll(new HashSet<>(last));
      }
      List<FactKind.Fact<Rule>> movable = new ArrayList<>(ours);
      movable.removeAll(staying);
      staying.addAll(Rows.inPlace(movable, common));
      found.stream().filter(one -> !staying.contains(one)).forEach(gone::add);
      ours.stream().filter(one -> !staying.contains(one)).forEach(missing::add);
    }
    if (!gone.isEmpty() && !attempt("rules", () -> route.rules().deleteAll(objects(gone)))) {
      for (FactKind.Fact<Rule> one : gone) {
        attempt(one.toString(), () -> one.remove(route));
      }
    }
    for (FactKind.Fact<Rule> one : missing) {
      attempt(one.toString(), () -> one.add(route));
    }
  }

  /**
   * What a bridge has goes first: it may let its only port take packets of these addresses. The
   * address of a link on this one comes when that goes up; only of one that is up it is set, which
   * has lost it with a move.
   */
  private void forwarding(LinkState wanted, LinkState now) throws IOException {
    removeOthers(FactKind.FORWARDING, wanted, now);
    List<FactKind.Fact<ForwardingEntry>> missing = missing(FactKind.FORWARDING, wanted, now, 2);
    missing.sort(Comparator.comparing(one -> LinkReader.isInFilter(one.object())));
    for (FactKind.Fact<ForwardingEntry> one : missing) {
      String address = HexFormat.of().formatHex(one.object().address().toBytes());
      if (!LinkReader.isInFilter(one.object()) || !isOfOneToCome(address, wanted, now)) {
        attempt(one.toString(), () -> one.add(route));
      }
    }
  }

  private static boolean isOfOneToCome(String address, LinkState wanted, @Nullable LinkState now) {
    Map<String, LinkState> there = now == null ? Map.of() : now.uppersByName();
    for (LinkState upper : wanted.uppers()) {
      LinkState one = there.get(upper.name());
      boolean isThere = one != null && isOn(one, "up") && address.equals(addressOf(one));
      if ((isOn(upper, "up") && address.equals(addressOf(upper)) && !isThere)
          || isOfOneToCome(address, upper, one)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String addressOf(LinkState link) {
    return link.values().get("address");
  }

  /** Makes a link that was on this one. Whether the kernel does is seen at the next reading. */
  void make(LinkState upper, int lower) throws IOException {
    attempt(
        "link " + upper.name(),
        () -> {
          Map<Integer, byte[]> data = new TreeMap<>();
          upper
              .values()
              .forEach(
                  (fact, value) -> {
                    if (fact.startsWith("data ")) {
                      int type = Integer.parseInt(fact.substring("data ".length()));
                      data.put(type, HexFormat.of().parseHex(value));
                    }
                  });
          String kind = upper.values().getOrDefault("kind", "");
          boolean isNamedInData = kind.equals("vxlan");
          if (isNamedInData) {
            ByteBuffer value = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
            data.put(LinkReader.VXLAN_LINK, value.putInt(lower).array());
          }
          route.links().create(NewLink.ofKind(upper.name(), kind, isNamedInData ? 0 : lower, data));
        });
  }
}
