package io.dra4j.netlink.state;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkDetails;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the state of links of one namespace. Thread-safe. */
final class LinkReader {

  private static final int ATTEMPTS = 5;
  private static final int NO_RESOLUTION = 0x40; // NUD_NOARP
  private static final int WITHOUT_ARP = 0x98; // IFF_NOARP, IFF_POINTOPOINT, IFF_LOOPBACK

  /** {@code IN6_ADDR_GEN_MODE_STABLE_PRIVACY}, and {@code _RANDOM}, which generates the secret. */
  private static final Set<String> SECRET_MODES = Set.of("2", "3");

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;
  private final Set<Rule> formerRules;
  private final Set<Integer> formerOthers;

  /**
   * Creates a reader.
   *
   * @param before the earlier state of the link: rules that named it still belong to the link if
   *     they exist, and the names of other links in its facts are read too; null for a first
   *     reading
   */
  LinkReader(
      NetworkNamespace namespace,
      RouteNetlink route,
      @Nullable Ethtool ethtool,
      @Nullable LinkState before) {
    this.namespace = namespace;
    this.route = route;
    this.ethtool = ethtool;
    this.formerRules =
        before == null
            ? Set.of()
            : before.rules().stream().map(Rule::withoutState).collect(Collectors.toSet());
    this.formerOthers = before == null ? Set.of() : before.others().keySet();
  }

