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
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.OperationalState;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
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
  private static final String DEFAULT_MODE = "0"; // IF_LINK_MODE_DEFAULT
  private static final byte OPERATIONAL = 6; // IF_OPER_UP
  private static final int BACKUP_PORT = 34; // IFLA_BRPORT_BACKUP_PORT
  private static final byte[] FLUSH =
      ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(2).array();

  /** What is set of a link that is down, but not again where the kernel has refused it. */
  private static final List<String> WHILE_DOWN = List.of("name", "address", "master", "up");

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;
  private final LinkReader reader;
  private final Attempts attempts;
  private final List<FactKind.Fact<NextHopObject>> shortened = new ArrayList<>(); // by going down

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
   * @param changes what differs, without the links on it
   * @param round 1 at first: what the kernel makes itself is left to it then, and set later on
   */
  void set(LinkState wanted, LinkState start, List<Difference> changes, int round)
      throws IOException {
    LinkState now = start;
    int index = now.index();
    Map<String, String> changed = new TreeMap<>();
    for (Difference one : changes) {
      changed.put(one.fact(), one.wanted());
    }
    dropImpossible(index, changed);
    boolean hadToGoDown =
        isOn(now, "up")
            && WHILE_DOWN.stream()
                .anyMatch(fact -> changed.containsKey(fact) && !attempts.isRefused(fact));
    if (hadToGoDown) {
      shortened.addAll(RouteWriter.groupsOfOthers(wanted, start));
      attempt("up", () -> change(index, LinkSettings.none().down()));
    }
    alternativeNames(index, changed, false); // the link's name may be one of them by now
    if (changed.containsKey("name")) {
      attempt("name", () -> change(index, LinkSettings.none().name(wanted.name())));
    }
    beforeABondTakesIt(wanted, changed);
    settings(index, changed);
    alternativeNames(index, changed, true);
    data(index, wanted, changed, "data ");
    sysctls(index, changed);
    token(index, changed);
    if (changed.containsKey("master")) {
      attempt("master", () -> change(index, master(changed)));
    }
    data(index, wanted, changed, "member ");
    backupPort(index, changed);
    vlans(index, changed);
    features(index, changed);
    flags(index, wanted, changed, hadToGoDown);
    awake(index, changed);
    if (hadToGoDown) {
      now = reader.readAlone(index);
    }
    if (new AddressWriter(route, attempts).set(wanted, now, round)) {
      now = reader.readAlone(index);
    }
    RouteWriter routes = new RouteWriter(route, attempts);
    routes.set(wanted, now, changed, round);
    shortened.removeAll(routes.lengthened(shortened, wanted));
    neighbours(wanted, now);
    forwarding(wanted, now);
    rules(wanted, now);
  }

  /** What the link would go down for in vain, with what the kernel forgets then. */
  private void dropImpossible(int index, Map<String, String> changed) throws IOException {
    if (changed.containsKey("master")
        && !attempts.isRefused("master")
        && !attempt("master", () -> master(changed))) {
      changed.remove("master");
    }
    String name = changed.getOrDefault("name", "");
    OptionalInt holder = name.isEmpty() ? OptionalInt.empty() : holder(name);
    if (holder.isPresent() && holder.getAsInt() != index) {
      attempts.refuse("name", "link " + holder.getAsInt() + " has it");
      changed.remove("name");
    }
  }

  private OptionalInt holder(String name) throws NetlinkException {
    try {
      return OptionalInt.of(route.links().get(name).index());
    } catch (NetlinkException.NotFound e) {
      return OptionalInt.empty();
    }
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

  /**
   * All at once, and one by one if the kernel refuses some: it may have set others by then. What is
   * taken away goes first, as the reasons for which a protocol holds the link down.
   */
  private void settings(int index, Map<String, String> changed) throws IOException {
    List<LinkSettings> all = new ArrayList<>(List.of(LinkSettings.none()));
    Map<String, LinkSettings> single =
        new TreeMap<>(
            Comparator.comparing((String name) -> !changed.getOrDefault(name, "").isEmpty())
                .thenComparing(Comparator.naturalOrder()));
    for (Map.Entry<String, String> one : changed.entrySet()) {
      String name = one.getKey();
      if (Setting.isOne(name) && (!one.getValue().isEmpty() || Setting.mayLack(name))) {
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

  private void alternativeNames(int index, Map<String, String> changed, boolean isAdding)
      throws IOException {
    for (Map.Entry<String, String> one : changed.entrySet()) {
      if (one.getKey().startsWith("altname ") && one.getValue().isEmpty() != isAdding) {
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

  /** By its name, as the master: its index may be another's by now. */
  private void backupPort(int index, Map<String, String> changed) throws IOException {
    String name = changed.get(LinkReader.BACKUP);
    if (name != null) {
      attempt(
          LinkReader.BACKUP,
          () -> {
            int backup = name.isEmpty() ? 0 : route.links().get(name).index();
            ByteBuffer value = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
            Attributes port =
                Attributes.none(AttributeTable.NONE)
                    .with(BACKUP_PORT, value.putInt(backup).array());
            change(index, LinkSettings.none().member("bridge", port));
          });
    }
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

  /**
   * The kernel looks at the mode when the carrier changes ({@code rfc2863_policy}), which that of a
   * macvlan does not when it goes down and up: a link that the mode has made dormant would stay so.
   */
  private void awake(int index, Map<String, String> changed) throws IOException {
    if (changed.getOrDefault("mode", "").equals(DEFAULT_MODE)) {
      Link link = route.links().get(index);
      if (link.isUp() && link.operationalState() == OperationalState.DORMANT) {
        byte[] state = {OPERATIONAL};
        attempt("state", () -> change(index, LinkSettings.none().attribute("OPERSTATE", state)));
      }
    }
  }

  /** Those that were not there are removed, unless the kernel made them. */
  private <T extends RouteObject> void removeOthers(
      FactKind<T> kind, LinkState wanted, LinkState now) throws IOException {
    for (FactKind.Fact<T> one : kind.onlyIn(now, wanted)) {
      if (!LinkReader.isByKernel(one)) {
        attempt(one.toString(), () -> one.remove(route));
      }
    }
  }

  /** One that the kernel has found meanwhile, or looks for, makes room. */
  private void neighbours(LinkState wanted, LinkState now) throws IOException {
    removeOthers(FactKind.NEIGHBOUR, wanted, now);
    for (FactKind.Fact<Neighbour> one : FactKind.NEIGHBOUR.onlyIn(wanted, now)) {
      attempt(one.toString(), () -> route.neighbours().replace(one.object()));
    }
  }

  /**
   * Rules that are not in their order go, all at once, and come anew behind those of their
   * priority, unless those of others would be before them that were not. They name the link, and
   * would be about another one that has its name.
   */
  private void rules(LinkState wanted, LinkState now) throws IOException {
    Map<String, List<FactKind.Fact<Rule>>> rows =
        Rows.of(wanted.facts(FactKind.RULE), wanted.ways());
    Map<String, List<FactKind.Fact<Rule>>> there = Rows.of(now.facts(FactKind.RULE), now.ways());
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
    if (gone.isEmpty() && missing.isEmpty()) {
      return;
    }
    if (!nameOf(now.index()).equals(wanted.name())) {
      missing.forEach(one -> attempts.refuse(one.toString(), "the link has not the name in it"));
      return;
    }
    if (!gone.isEmpty()
        && !attempt("rules", () -> route.rules().deleteAll(FactKind.objects(gone)))) {
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
    List<FactKind.Fact<ForwardingEntry>> missing = FactKind.FORWARDING.onlyIn(wanted, now);
    missing.sort(Comparator.comparing(one -> LinkReader.isInFilter(one.object())));
    for (FactKind.Fact<ForwardingEntry> one : missing) {
      String address = HexFormat.of().formatHex(one.object().address().toBytes());
      if (!LinkReader.isInFilter(one.object()) || !isOfOneToCome(address, wanted, now)) {
        attempt(one.toString(), () -> one.add(route));
      }
    }
  }

  private static boolean isOfOneToCome(String address, LinkState wanted, @Nullable LinkState now) {
    Map<String, LinkState> there = now == null ? Map.of() : now.uppersByIdentity();
    for (LinkState upper : wanted.uppers()) {
      LinkState one = there.get(upper.identity());
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
