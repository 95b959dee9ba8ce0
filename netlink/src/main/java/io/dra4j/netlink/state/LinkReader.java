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
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkData;
import io.dra4j.netlink.route.LinkDetails;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NextHopObject;
import io.dra4j.netlink.route.OperationalState;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.route.TrafficControl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Reads the state of links of one namespace. Thread-safe. */
final class LinkReader {

  static final int MACVLAN_SOURCES = 5; // IFLA_MACVLAN_MACADDR_DATA
  private static final int ATTEMPTS = 5;
  private static final int MAX_DEPTH = 7; // a stored state has eight links on each other at most

  private static final int KERNEL_RA = 9; // RTPROT_RA
  private static final int ADDRESS_KERNEL_RA = 2; // IFAPROT_KERNEL_RA, since Linux 5.18
  private static final int KERNEL_LL = 3; // IFAPROT_KERNEL_LL
  private static final int TEMPORARY = 1; // IFA_F_TEMPORARY, of IPv4 IFA_F_SECONDARY
  private static final int RTN_MULTICAST = 5; // behind RTN_LOCAL, RTN_BROADCAST and RTN_ANYCAST
  private static final int NO_RESOLUTION = 0x40; // NUD_NOARP
  private static final int WITHOUT_ARP = 0x98; // IFF_NOARP, IFF_POINTOPOINT, IFF_LOOPBACK

  private static final int BPF_ID = 11; // TCA_BPF_ID

  /** Kinds of disciplines with classes that somebody sets, and whose options do not count. */
  private static final Set<String> CLASSFUL = Set.of("htb", "hfsc", "drr", "qfq", "ets");

  /** {@code IN6_ADDR_GEN_MODE_STABLE_PRIVACY}, and {@code _RANDOM}, which makes the secret. */
  private static final Set<String> SECRET_MODES = Set.of("2", "3");

  static final int VXLAN_LINK = 3; // IFLA_VXLAN_LINK

  /** The address that a bond gives the link back when it lets it go. */
  static final String OWN_ADDRESS = "member bond address";

  private static final int BRIDGE_PORT_STATE = 1; // IFLA_BRPORT_STATE
  private static final byte FORWARDING = 3; // BR_STATE_FORWARDING
  private static final byte DISABLED = 0; // BR_STATE_DISABLED, also while there is no carrier

  /** The port that takes over from a port of a bridge without a carrier, by its name. */
  static final String BACKUP = "backup port";

  private static final String COST = "member bridge data 3"; // IFLA_BRPORT_COST

  /** What the kernel makes of a port's speed ({@code port_cost} in {@code br_if.c}). */
  private static final Set<String> COSTS_OF_SPEEDS =
      Stream.of(1, 2, 3, 4, 5, 19, 100)
          .map(cost -> ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(cost).array())
          .map(HexFormat.of()::formatHex)
          .collect(Collectors.toSet());

  private static final int BOND_OWN_ADDRESS = 4; // IFLA_BOND_SLAVE_PERM_HWADDR

