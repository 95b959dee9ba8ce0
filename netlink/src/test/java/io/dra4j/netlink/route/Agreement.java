package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Whether {@code ip} and we say the same of all that a namespace has: links, addresses, routes,
 * rules, neighbours, next-hop objects.
 */
final class Agreement {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, Integer> ADDRESS_FLAGS =
      Map.ofEntries(
          Map.entry("secondary", 1),
          Map.entry("temporary", 1),
          Map.entry("nodad", 2),
          Map.entry("optimistic", 4),
          Map.entry("dadfailed", 8),
          Map.entry("home", 0x10),
          Map.entry("deprecated", 0x20),
          Map.entry("tentative", 0x40),
          Map.entry("mngtmpaddr", 0x100),
          Map.entry("noprefixroute", 0x200),
          Map.entry("autojoin", 0x400));
  private static final Map<String, Integer> ROUTE_FLAGS =
      Map.of("dead", 1, "pervasive", 2, "onlink", 4, "linkdown", 16);
  private static final int SHOWN_ROUTE_FLAGS = 1 | 2 | 4 | 16;
  private static final Map<String, Integer> NEIGHBOUR_STATES =
      Map.of(
          "NONE",
          0,
          "INCOMPLETE",
          1,
          "REACHABLE",
          2,
          "STALE",
          4,
          "DELAY",
          8,
          "PROBE",
          0x10,
          "FAILED",
          0x20,
          "NOARP",
          0x40,
          "PERMANENT",
          0x80);
  private static final Map<String, Integer> HARDWARE_TYPES =
      Map.of("[1]", 1, "ether", 1, "[32]", 32, "infiniband", 32, "[772]", 772, "loopback", 772);

  private static final Pattern LIFETIME = Pattern.compile("(\"[a-z]+_life_time\":)(\\d+)");
  private static final long FOR_EVER = 0xffff_ffffL;

  /** To thousands of seconds: emulated processors take seconds to ask once. */
  private static long rounded(long seconds) {
    return seconds == FOR_EVER ? seconds : (seconds + 500) / 1_000;
  }

  /** What {@code ip} says; equal if nothing happened in between. */
  private record Said(
      List<JsonNode> links,
      List<JsonNode> v4,
      List<JsonNode> v6,
      Traffic traffic,
      JsonNode entries,
      JsonNode vlans) {

    private static final String FAMILY = "route show table all\nrule show\nneigh show nud all\n";

    static Said by(TestNamespace namespace) throws IOException {
      return new Said(
          ask(namespace, "-s", "link show\naddr show\nnexthop show\n"),
          ask(namespace, "-4", FAMILY),
          ask(namespace, "-6", FAMILY),
          Traffic.by(namespace),
          namespace.json("bridge -j fdb show"),
          namespace.json("bridge -j -compressvlans vlan show"));
    }

    private static long rounded(String seconds) {
      return Agreement.rounded(Long.parseLong(seconds));
    }

    private static List<JsonNode> ask(TestNamespace namespace, String option, String questions)
        throws IOException {
      Path file = Files.createTempFile("questions", null);
      try {
        Files.writeString(file, questions);
        List<JsonNode> answers = new ArrayList<>();
        String output = namespace.run("ip", option, "-d -j -N -batch", file.toString());
        for (String line : output.lines().toList()) {
          String rounded =
              LIFETIME.matcher(line).replaceAll(one -> one.group(1) + rounded(one.group(2)));
          answers.add(JSON.readTree(rounded));
        }
        return answers;
      } finally {
        Files.delete(file);
      }
    }

    List<JsonNode> both(int question) {
      List<JsonNode> both = new ArrayList<>();
      v4.get(question).forEach(both::add);
      v6.get(question).forEach(both::add);
      return both;
    }
  }

