package io.dra4j.netlink.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.linux.Privileges;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.lab.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code ip} makes is read, deleted, written back and read again: the same as before, for us
 * and for {@code ip -d -j}. What this kernel or {@code ip} lacks is counted and printed.
 */
@EnabledIf(TestNamespace.MAY)
@Tag("exhaustive")
class VarietiesTest {

  /** What counts by itself, is chosen anew, or depends on both. */
  private static final Set<String> MOVING =
      Set.of(
          "ifindex",
          "link_index",
          "gc_timer",
          "forward_delay_timer",
          "hold_timer",
          "message_age_timer",
          "hello_timer",
          "tcn_timer",
          "topology_change_timer",
          "valid_life_time",
          "preferred_life_time",
          "expires",
          "tentative",
          "operstate",
          "permaddr", // of a tunnel without hardware: at random
          "bridge_id",
          "root_id",
          "used",
          "refcnt",
          "confirmed",
          "updated",
          "probes");

  /** What the kernel says of a link or route among its flags. */
  private static final Set<String> STATES =
      Set.of("linkdown", "dead", "LOWER_UP", "NO-CARRIER", "M-DOWN");

  /** Where filters are, by the discipline that holds them. */
  private static final Map<String, List<String>> FILTER_PLACES =
      Map.of(
          "clsact", List.of("ingress", "egress"),
          "ingress", List.of("ingress"),
          "htb", List.of("parent 1:"));

  /** Others are of multicast groups and of the links themselves, and come when they come. */
  private static final Pattern OWN_ENTRY =
      Pattern.compile("(02:00:00:00:00:71|00:00:00:00:00:00|33:33:00:00:00:77).*");

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int LINK_DOWN = 16; // RTNH_F_LINKDOWN

  private static int made;
  private static int there;
  private static final Set<String> LACKING = new TreeSet<>();

  static List<Varieties.Variety> varieties() {
    return Varieties.all();
  }

  @AfterAll
  static void count() {
    System.out.printf(
        "varieties: %d written back, %d facts lost, %d that this kernel or ip lacks%n",
        there, made - there, LACKING.size());
    LACKING.forEach(variety -> System.out.println("  lacking: " + variety));
  }