  /** Kinds of links on a link that can be made again of what the kernel tells of them. */
  private static final Set<String> UPPER =
      Set.of("vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "vxlan");

  /** Kinds whose {@code IFLA_LINK} is not what they are on, but their other end. */
  private static final Set<String> PAIRS = Set.of("veth", "netkit", "vxcan");

  /** What the fact begins with that tells where routes or rules stand among those of others. */
  static final String ORDER = "order of ";

  /** What the fact begins with that tells in which order are those of the link itself. */
  static final String OWN_ORDER = "own order of ";

  /** What the fact begins with that another host has an IPv6 address, or may have. */
  static final String DUPLICATE = "duplicate of ";

  /** What that fact says once the kernel has found it; before that it looks for one. */
  static final String FOUND = "found";

  private static final int FAILED = 8; // IFA_F_DADFAILED
  private static final int NOT_IN_USE = InterfaceAddress.TENTATIVE | FAILED;

  /** What the fact of how many channels there are begins with, before what they are for. */
  static final String CHANNELS = "channels ";

  /** What the fact of a port's VLAN begins with, before its number. */
  static final String VLAN = "bridge vlan ";

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;
  private final String formerName;
  private final Set<Rule> formerRules;
  private final Set<Integer> formerOthers;

  LinkReader(NetworkNamespace namespace, RouteNetlink route, @Nullable Ethtool ethtool) {
    this(namespace, route, ethtool, "", List.of(), Set.of());
  }

  /**
   * Reads a link that may have another name by now, whose rules are not known to be the link's.
   *
   * @param formerName its name; empty if it is the one that it has
   * @param formerRules rules that named it, and are the link's still where they are
   * @param formerOthers indices of other links that its facts named, whose names are told, too
   */
  LinkReader(
      NetworkNamespace namespace,
      RouteNetlink route,
      @Nullable Ethtool ethtool,
      String formerName,
      List<Rule> formerRules,
      Set<Integer> formerOthers) {
    this.namespace = namespace;
    this.route = route;
    this.ethtool = ethtool;
    this.formerName = formerName;
    this.formerRules = formerRules.stream().map(Rule::withoutState).collect(Collectors.toSet());
    this.formerOthers = formerOthers;
  }

  /**
   * What the kernel makes itself, some time after a link is up, and takes away itself; or may have
   * made, and nobody can tell.
   */
  static boolean isByKernel(FactKind.Fact<?> fact) {
    return isAwaited(fact)
        || (fact.object() instanceof Route one && one.protocol() == KERNEL_RA)
        || (fact.object() instanceof InterfaceAddress address
            && address.protocol().orElse(0) == ADDRESS_KERNEL_RA)
        || (fact.object() instanceof ForwardingEntry entry && isInFilter(entry));
  }

  /**
   * Whether an entry is one of the addresses that the link itself takes packets of ({@code
   * dev->uc}): somebody set it, or a link on this one, which may be in another namespace, has it.
   * Entries of vxlans have a remote end.
   */
  static boolean isInFilter(ForwardingEntry entry) {
    return !entry.isOfBridge()
        && entry.isPermanent()
        && entry.destination().isEmpty()
        && !entry.attributes().has("NH_ID");
  }

  /** What it makes without being told to by a router, whose next word may take minutes. */
  static boolean isAwaited(FactKind.Fact<?> fact) {
    if (fact.object() instanceof Route one) {
      return one.protocol() == Route.PROTOCOL_KERNEL;
    }
    return fact.object() instanceof InterfaceAddress one
        && one.address().address().isV6()
        && one.address().address().isLinkLocal()
        && (one.protocol().isPresent()
            ? one.protocol().getAsInt() == KERNEL_LL
            : isOfHardwareAddress(one.address().address()));
  }

  /** Kernels before 5.18 do not say whose an address is; newer ones not, if somebody set it. */
  private static boolean isOfHardwareAddress(IpAddress address) {
    byte[] bytes = address.toBytes();
    return bytes[11] == (byte) 0xff && bytes[12] == (byte) 0xfe; // RFC 4291, appendix A
  }

  /**
   * Whether both are costs that the kernel makes of a port's speed, which it does as long as nobody
   * sets one; it does not say whether somebody has.
   */
  static boolean areCostsOfSpeeds(String fact, String wanted, String found) {
    return fact.equals(COST) && isCostOfSpeed(wanted) && isCostOfSpeed(found);
  }

  /** A link that is no port yet, or any more, has none. */
  private static boolean isCostOfSpeed(String cost) {
    return cost.isEmpty() || COSTS_OF_SPEEDS.contains(cost);
  }

  /** A link, and what is told of it as values. */
  private record Described(Link link, Map<String, String> values) {

    int index() {
      return link.index();
    }

    boolean isPort() {
      return link.memberKind().equals("bridge");
    }

    /** The index of the port that takes over from it without a carrier; 0 for none. */
    int backup() {
      return isPort() ? link.memberAttributes().number("BACKUP_PORT").orElse(0) : 0;
    }
  }

  /**
   * A link and those on it, each list of the namespace asked once for all of them. Sysctls and
   * rules are found by names: where one has another by the end, as udev gives new links theirs,
   * they may be another link's, and all is read again.
   */
  LinkState read(int index) throws IOException {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      LinkState state = readOnce(index);
      if (areStillNamed(state)) {
        return state;
      }
    }
    throw new NetlinkException.DumpInterrupted("read link " + index, ATTEMPTS);
  }