  /** What {@code tc} says: JSON of disciplines and filters, lines of classes, by link. */
  private record Traffic(
      JsonNode disciplines, Map<String, String> classes, Map<String, JsonNode> filters) {

    static Traffic by(TestNamespace namespace) throws IOException {
      JsonNode disciplines = namespace.json("tc -j qdisc show");
      Map<String, String> classes = new TreeMap<>();
      Map<String, JsonNode> filters = new TreeMap<>();
      for (JsonNode one : disciplines) {
        String dev = one.get("dev").asText();
        if (!classes.containsKey(dev)) {
          classes.put(dev, namespace.run("tc", "class show dev " + dev));
        }
        switch (one.get("kind").asText()) {
          case "htb" -> filters.put(dev + " root", namespace.json("tc -j filter show dev " + dev));
          case "clsact", "ingress" -> {
            for (String side : List.of("ingress", "egress")) {
              filters.put(
                  dev + " " + side, namespace.json("tc -j filter show dev " + dev + " " + side));
            }
          }
          default -> {
            // has neither
          }
        }
      }
      return new Traffic(disciplines, classes, filters);
    }

    /** {@code 1:10}, {@code ffff:}, in hexadecimal digits. */
    private static String number(String text) {
      String[] both = text.split(":", -1);
      int major = both[0].isEmpty() ? 0 : Integer.parseInt(both[0], 16);
      int minor = both[1].isEmpty() ? 0 : Integer.parseInt(both[1], 16);
      return Integer.toHexString((major << 16) | minor);
    }

    List<String> disciplines(Map<String, Integer> indices) {
      List<String> all = new ArrayList<>();
      for (JsonNode one : disciplines) {
        String parent = one.path("root").asBoolean() ? "ffffffff" : number(text(one, "parent"));
        all.add(
            "%s %s of %s on %d"
                .formatted(
                    text(one, "kind"),
                    number(text(one, "handle")),
                    parent,
                    indices.get(text(one, "dev"))));
      }
      return all;
    }

    /** {@code class htb 1:10 root prio 3 ...}, or {@code parent 1:1} for {@code root}. */
    List<String> classes(Map<String, Integer> indices) {
      List<String> all = new ArrayList<>();
      classes.forEach(
          (dev, lines) ->
              lines
                  .lines()
                  .map(line -> line.split(" ", 6))
                  .forEach(
                      words ->
                          all.add(
                              "%s %s of %s on %d"
                                  .formatted(
                                      words[1],
                                      number(words[2]),
                                      words[3].equals("root") ? "ffffffff" : number(words[4]),
                                      indices.get(dev)))));
      return all;
    }

    List<String> filters(Map<String, Integer> indices) {
      List<String> all = new ArrayList<>();
      filters.forEach(
          (place, told) ->
              told.forEach(
                  one -> {
                    if (one.has("options")) { // the other lines are chains
                      all.add(
                          "%s pref %s chain %s on %d"
                              .formatted(
                                  text(one, "kind"),
                                  text(one, "pref"),
                                  text(one, "chain"),
                                  indices.get(place.split(" ", 2)[0])));
                    }
                  }));
      return all;
    }
  }

  private static String traffic(TrafficControl one) {
    return one.objectKind() == ObjectKind.TRAFFIC_FILTER
        ? "%s pref %d chain %d on %d"
            .formatted(one.type(), one.priority(), one.chain().orElse(0), one.index())
        : "%s %x of %x on %d".formatted(one.type(), one.handle(), one.parent(), one.index());
  }

  private final Map<String, Integer> indices = new HashMap<>();

  private Agreement() {}

  /** Looks until nothing changes while both look, and then fails if they do not agree. */
  static void check(TestNamespace namespace) throws IOException {
    RouteNetlink route = namespace.route;
    for (int attempt = 1; ; attempt++) {
      Said before = Said.by(namespace);
      Map<ObjectKind, List<?>> ours = new EnumMap<>(ObjectKind.class);
      for (ObjectKind kind : ObjectKind.values()) {
        ours.put(kind, route.list(kind));
      }
      if (before.equals(Said.by(namespace)) || attempt == 30) {
        Agreement agreement = new Agreement();
        ours.forEach((kind, objects) -> agreement.check(kind, objects, before));
        return;
      }
    }
  }