  /**
   * Reads a link; {@code context} has lists of a moment ago. Sysctls and rules are found by name:
   * if udev renames the link meanwhile, they may be another link's, and everything is read again.
   */
  LinkState read(int index, NamespaceContext context) throws IOException {
    NamespaceContext now = context;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      LinkState state = readOnce(index, now);
      if (route.links().get(index).name().equals(state.name())) {
        return state;
      }
      now = new NamespaceContext(route);
    }
    throw new NetlinkException.DumpInterrupted("read link " + index, ATTEMPTS);
  }

  private LinkState readOnce(int index, NamespaceContext context) throws IOException {
    Map<String, String> values = new TreeMap<>();
    Link link = details(index, values);
    Map<Integer, String> names = new HashMap<>();
    for (Link other : context.links()) {
      names.put(other.index(), other.name());
      if (other.lowerIndex().orElse(0) == index) {
        values.put(
            ValueName.UPPER + other.name(), other.kind().isEmpty() ? "hardware" : other.kind());
      }
    }
    String master = names.getOrDefault(link.masterIndex().orElse(0), "");
    if (!master.isEmpty()) {
      values.put(ValueName.MASTER, master);
      values.put(ValueName.MEMBER_KIND, link.memberKind());
    }
    context
        .neighbourParameters(index)
        .forEach((name, value) -> values.put(ValueName.SYSCTL + name, value.toString()));
    sysctls(link, values);
    features(link, values);
    TrafficNotices.read(route, context, index, values);
    long now = System.currentTimeMillis() / 1_000;
    Map<FactKind<?>, List<FactKind.Fact<?>>> facts = facts(link, context, values);
    Set<Integer> others = new HashSet<>(formerOthers);
    facts.values().forEach(all -> all.forEach(one -> others.addAll(one.links())));
    others.remove(index);
    names.keySet().retainAll(others); // names of other links that facts name, or named
    return new LinkState(now, index, link.name(), values, facts, names, List.of());
  }

  private Link details(int index, Map<String, String> values) throws NetlinkException {
    LinkDetails details = route.links().details(LinkKey.of(index));
    Link link = details.link();
    Setting.FLAGS.forEach(
        (flag, bit) -> values.put(flag, (link.flags() & bit) != 0 ? "on" : "off"));
    Setting.read(details.attributes(), values);
    Configuration.read(details.attributes().nested("AF_SPEC"), values);
    values.put(ValueName.QDISC, link.queueDiscipline());
    link.alternativeNames().forEach(name -> values.put(ValueName.ALTNAME + name, "on"));
    if (!link.kind().isEmpty()) {
      values.put("kind", link.kind());
    }
    link.xdpProgram()
        .ifPresent(program -> values.put("xdp program", Integer.toUnsignedString(program)));
    return link;
  }

  private void sysctls(Link link, Map<String, String> values) throws IOException {
    List<String> files = new ArrayList<>(Configuration.FILES);
    if (SECRET_MODES.contains(values.getOrDefault("sysctl ipv6/conf/addr_gen_mode", ""))) {
      files.add("ipv6/conf/stable_secret"); // other modes do not use it
    }
    LinkSysctls.of(namespace, link.name())
        .getAll(files)
        .forEach((parameter, value) -> values.put(ValueName.SYSCTL + parameter, value));
  }

  private void features(Link link, Map<String, String> values) throws NetlinkException {
    if (ethtool == null) {
      return;
    }
    LinkKey key = LinkKey.of(link.index());
    ethtool
        .features(key)
        .values()
        .forEach(
            feature -> {
              if (feature.changeable()) {
                values.put(ValueName.FEATURE + feature.name(), feature.wanted() ? "on" : "off");
              }
            });
    try {
      ethtool
          .privateFlags(key)
          .forEach((flag, set) -> values.put(ValueName.PRIVATE_FLAG + flag, set ? "on" : "off"));
    } catch (NetlinkException.Unsupported e) {
      // most drivers have none
    }
    try {
      ethtool
          .channels(key)
          .forEach((use, number) -> values.put(ValueName.CHANNELS + use, Integer.toString(number)));
    } catch (NetlinkException.Unsupported e) {
      // links without hardware have no channels either
    }
  }

  private Map<FactKind<?>, List<FactKind.Fact<?>>> facts(
      Link link, NamespaceContext context, Map<String, String> values) throws NetlinkException {
    int index = link.index();
    LinkKey key = LinkKey.of(index);
    Map<FactKind<?>, List<FactKind.Fact<?>>> facts = new HashMap<>();
    List<InterfaceAddress> addresses = route.addresses().list(key);
    put(facts, FactKind.ADDRESS, addresses.stream().filter(one -> !one.isTemporary()));
    for (InterfaceAddress one : addresses) {
      IpAddress address = one.address().address();
      if (one.isDuplicate()) {
        values.put(ValueName.DUPLICATE + address, ValueName.FOUND);
      } else if (address.isV6() && (one.state() & InterfaceAddress.TENTATIVE) != 0) {
        values.put(ValueName.DUPLICATE + address, "looked for");
      }
    }
    List<NextHopObject> hops = context.nextHops(index);
    put(facts, FactKind.NEXT_HOP, hops.stream());
    Set<IpAddress> sources =
        addresses.stream()
            .map(one -> one.address().address())
            .filter(one -> !(one.isV6() && one.isLinkLocal()))
            .collect(Collectors.toSet());
    RouteOwnership ways = RouteOwnership.of(index, hops);
    put(facts, FactKind.ROUTE, context.routes(ways, sources).stream());
    put(
        facts,
        FactKind.NEIGHBOUR,
        Stream.concat(
            route.neighbours().list(key).stream().filter(one -> isSet(one, link)),
            // the kernel filters by link only since Linux 5.0, and there are few
            route.neighbours().proxies().stream().filter(one -> one.index() == index)));
    put(facts, FactKind.RULE, context.rules(link.name(), formerRules).stream());
    return facts;
  }

  private static <T extends RouteObject> void put(
      Map<FactKind<?>, List<FactKind.Fact<?>>> facts, FactKind<T> kind, Stream<T> objects)
      throws NetlinkException {
    facts.put(kind, List.copyOf(kind.facts(objects.toList())));
  }

  /**
   * Returns whether a neighbour was set. Neighbours without resolution ({@code NUD_NOARP}) are also
   * created by the kernel for multicast groups and for links without resolution.
   */
  private static boolean isSet(Neighbour one, Link link) {
    boolean isOfOneHost = !one.address().isEmpty() && (one.address().toBytes()[0] & 1) == 0;
    return one.isPermanent()
        || one.isManaged()
        || ((one.state() & NO_RESOLUTION) != 0 && isOfOneHost && (link.flags() & WITHOUT_ARP) == 0);
  }
}