  private boolean areStillNamed(LinkState state) throws NetlinkException {
    if (state.uppers().isEmpty()) {
      return route.links().get(state.index()).name().equals(state.name());
    }
    Map<Integer, String> names = new HashMap<>();
    route.links().list(LinkQuery.lean()).forEach(link -> names.put(link.index(), link.name()));
    return isNamed(state, names);
  }

  /** What has gone since has no other name. */
  private static boolean isNamed(LinkState state, Map<Integer, String> names) {
    return names.getOrDefault(state.index(), state.name()).equals(state.name())
        && state.uppers().stream().allMatch(upper -> isNamed(upper, names));
  }

  private LinkState readOnce(int index) throws IOException {
    Described link = details(index);
    Map<Integer, List<Link>> links = new HashMap<>();
    Map<Integer, String> names = new HashMap<>();
    for (Link other : route.links().list(LinkQuery.lean())) {
      names.put(other.index(), other.name());
      int lower = lowerOf(other);
      if (lower != 0 && other.parentNamespace().isEmpty() && !PAIRS.contains(other.kind())) {
        links.computeIfAbsent(lower, none -> new ArrayList<>()).add(other);
      }
    }
    Surroundings around = new Surroundings(route, !links.containsKey(index));
    return read(link, links, names, around, 0);
  }

  /** A vxlan tells the link that it is on among its own attributes. */
  private static int lowerOf(Link link) {
    return link.kind().equals("vxlan")
        ? link.kindAttributes().number("LINK").orElse(0)
        : link.parentIndex().orElse(0);
  }

  /** A link without those on it. */
  LinkState readAlone(int index) throws IOException {
    Described link = details(index);
    Map<Integer, String> names = new HashMap<>();
    if (link.link.masterIndex().isPresent()) {
      int master = link.link.masterIndex().getAsInt();
      names.put(master, route.links().get(master).name());
    }
    return read(link, Map.of(), names, new Surroundings(route, true), 0);
  }

  private LinkState read(
      Described link,
      Map<Integer, List<Link>> links,
      Map<Integer, String> names,
      Surroundings around,
      int depth)
      throws IOException {
    int index = link.index();
    List<LinkState> uppers = new ArrayList<>();
    for (Link upper : links.getOrDefault(index, List.of())) {
      if (!UPPER.contains(upper.kind())) {
        String kind = upper.kind().isEmpty() ? "hardware" : upper.kind();
        link.values.put("link " + upper.name(), kind);
      } else if (depth < MAX_DEPTH) {
        try {
          uppers.add(read(details(upper.index()), links, names, around, depth + 1));
        } catch (NetlinkException.NotFound e) {
          throwUnlessGone(upper.index(), e);
        }
      }
    }
    String master = names.getOrDefault(link.link.masterIndex().orElse(0), "");
    if (!master.isEmpty()) {
      link.values.put("master", master);
    }
    String backup = names.getOrDefault(link.backup(), "");
    if (!backup.isEmpty()) {
      link.values.put(BACKUP, backup);
    }
    link.values.putAll(around.neighbourParameters(index));
    sysctls(link);
    features(link);
    vlans(link, around);
    traffic(link, around);
    long now = System.currentTimeMillis() / 1_000;
    boolean lists = depth == 0; // of links on it they stay as they are
    Map<FactKind<?>, List<FactKind.Fact<?>>> facts = facts(link, around, lists);
    return new LinkState(
        now, index, link.link.name(), link.values, facts, others(index, facts, names), uppers);
  }

  /** The names of the links beside the one itself that its facts name, or have named. */
  private Map<Integer, String> others(
      int index, Map<FactKind<?>, List<FactKind.Fact<?>>> facts, Map<Integer, String> names) {
    Set<Integer> others = new HashSet<>(formerOthers);
    facts.values().forEach(all -> all.forEach(one -> others.addAll(one.links())));
    others.remove(index);
    Map<Integer, String> named = new HashMap<>(names);
    named.keySet().retainAll(others);
    return named;
  }