  /** Links come first, whose names the others have. */
  private void check(ObjectKind kind, List<?> objects, Said said) {
    List<String> theirs = new ArrayList<>();
    List<String> ours = new ArrayList<>();
    for (Object object : objects) {
      ours.add(
          switch (kind) {
            case LINK -> "";
            case ADDRESS -> address((InterfaceAddress) object);
            case ROUTE -> route((Route) object);
            case RULE -> rule((Rule) object);
            case NEIGHBOUR -> neighbour((Neighbour) object);
            case FORWARDING_ENTRY -> entry((ForwardingEntry) object);
            case PORT_VLANS -> vlans((PortVlans) object);
            case NEXT_HOP -> nextHop((NextHopObject) object);
            case QUEUE_DISCIPLINE, TRAFFIC_CLASS, TRAFFIC_FILTER ->
                traffic((TrafficControl) object);
          });
    }
    switch (kind) {
      case LINK -> {
        assertThat(objects).hasSize(said.links.get(0).size());
        for (int i = 0; i < objects.size(); i++) {
          Link link = (Link) objects.get(i);
          checkLink(link, said.links.get(0).get(i));
          indices.put(link.name(), link.index());
          theirs.add("");
        }
      }
      case ADDRESS -> {
        for (JsonNode link : said.links.get(1)) {
          link.get("addr_info").forEach(one -> theirs.add(address(link, one)));
        }
      }
      case ROUTE -> said.both(0).forEach(one -> theirs.add(route(one)));
      case RULE -> theirs.addAll(rulesOf(said));
      case NEIGHBOUR -> said.both(2).forEach(one -> theirs.add(neighbour(one)));
      case FORWARDING_ENTRY -> said.entries.forEach(one -> theirs.add(entry(one)));
      case PORT_VLANS -> said.vlans.forEach(one -> theirs.add(vlans(one)));
      case NEXT_HOP -> said.links.get(2).forEach(one -> theirs.add(nextHop(one)));
      case QUEUE_DISCIPLINE -> theirs.addAll(said.traffic.disciplines(indices));
      case TRAFFIC_CLASS -> theirs.addAll(said.traffic.classes(indices));
      case TRAFFIC_FILTER -> theirs.addAll(said.traffic.filters(indices));
    }
    assertThat(ours).as(kind.toString()).containsExactlyInAnyOrderElementsOf(theirs);
  }

  private String entry(JsonNode bridge) {
    return "%s dev %d dst %s vlan %d master %s permanent %s"
        .formatted(
            text(bridge, "mac"),
            indices.get(text(bridge, "ifname")),
            text(bridge, "dst"),
            number(bridge, "vlan"),
            bridge.has("master"),
            text(bridge, "state").equals("permanent"));
  }

  private static String entry(ForwardingEntry e) {
    return "%s dev %d dst %s vlan %d master %s permanent %s"
        .formatted(
            e.address(),
            e.index(),
            orEmpty(e.destination()),
            e.vlan().orElse(0),
            e.isOfBridge(),
            e.isPermanent());
  }

  /** {@code {"ifname":"v0","vlans":[{"vlan":1,"flags":["PVID","Egress Untagged"]},...]}}. */
  private String vlans(JsonNode bridge) {
    List<BridgeVlan> all = new ArrayList<>();
    for (JsonNode one : bridge.get("vlans")) {
      Set<String> flags = texts(one.path("flags"));
      int last = one.path("vlanEnd").asInt(number(one, "vlan"));
      for (int id = number(one, "vlan"); id <= last; id++) {
        all.add(new BridgeVlan(id, flags.contains("PVID"), flags.contains("Egress Untagged")));
      }
    }
    return all + " of " + indices.get(text(bridge, "ifname"));
  }

  private static String vlans(PortVlans port) {
    return port.vlans() + " of " + port.index();
  }

  private String nextHop(JsonNode ip) {
    Map<Integer, Integer> group = new TreeMap<>();
    ip.path("group").forEach(one -> group.put(number(one, "id"), one.path("weight").asInt(1)));
    return "%d via %s dev %d group %s blackhole %s proto %s"
        .formatted(
            number(ip, "id"),
            gateway(ip),
            index(ip),
            group,
            ip.has("blackhole"),
            text(ip, "protocol"));
  }

  private static String nextHop(NextHopObject n) {
    return "%d via %s dev %d group %s blackhole %s proto %s"
        .formatted(
            n.id(),
            orEmpty(n.gateway()),
            n.index().orElse(0),
            new TreeMap<>(n.group()),
            n.isBlackhole(),
            n.protocol());
  }

  private static List<String> rulesOf(Said said) {
    List<String> rules = new ArrayList<>();
    said.v4.get(1).forEach(rule -> rules.add(rule(rule, false)));
    said.v6.get(1).forEach(rule -> rules.add(rule(rule, true)));
    return rules;
  }

  private static int number(JsonNode node, String field) {
    return node.path(field).asInt(0);
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asText("");
  }

  private static Set<String> texts(JsonNode array) {
    Set<String> texts = new HashSet<>();
    array.forEach(one -> texts.add(one.asText()));
    return texts;
  }

  /**
   * The addresses of tunnels ({@code ARPHRD_TUNNEL}, {@code ARPHRD_SIT} and the like) are of IP.
   */
  private static String inWords(Link link, HardwareAddress address) {
    boolean isTunnel = Set.of(768, 769, 776, 778, 823).contains(link.hardwareType());
    int length = address.length();
    return isTunnel && (length == 4 || length == 16)
        ? IpAddress.of(address.toBytes()).toString()
        : address.toString();
  }