  /**
   * Runs lines of {@code ip} or {@code tc} in one process: where processors are emulated, most of
   * the time.
   */
  private static Said run(TestNamespace inside, String options, List<String> lines)
      throws IOException {
    Privileges.assumeInstalled(options.split(" ", 2)[0]);
    return inside.namespace.call(
        () -> {
          String command = options + " -batch -";
          Process process =
              new ProcessBuilder(command.strip().split(" +", -1)).redirectErrorStream(true).start();
          process.getOutputStream().write(String.join("\n", lines).getBytes(UTF_8));
          process.getOutputStream().close();
          String said = new String(process.getInputStream().readAllBytes(), UTF_8);
          try {
            return new Said(process.waitFor() == 0 && !said.contains("Error"), said);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Whether all went well, and what was printed. */
  private record Said(boolean isWell, String text) {}

  private static void prepare(TestNamespace inside, ObjectKind kind) throws IOException {
    inside.namespace.setSysctl("net/ipv6/conf/default/accept_dad", "0");
    inside.namespace.setSysctl("net/ipv6/conf/default/addr_gen_mode", "1");
    inside.namespace.setSysctl("net/ipv6/conf/default/forwarding", "1");
    Said said =
        run(
            inside,
            "ip",
            List.of(
                "link add v0 type veth peer name v1",
                "link add sw type bridge",
                "link set lo up",
                "link set v0 up",
                "link set v1 up",
                "addr add 192.0.2.5/24 dev v0",
                "addr add 2001:db8::5/64 dev v0",
                "nexthop add id 90 via 192.0.2.1 dev v0",
                "nexthop add id 91 via 192.0.2.2 dev v0",
                "nexthop add id 92 blackhole",
                "nexthop add id 93 group 90,3/91,2",
                "nexthop add id 94 via 2001:db8::1 dev v0"));
    assertThat(said.isWell()).as(said.text()).isTrue();
    awaitAddresses(inside.route);
    inside.namespace.setSysctl("net/ipv4/neigh/v0/ucast_solicit", "1000"); // goes on to probe
    inside.namespace.setSysctl("net/ipv6/neigh/v0/ucast_solicit", "1000");
    if (kind == ObjectKind.FORWARDING_ENTRY || kind == ObjectKind.PORT_VLANS) {
      Said bridge =
          run(
              inside,
              "ip",
              List.of(
                  "link add p0 type veth peer name p1",
                  "link set p0 master sw",
                  "link set p0 up",
                  "link add vx type vxlan id 5 dev v1 dstport 4789 nolearning",
                  "link set vx up",
                  "nexthop add id 95 via 192.0.2.8 fdb",
                  "nexthop add id 96 group 95 fdb"));
      assertThat(bridge.isWell()).as(bridge.text()).isTrue();
    }
  }

  /** In a batch the family is said once for all lines. */
  private static boolean make(TestNamespace inside, String commands) throws IOException {
    String family = commands.startsWith("-6 ") ? " -6" : "";
    List<String> lines = new ArrayList<>();
    for (String command : commands.split(";", -1)) {
      String line = command.strip();
      lines.add(line.startsWith("-6 ") ? line.substring(3) : line);
    }
    boolean traffic = lines.get(0).startsWith("qdisc");
    if (lines.get(0).startsWith("bridge ")) {
      lines.set(0, lines.get(0).substring("bridge ".length()));
      return run(inside, "bridge", lines).isWell();
    }
    return run(inside, traffic ? "tc" : "ip" + family, lines).isWell();
  }

  @ParameterizedTest
  @MethodSource("varieties")
  void whatIsReadIsWrittenBack(Varieties.Variety variety) throws IOException {
    try (TestNamespace inside = new TestNamespace()) {
      prepare(inside, variety.kind());
      List<Object> base = settled(inside.route, variety.kind());
      Link first = inside.route.links().get("v0");
      if (!make(inside, variety.commands())) {
        assertThat(Machine.isOurs() && !variety.labLacks())
            .as("the kernel of the lab lacks %s", variety)
            .isFalse();
        LACKING.add(variety.commands());
        return;
      }
      assertThat(Machine.isOurs() && variety.labLacks())
          .as("the kernel of the lab has %s by now", variety)
          .isFalse();
      if (!variety.lost().isEmpty()) {
        if (variety.lost().startsWith("the other end")) { // all the same it can be made
          writeLinkBack(inside.route.links(), variety, first);
          assertThat(inside.route.links().get("x").kind()).isIn("veth", "netkit", "vxcan");
        }
        return;
      }
      made++;
      if (variety.kind() == ObjectKind.ROUTE && variety.commands().contains("link set v1 down")) {
        awaitRoutesWithoutCarrier(inside.route);
      }
      String ipBefore = seen(inside, variety.kind());
      List<Object> before = settled(inside.route, variety.kind());
      if (variety.kind() == ObjectKind.LINK) {
        writeLinkBack(inside.route.links(), variety, first);
      } else {
        List<Object> own = new ArrayList<>(before);
        own.removeAll(base);
        assertThat(own).isNotEmpty();
        List<Object> ordered = inOrder(own, variety.kind());
        List<Object> reversed = new ArrayList<>(ordered);
        if (variety.kind()
            != ObjectKind.FORWARDING_ENTRY) { // that of no VLAN takes the others along
          Collections.reverse(reversed);
        }
        for (Object one : reversed) {
          delete(inside.route, (RouteObject) one);
        }
        assertThat(settled(inside.route, variety.kind())).doesNotContainAnyElementsOf(own);
        for (Object one : ordered) {
          add(inside.route, (RouteObject) one);
        }
      }

      assertThat(settled(inside.route, variety.kind())).containsExactlyInAnyOrderElementsOf(before);
      assertThat(seen(inside, variety.kind())).isEqualTo(ipBefore);
      there++;
    }
  }

  /** IPv6 tells its last address first, and classes are told before those that they are in. */
  private static List<Object> inOrder(List<Object> told, ObjectKind kind) {
    List<Object> ordered = new ArrayList<>(told);
    if (kind == ObjectKind.TRAFFIC_CLASS) {
      ordered.sort(Comparator.comparing(one -> ((TrafficControl) one).parent() != -1)); // TC_H_ROOT
    } else if (kind == ObjectKind.ADDRESS
        && ((InterfaceAddress) told.get(0)).address().address().isV6()) {
      Collections.reverse(ordered);
    }
    return ordered;
  }

  /** Routes cannot send from them before there is a carrier, and what is refused is not lacking. */
  private static void awaitAddresses(RouteNetlink route) throws NetlinkException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (route.addresses().list(LinkKey.of("v0")).stream()
        .anyMatch(one -> (one.state() & InterfaceAddress.TENTATIVE) != 0)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** So that they are read in this state, in which the kernel takes none. */
  private static void awaitRoutesWithoutCarrier(RouteNetlink route) throws NetlinkException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (route.routes().list().stream().noneMatch(one -> (one.state() & LINK_DOWN) != 0)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(50_000_000);
    }
  }

  /** Links that were made are made again, others are changed and changed back. */
  private static void writeLinkBack(Links links, Varieties.Variety variety, Link first)
      throws IOException {
    if (variety.commands().startsWith("link set")) {
      Link changed = links.get("v0");
      String facts = facts(changed);
      links.change(changed, LinkSettings.of(first));
      assertThat(facts(links.get("v0"))).isNotEqualTo(facts);
      links.change(changed, LinkSettings.of(changed));
      return;
    }
    Link made = links.get("x");
    links.delete(made);
    assertThat(links.find("x")).isEmpty();
    Link again = links.create(NewLink.like(made).withIndex(made.index()));
    if (!made.memberAttributes().isEmpty()) {
      links.change(again, LinkSettings.none().member(made.memberKind(), made.memberAttributes()));
    }
  }

  private static void delete(RouteNetlink route, RouteObject object) throws NetlinkException {
    objects(route, object).delete(object);
  }

  private static void add(RouteNetlink route, RouteObject object) throws NetlinkException {
    try {
      objects(route, object).add(object);
    } catch (NetlinkException.Exists e) { // the second one to a destination
      if (!(object instanceof Route again)) {
        throw e;
      }
      route.routes().append(again);
    }
  }

  /** Where objects of the kind of one are. */
  @SuppressWarnings("unchecked") // the kind says what they are
  private static RouteObjects<RouteObject> objects(RouteNetlink route, RouteObject one) {
    RouteObjects<? extends RouteObject> objects =
        switch (one.objectKind()) {
          case LINK -> throw new IllegalArgumentException("links are made in another way");
          case ADDRESS -> route.addresses();
          case ROUTE -> route.routes();
          case NEIGHBOUR -> route.neighbours();
          case RULE -> route.rules();
          case NEXT_HOP -> route.nextHopObjects();
          case FORWARDING_ENTRY -> route.forwardingEntries();
          case PORT_VLANS -> route.bridgeVlans();
          case QUEUE_DISCIPLINE -> route.queueDisciplines();
          case TRAFFIC_CLASS -> route.trafficClasses();
          case TRAFFIC_FILTER -> route.filters();
        };
    return (RouteObjects<RouteObject>) objects;
  }

  private static List<Object> settled(RouteNetlink route, ObjectKind kind) throws NetlinkException {
    return new ArrayList<>(list(route, kind));
  }

  /** Without what the kernel says of the objects; remaining seconds in hundreds. */
  private static List<?> list(RouteNetlink route, ObjectKind kind) throws NetlinkException {
    return switch (kind) {
      case LINK -> route.links().list().stream().map(VarietiesTest::facts).toList();
      case ADDRESS ->
          route.addresses().list().stream()
              .map(InterfaceAddress::withoutState)
              .map(
                  one ->
                      one.withLifetime(
                          hundreds(one.validSeconds()), hundreds(one.preferredSeconds())))
              .toList();
      case ROUTE ->
          route.routes().list().stream()
              .map(Route::withoutState)
              .filter(one -> one.protocol() != Route.PROTOCOL_KERNEL)
              .map(VarietiesTest::settled)
              .toList();
      case NEIGHBOUR -> {
        List<Neighbour> all = new ArrayList<>(route.neighbours().list());
        all.addAll(route.neighbours().proxies());
        yield all.stream()
            .filter(one -> one.isPermanent() || !one.destination().toString().startsWith("ff02"))
            .map(Neighbour::withoutState)
            .toList();
      }
      case RULE -> route.rules().list().stream().map(Rule::withoutState).toList();
      case NEXT_HOP ->
          route.nextHopObjects().list().stream().map(NextHopObject::withoutState).toList();
      case QUEUE_DISCIPLINE ->
          route.queueDisciplines().list().stream().map(TrafficControl::withoutState).toList();
      case TRAFFIC_CLASS ->
          route.trafficClasses().list().stream().map(TrafficControl::withoutState).toList();
      case TRAFFIC_FILTER ->
          route.filters().list().stream().map(TrafficControl::withoutState).toList();
      case FORWARDING_ENTRY ->
          route.forwardingEntries().list().stream()
              .filter(one -> OWN_ENTRY.matcher(one.address().toString()).matches())
              .toList();
      case PORT_VLANS -> route.bridgeVlans().list();
    };
  }

  private static OptionalLong hundreds(OptionalLong seconds) {
    return seconds.isPresent()
        ? OptionalLong.of((seconds.getAsLong() + 99) / 100 * 100)
        : OptionalLong.empty();
  }

  private static Route settled(Route route) {
    if (!route.attributes().has("EXPIRES")) {
      return route;
    }
    long seconds =
        hundreds(OptionalLong.of(route.attributes().number("EXPIRES").orElse(0))).orElse(0);
    return route.withAttribute(
        RouteCodec.TABLE.type("EXPIRES"),
        ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt((int) seconds).array());
  }

  private static String facts(Link link) {
    return String.join(
        ", ",
        link.name(),
        link.kind(),
        "attributes " + link.kindAttributes(),
        "member " + link.memberKind() + link.memberAttributes(),
        "names " + link.alternativeNames(),
        "address " + link.address(),
        "mtu " + link.mtu(),
        "limits " + link.limits(),
        "alias " + link.alias(),
        "group " + link.group(),
        "mode " + link.linkMode(),
        "protodown " + link.isProtocolDown(),
        "addrgen " + link.addressGeneration(),
        "parent " + link.parentIndex(),
        "master " + link.masterIndex(),
        "broadcast " + link.broadcast(),
        "token " + link.token(),
        "flags " + Integer.toHexString(link.flags() & 0x93a7));
  }

  private static String seen(TestNamespace inside, ObjectKind kind) throws IOException {
    String questions =
        switch (kind) {
          case LINK -> "link show";
          case ADDRESS -> "addr show";
          case ROUTE -> "route show table all"; // of both families
          case NEIGHBOUR -> "neigh show nud all\nneigh show proxy";
          case RULE -> "rule show";
          case NEXT_HOP -> "nexthop show";
          case FORWARDING_ENTRY, PORT_VLANS -> "";
          case QUEUE_DISCIPLINE, TRAFFIC_CLASS, TRAFFIC_FILTER -> "";
        };
    StringBuilder said = new StringBuilder();
    for (String family : kind == ObjectKind.RULE ? List.of("-4", "-6") : List.of("")) {
      Said one = run(inside, "ip -d -j -N " + family, List.of(questions));
      assertThat(one.isWell()).as(one.text()).isTrue();
      said.append(one.text());
    }
    List<String> lines = new ArrayList<>();
    if (kind == ObjectKind.FORWARDING_ENTRY) {
      inside
          .run("bridge", "-d fdb show")
          .lines()
          .filter(line -> OWN_ENTRY.matcher(line).matches())
          .forEach(lines::add);
    } else if (kind == ObjectKind.PORT_VLANS) {
      lines.addAll(inside.run("bridge", "vlan show").lines().toList());
    } else if (questions.isEmpty()) {
      String disciplines = inside.run("tc", "qdisc show");
      lines.add(disciplines.replaceAll("(refcnt|direct_packets_stat) \\d+", ""));
      lines.addAll(inside.run("tc", "class show dev v0").lines().toList());
      for (String place : FILTER_PLACES.getOrDefault(disciplines.split(" ", 3)[1], List.of())) {
        lines.addAll(inside.run("tc", "filter show dev v0 " + place).lines().toList());
      }
    }
    for (JsonNode list : lists(said.toString())) {
      for (JsonNode one : list) {
        boolean own = kind == ObjectKind.ROUTE && one.path("protocol").asText().equals("2");
        if (!own && !one.path("dst").asText().startsWith("ff02")) { // the kernel's come and go
          lines.add(still(one).toString());
        }
      }
    }
    Collections.sort(lines);
    return String.join("\n", lines);
  }

  /** One after the other, as a batch prints them. */
  private static List<JsonNode> lists(String text) throws IOException {
    List<JsonNode> lists = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(text)) {
      for (JsonNode one = JSON.readTree(parser); one != null; one = JSON.readTree(parser)) {
        lists.add(one);
      }
    }
    return lists;
  }

  private static JsonNode still(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(MOVING);
      if (object.path("flags") instanceof ArrayNode flags) {
        flags.removeIf(flag -> STATES.contains(flag.asText()));
      }
    }
    node.forEach(VarietiesTest::still);
    return node;
  }
}