  /** Disciplines that the kernel has made itself have no number. */
  private void traffic(Described link, Surroundings around) throws NetlinkException {
    LinkKey key = LinkKey.of(link.index());
    boolean hasClasses = false;
    for (TrafficControl one : around.disciplines(link.index())) {
      if (one.handle() != 0) {
        String parent = one.parent() == TrafficControl.ROOT ? "root" : number(one.parent());
        link.values.put("qdisc of " + parent, number(one.handle()) + " " + told(one));
        hasClasses |= CLASSFUL.contains(one.type());
      }
    }
    if (hasClasses) {
      for (TrafficControl one : route.trafficClasses().list(key)) {
        if (CLASSFUL.contains(one.type())) {
          link.values.put("class " + number(one.handle()), told(one));
        }
      }
    }
    for (TrafficControl filter : route.filters().list(key)) {
      if (filter.handle() != 0) { // 0 is what all of a priority are in
        link.values.put(place(filter), told(filter));
      }
    }
  }

  private static String number(int handle) {
    return "%x:%s"
        .formatted(
            handle >>> 16, (handle & 0xffff) == 0 ? "" : Integer.toHexString(handle & 0xffff));
  }

  /** What it is, and a checksum of what was set of it; of a BPF program the number is another. */
  private static String told(TrafficControl one) {
    Attributes set = one.withoutState().attributes();
    if (one.type().equals("bpf") && one.program().isPresent()) {
      byte[] options = set.bytes("OPTIONS").orElse(new byte[0]);
      Attributes all = Attributes.ofBytes(AttributeTable.NONE, options);
      set = set.with("OPTIONS", all.without(BPF_ID).toBytes());
    }
    CRC32 sum = new CRC32();
    sum.update(set.toBytes());
    String what = (one.type() + " " + one.programName()).strip();
    return "%s, options %08x".formatted(what, sum.getValue());
  }

  /** Links on a link come and go as others want, which is no reason to leave the link itself. */
  void throwUnlessGone(int upper, NetlinkException.NotFound e) throws NetlinkException {
    try {
      route.links().get(upper);
    } catch (NetlinkException.NotFound gone) {
      return;
    }
    throw e;
  }

  private static String place(TrafficControl filter) {
    String side =
        switch (filter.parent()) {
          case TrafficControl.INGRESS -> "ingress";
          case TrafficControl.EGRESS -> "egress";
          default -> Integer.toHexString(filter.parent());
        };
    String chain = filter.chain().orElse(0) == 0 ? "" : " chain " + filter.chain().getAsInt();
    return "filter " + side + chain + " " + filter.priority() + " handle " + filter.handle();
  }

  private Described details(int index) throws NetlinkException {
    LinkDetails told = route.links().details(LinkKey.of(index));
    Link link = told.link();
    Map<String, String> values = new TreeMap<>();
    Setting.FLAGS.forEach(
        (flag, bit) -> values.put(flag, (link.flags() & bit) != 0 ? "on" : "off"));
    Setting.read(told.attributes(), values);
    Configuration.read(told.attributes().nested("AF_SPEC"), values);
    values.put("qdisc", link.queueDiscipline());
    link.alternativeNames().forEach(name -> values.put("altname " + name, "on"));
    if (!link.kind().isEmpty()) {
      values.put("kind", link.kind());
    }
    if (UPPER.contains(link.kind())) {
      boolean vxlan = link.kind().equals("vxlan");
      Attributes data = link.kindAttributes();
      data("data ", vxlan ? data.without("LINK") : data, link.kind(), values); // it is told of it
    }
    Attributes ofPort = link.memberAttributes();
    boolean isPort = link.memberKind().equals("bridge");
    data(
        "member " + link.memberKind() + " data ",
        isPort ? ofPort.without("BACKUP_PORT") : ofPort, // it is told by its name
        "",
        values);
    byte[] member = told.attributes().nested("LINKINFO").bytes("SLAVE_DATA").orElse(new byte[0]);
    Attributes ofMember = Attributes.ofBytes(AttributeTable.NONE, member);
    if (link.memberKind().equals("bond")) {
      ofMember
          .bytes(BOND_OWN_ADDRESS)
          .ifPresent(own -> values.put(OWN_ADDRESS, HexFormat.of().formatHex(own)));
    }
    byte state = ofMember.bytes(BRIDGE_PORT_STATE).orElse(new byte[] {FORWARDING})[0];
    if (isPort && state != FORWARDING && isSetState(state, link)) {
      values.put("bridge port state", Byte.toString(state));
    }
    link.xdpProgram()
        .ifPresent(program -> values.put("xdp program", Integer.toUnsignedString(program)));
    return new Described(link, values);
  }