  /** Every field that {@code ip -d -s -j}, with or without {@code -N}, prints of a link. */
  static void checkLink(Link link, JsonNode ip) {
    assertThat(link.index()).isEqualTo(number(ip, "ifindex"));
    assertThat(link.name()).isEqualTo(text(ip, "ifname"));
    assertThat(link.mtu()).as(link.name()).isEqualTo(number(ip, "mtu"));
    assertThat(link.queueDiscipline()).isEqualTo(text(ip, "qdisc"));
    assertThat(link.operationalState()).hasToString(text(ip, "operstate").toLowerCase(Locale.ROOT));
    assertThat(link.linkMode()).isEqualTo(text(ip, "linkmode").equals("DEFAULT") ? 0 : 1);
    if (HARDWARE_TYPES.containsKey(text(ip, "link_type"))) {
      assertThat(link.hardwareType()).isEqualTo(HARDWARE_TYPES.get(text(ip, "link_type")));
    }
    assertThat(inWords(link, link.address())).isEqualTo(text(ip, "address"));
    assertThat(inWords(link, link.broadcast())).isEqualTo(text(ip, "broadcast"));
    if (ip.has("permaddr")) { // only if it is another one
      assertThat(link.permanentAddress().map(HardwareAddress::toString))
          .hasValue(text(ip, "permaddr"));
    }
    assertThat(link.group()).isEqualTo(number(ip, "group")); // "default" is 0, too
    assertThat(link.promiscuity()).isEqualTo(number(ip, "promiscuity"));
    assertThat(link.allMulticast()).isEqualTo(number(ip, "allmulti"));
    checkLimits(link.limits(), ip);
    JsonNode information = ip.path("linkinfo");
    assertThat(link.kind()).isEqualTo(text(information, "info_kind"));
    assertThat(link.memberKind()).isEqualTo(text(information, "info_slave_kind"));
    assertThat(link.alias()).isEqualTo(text(ip, "ifalias"));
    assertThat(link.parentDevice()).isEqualTo(text(ip, "parentdev"));
    assertThat(link.parentBus()).isEqualTo(text(ip, "parentbus"));
    assertThat(link.physicalPortName()).isEqualTo(text(ip, "phys_port_name"));
    assertThat(link.switchId().map(HardwareAddress::toString).orElse("").replace(":", ""))
        .isEqualTo(text(ip, "phys_switch_id"));
    assertThat(link.isProtocolDown()).isEqualTo(ip.has("protodown") && bool(ip.get("protodown")));
    assertThat(link.parentNamespace()).isEqualTo(optional(ip, "link_netnsid"));
    if (ip.has("link_index")) { // else a name, or nothing
      assertThat(link.parentIndex()).isEqualTo(optional(ip, "link_index"));
    } else {
      assertThat(link.parentIndex().isPresent()).isEqualTo(ip.hasNonNull("link"));
    }
    assertThat(link.masterIndex().isPresent()).isEqualTo(ip.has("master"));
    List<String> names = new ArrayList<>();
    ip.path("altnames").forEach(name -> names.add(name.asText()));
    assertThat(link.alternativeNames()).isEqualTo(names);
    Set<String> flags = texts(ip.get("flags"));
    assertThat(link.isUp()).isEqualTo(flags.contains("UP"));
    assertThat(link.isLoopback()).isEqualTo(flags.contains("LOOPBACK"));
    assertThat((link.flags() & 2) != 0).isEqualTo(flags.contains("BROADCAST"));
    assertThat((link.flags() & 0x1000) != 0).isEqualTo(flags.contains("MULTICAST"));
    assertThat((link.flags() & 0x80) != 0).isEqualTo(flags.contains("NOARP"));
    assertThat((link.flags() & 0x10000) != 0).isEqualTo(flags.contains("LOWER_UP"));
    link.statistics().ifPresent(counted -> checkStatistics(counted, ip.get("stats64")));
  }

  private static boolean bool(JsonNode node) {
    return node.isBoolean() ? node.asBoolean() : !node.asText().equals("off");
  }

  private static OptionalInt optional(JsonNode node, String field) {
    return node.has(field) ? OptionalInt.of(node.get(field).asInt()) : OptionalInt.empty();
  }

  /** Older programs print less. */
  private static void checkLimits(LinkLimits limits, JsonNode ip) {
    assertThat(limits.minMtu()).isEqualTo(number(ip, "min_mtu"));
    assertThat(limits.maxMtu()).isEqualTo(number(ip, "max_mtu"));
    assertThat(limits.sendQueues()).isEqualTo(number(ip, "num_tx_queues"));
    assertThat(limits.receiveQueues()).isEqualTo(number(ip, "num_rx_queues"));
    assertThat(limits.sendQueueLength()).isEqualTo(number(ip, "txqlen"));
    assertThat(limits.gsoMaxSegments()).isEqualTo(number(ip, "gso_max_segs"));
    Map<String, Integer> sizes =
        Map.of(
            "gso_max_size", limits.gsoMaxSize(),
            "gro_max_size", limits.groMaxSize(),
            "gso_ipv4_max_size", limits.gsoIpv4MaxSize(),
            "gro_ipv4_max_size", limits.groIpv4MaxSize(),
            "tso_max_size", limits.tsoMaxSize(),
            "tso_max_segs", limits.tsoMaxSegments());
    sizes.forEach(
        (name, size) -> {
          if (ip.has(name)) {
            assertThat(size).as(name).isEqualTo(ip.get(name).asInt());
          }
        });
  }

  private static void checkStatistics(LinkStatistics counted, JsonNode ip) {
    JsonNode received = ip.get("rx");
    JsonNode sent = ip.get("tx");
    assertThat(counted.receivedBytes()).isEqualTo(received.get("bytes").asLong());
    assertThat(counted.receivedPackets()).isEqualTo(received.get("packets").asLong());
    assertThat(counted.receiveErrors()).isEqualTo(received.get("errors").asLong());
    assertThat(counted.receivedDropped()).isEqualTo(received.get("dropped").asLong());
    assertThat(counted.multicast()).isEqualTo(received.get("multicast").asLong());
    assertThat(counted.sentBytes()).isEqualTo(sent.get("bytes").asLong());
    assertThat(counted.sentPackets()).isEqualTo(sent.get("packets").asLong());
    assertThat(counted.sendErrors()).isEqualTo(sent.get("errors").asLong());
    assertThat(counted.sendDropped()).isEqualTo(sent.get("dropped").asLong());
  }

  private static String address(JsonNode link, JsonNode ip) {
    int flags = ip.path("dynamic").asBoolean() ? 0 : InterfaceAddress.PERMANENT;
    for (Map.Entry<String, Integer> flag : ADDRESS_FLAGS.entrySet()) {
      flags |= ip.path(flag.getKey()).asBoolean() ? flag.getValue() : 0;
    }
    return "%d %s/%d peer %s brd %s label %s scope %s for %d %d metric %d flags %x"
        .formatted(
            number(link, "ifindex"),
            text(ip, "local"),
            number(ip, "prefixlen"),
            text(ip, "address"),
            text(ip, "broadcast"),
            text(ip, "label"),
            text(ip, "scope"),
            ip.get("valid_life_time").asLong(),
            ip.path("deprecated").asBoolean() ? 0 : ip.get("preferred_life_time").asLong(),
            number(ip, "metric"),
            flags);
  }

  private static String address(InterfaceAddress a) {
    return "%d %s peer %s brd %s label %s scope %d for %d %d metric %d flags %x"
        .formatted(
            a.index(),
            a.address(),
            orEmpty(a.peer()),
            orEmpty(a.broadcast()),
            a.label(),
            a.scope(),
            rounded(a.validSeconds().orElse(FOR_EVER)),
            rounded(a.preferredSeconds().orElse(FOR_EVER)),
            a.metric().orElse(0),
            a.flags() | a.state());
  }

  private static String orEmpty(Optional<?> object) {
    return object.map(Object::toString).orElse("");
  }

  private int index(JsonNode ip) {
    return ip.has("dev") ? indices.getOrDefault(ip.get("dev").asText(), -1) : 0;
  }

  private static int flags(JsonNode ip) {
    int flags = 0;
    for (String flag : texts(ip.path("flags"))) {
      flags |= ROUTE_FLAGS.getOrDefault(flag, 0);
    }
    return flags;
  }

  private static String gateway(JsonNode ip) {
    return ip.has("via") ? ip.get("via").get("host").asText() : text(ip, "gateway");
  }

  private static String prefix(JsonNode ip, String field, boolean v6) {
    String prefix = text(ip, field);
    if (prefix.equals("default")) {
      return v6 ? "::/0" : "0.0.0.0/0";
    }
    return prefix.isEmpty() || prefix.contains("/") ? prefix : prefix + (v6 ? "/128" : "/32");
  }