  /** A bridge that is up lets a port forward that is up and has a carrier. */
  private boolean isSetState(byte state, Link port) throws NetlinkException {
    Link bridge = route.links().get(port.masterIndex().orElse(0));
    return bridge.data() instanceof LinkData.Bridge one
        && !one.spanningTree()
        && (state != DISABLED || (port.isUp() && isOperational(port) && bridge.isUp()));
  }

  private static boolean isOperational(Link link) {
    return link.operationalState() == OperationalState.UP
        || link.operationalState() == OperationalState.UNKNOWN; // of links that never tell
  }

  private static void data(
      String name, Attributes attributes, String kind, Map<String, String> values) {
    for (int type : attributes.types()) {
      byte[] value = attributes.bytes(type).orElseThrow();
      boolean list = kind.startsWith("macv") && type == MACVLAN_SOURCES;
      values.put(name + type, HexFormat.of().formatHex(list ? sorted(value) : value));
    }
  }

  private void vlans(Described link, Surroundings around) throws NetlinkException {
    if (link.isPort()) {
      for (BridgeVlan vlan : around.bridgeVlans(link.index())) {
        String text = (vlan.primary() ? "pvid " : "") + (vlan.untagged() ? "untagged" : "tagged");
        link.values.put(VLAN + vlan.id(), text);
      }
    }
  }

  /**
   * Learned entries come by themselves, and so do the port's own address and the groups that the
   * link takes packets of, which sockets and protocols join ({@code dev->mc}).
   *
   * @param withLists whether the addresses that the link itself takes packets of are wanted, too
   */
  private List<ForwardingEntry> forwarding(Described link, boolean withLists)
      throws NetlinkException {
    boolean vxlan = link.link.kind().equals("vxlan");
    boolean hasLists = link.link.address().toBytes().length == 6 && !isBridge(link);
    if (!link.isPort() && !vxlan && !(withLists && hasLists)) {
      return List.of();
    }
    return route.forwardingEntries().list(link.link).stream()
        .filter(ForwardingEntry::isSet)
        .filter(one -> vxlan || one.isOfBridge() || !isOfGroup(one))
        .filter(
            one ->
                !((one.isOfBridge() || !vxlan)
                    && one.isPermanent()
                    && one.address().equals(link.link.address())))
        .toList();
  }

  private static boolean isBridge(Described link) {
    return link.link.kind().equals("bridge");
  }

  private static boolean isOfGroup(ForwardingEntry one) {
    return !one.address().isEmpty() && (one.address().toBytes()[0] & 1) != 0;
  }

  /** Attributes of one size, which the kernel tells in no order. */
  private static byte[] sorted(byte[] attributes) {
    int size = 12; // a MAC address, padded, behind its header
    List<byte[]> all = new ArrayList<>();
    for (int at = 0; at < attributes.length; at += size) {
      all.add(Arrays.copyOfRange(attributes, at, Math.min(at + size, attributes.length)));
    }
    all.sort(Arrays::compareUnsigned);
    ByteBuffer sorted = ByteBuffer.allocate(attributes.length);
    all.forEach(sorted::put);
    return sorted.array();
  }

  private void sysctls(Described link) throws IOException {
    List<String> files = new ArrayList<>(Configuration.FILES);
    if (SECRET_MODES.contains(link.values.getOrDefault("sysctl ipv6/conf/addr_gen_mode", ""))) {
      files.add("ipv6/conf/stable_secret"); // which no other mode uses
    }
    LinkSysctls.of(namespace, link.link.name())
        .getAll(files)
        .forEach((parameter, value) -> link.values.put("sysctl " + parameter, value));
  }