  private String route(JsonNode ip) {
    boolean v6 = ip.has("pref"); // every route of IPv6 has one
    List<String> hops = new ArrayList<>();
    for (JsonNode hop : ip.path("nexthops")) {
      hops.add(gateway(hop) + "*" + number(hop, "weight") + " dev " + index(hop));
    }
    return "type %s %s from %s via %s dev %d table %s proto %s scope %s src %s metric %d flags %x mtu %d %s"
        .formatted(
            text(ip, "type"),
            prefix(ip, "dst", v6),
            prefix(ip, "from", v6),
            gateway(ip),
            index(ip),
            text(ip, "table"),
            text(ip, "protocol"),
            text(ip, "scope"),
            text(ip, "prefsrc"),
            number(ip, "metric"),
            flags(ip),
            number(ip.path("metrics").path(0), "mtu"),
            hops);
  }

  private static String route(Route r) {
    List<String> hops = new ArrayList<>();
    for (NextHop hop : r.nextHops()) {
      hops.add(orEmpty(hop.gateway()) + "*" + hop.weight() + " dev " + hop.index().orElse(0));
    }
    return "type %d %s from %s via %s dev %d table %d proto %d scope %d src %s metric %d flags %x mtu %d %s"
        .formatted(
            r.type(),
            r.destination(),
            orEmpty(r.source()),
            orEmpty(r.gateway()),
            r.index().orElse(0),
            r.table(),
            r.protocol(),
            r.scope(),
            orEmpty(r.preferredSource()),
            r.metric(),
            (r.flags() | r.state()) & SHOWN_ROUTE_FLAGS,
            r.metrics().getOrDefault(2, 0),
            hops);
  }

  private static String end(JsonNode ip, String field, String length) {
    String address = text(ip, field);
    return ip.has(length) ? address + "/" + number(ip, length) : address;
  }

  private static String end(Optional<IpPrefix> end, String otherwise) {
    return end.map(
            prefix ->
                prefix.length() == prefix.address().bits()
                    ? prefix.address().toString()
                    : prefix.toString())
        .orElse(otherwise);
  }

  private static String rule(JsonNode ip, boolean v6) {
    return "%s %d not %s from %s to %s mark %s/%s iif %s oif %s tos %s table %s goto %d action %s suppress %d l3mdev %s proto %s"
        .formatted(
            v6,
            number(ip, "priority"),
            ip.has("not"),
            end(ip, "src", "srclen"),
            end(ip, "dst", "dstlen"),
            text(ip, "fwmark"),
            text(ip, "fwmask"),
            text(ip, "iif"),
            text(ip, "oif"),
            ip.has("tos") ? Integer.decode(text(ip, "tos")) : 0,
            ip.has("table") ? text(ip, "table") : "0",
            number(ip, "goto"),
            ip.has("action") ? text(ip, "action") : ip.has("goto") ? "2" : "1",
            ip.path("suppress_prefixlen").asInt(-1),
            ip.has("l3mdev"),
            text(ip, "protocol"));
  }

  private static String rule(Rule r) {
    return "%s %d not %s from %s to %s mark %s/%s iif %s oif %s tos %d table %d goto %d action %d suppress %d l3mdev %s proto %d"
        .formatted(
            r.v6(),
            r.priority().orElse(0),
            r.inverted(),
            end(r.source(), "all"),
            end(r.destination(), ""),
            r.mark().isPresent() ? "0x" + Integer.toHexString(r.mark().getAsInt()) : "",
            r.mark().isPresent() && r.markMask() != -1
                ? "0x" + Integer.toHexString(r.markMask())
                : "",
            r.inputLink(),
            r.outputLink(),
            r.typeOfService(),
            r.table().orElse(0),
            r.target().orElse(0),
            r.action(),
            r.suppressPrefixLength().orElse(-1),
            r.masterTable(),
            r.protocol());
  }

  private String neighbour(JsonNode ip) {
    int state = 0;
    for (String name : texts(ip.get("state"))) {
      state |= NEIGHBOUR_STATES.getOrDefault(name, -1);
    }
    return "%s dev %d lladdr %s state %x router %s"
        .formatted(text(ip, "dst"), index(ip), text(ip, "lladdr"), state, ip.has("router"));
  }

  private static String neighbour(Neighbour n) {
    return "%s dev %d lladdr %s state %x router %s"
        .formatted(n.destination(), n.index(), n.address(), n.state(), (n.flags() & 0x80) != 0);
  }
}