  private void features(Described link) throws NetlinkException {
    if (ethtool == null) {
      return;
    }
    ethtool
        .features(LinkKey.of(link.index()))
        .values()
        .forEach(
            feature -> {
              if (feature.changeable()) {
                link.values.put("feature " + feature.name(), feature.wanted() ? "on" : "off");
              }
            });
    try {
      ethtool
          .privateFlags(LinkKey.of(link.index()))
          .forEach((flag, set) -> link.values.put("private flag " + flag, set ? "on" : "off"));
    } catch (NetlinkException.Unsupported e) {
      // most drivers have none
    }
    try {
      ethtool
          .channels(LinkKey.of(link.index()))
          .forEach((use, number) -> link.values.put(CHANNELS + use, Integer.toString(number)));
    } catch (NetlinkException.Unsupported e) {
      // nor do links without hardware have channels
    }
  }

  private Map<FactKind<?>, List<FactKind.Fact<?>>> facts(
      Described link, Surroundings around, boolean withLists) throws NetlinkException {
    int index = link.index();
    List<NextHopObject> hops = around.nextHops(index);
    Set<Integer> numbers = new HashSet<>();
    hops.forEach(hop -> numbers.add(hop.id()));
    Map<FactKind<?>, List<FactKind.Fact<?>>> facts = new HashMap<>();
    List<InterfaceAddress> addresses = around.addresses(index);
    put(facts, FactKind.ADDRESS, addresses.stream().filter(one -> !isTemporary(one)));
    for (InterfaceAddress one : addresses) {
      if (one.address().address().isV6() && (one.state() & NOT_IN_USE) != 0) {
        String found = (one.state() & FAILED) != 0 ? FOUND : "looked for";
        link.values.put(DUPLICATE + one.address().address(), found);
      }
    }
    Set<IpAddress> sources =
        addresses.stream()
            .map(one -> one.address().address())
            .filter(one -> !(one.isV6() && one.isLinkLocal()))
            .collect(Collectors.toSet());
    put(facts, FactKind.NEXT_HOP, hops.stream());
    Ways ways = new Ways(index, numbers);
    List<Route> routes =
        around.routes(ways, sources).stream().filter(one -> !isOfAddress(one)).toList();
    put(facts, FactKind.ROUTE, routes.stream());
    around.order(routes, ways).forEach((place, order) -> link.values.put(ORDER + place, order));
    put(
        facts,
        FactKind.NEIGHBOUR,
        Stream.concat(
            around.neighbours(index).stream().filter(one -> isSet(one, link.link)),
            around.proxies(index).stream()));
    put(facts, FactKind.FORWARDING, forwarding(link, withLists).stream());
    Set<Rule> former = withLists ? formerRules : Set.of();
    List<Rule> rules = new ArrayList<>(around.rules(link.link.name(), former));
    if (withLists && !formerName.isEmpty() && !formerName.equals(link.link.name())) {
      rules.removeIf(one -> !former.contains(one.withoutState()));
    }
    put(facts, FactKind.RULE, rules.stream());
    around.order(rules).forEach((place, order) -> link.values.put(ORDER + place, order));
    return facts;
  }

  private static boolean isTemporary(InterfaceAddress one) {
    return one.address().address().isV6() && (one.state() & TEMPORARY) != 0;
  }

  private static <T extends RouteObject> void put(
      Map<FactKind<?>, List<FactKind.Fact<?>>> facts, FactKind<T> kind, Stream<T> objects)
      throws NetlinkException {
    facts.put(kind, List.copyOf(kind.facts(objects.toList())));
  }

  /**
   * Without resolution ({@code NUD_NOARP}) are also those of groups and of such links, by
   * themselves.
   */
  private static boolean isSet(Neighbour one, Link link) {
    boolean isOfOneHost = !one.address().isEmpty() && (one.address().toBytes()[0] & 1) == 0;
    return one.isPermanent()
        || one.isManaged()
        || ((one.state() & NO_RESOLUTION) != 0 && isOfOneHost && (link.flags() & WITHOUT_ARP) == 0);
  }

  /**
   * The kernel makes these of addresses, when it has looked for duplicates, and nobody else. Those
   * of a member of a VRF are in the table of the VRF ({@code l3mdev_fib_table}).
   */
  private static boolean isOfAddress(Route one) {
    boolean isOfThisHost = one.type() >= Route.LOCAL && one.type() <= RTN_MULTICAST;
    return one.protocol() == Route.PROTOCOL_KERNEL
        && (one.table() == Route.LOCAL_TABLE || isOfThisHost);
  }
}
