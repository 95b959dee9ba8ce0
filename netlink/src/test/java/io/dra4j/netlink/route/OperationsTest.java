package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of {@link RouteNetlink}, and what {@code ip} says afterwards; then both agree on
 * everything that is there. Kinds of links are in {@code LinkKindsTest}, filters in {@code
 * TrafficControlTest}, virtual functions in the tests of package {@code lab}.
 */
@EnabledIf(TestNamespace.MAY)
class OperationsTest {

  private static final HardwareAddress HARDWARE = HardwareAddress.parse("02:00:00:00:00:77");

  private TestNamespace inside;
  private RouteNetlink route;
  private Link link;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    route = inside.route;
    inside.run(
        "sysctl", "-qw net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.default.addr_gen_mode=1");
    link = inside.veth("veth0", "veth1");
    route.links().change(link, LinkSettings.none().up());
    route.links().change(route.links().get("veth1"), LinkSettings.none().up());
    route.links().change(route.links().get("lo"), LinkSettings.none().up());
  }

  @AfterEach
  void agreeAndClose() throws IOException {
    try {
      Agreement.check(inside);
    } finally {
      inside.close();
    }
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text);
  }

  private static IpPrefix prefix(String text) {
    return IpPrefix.parse(text);
  }

  /** What {@code ip} prints in a field of each line. */
  private List<String> seen(String command, String field) throws IOException {
    List<String> seen = new ArrayList<>();
    for (JsonNode line : inside.ip(command)) {
      if (!line.isEmpty()) { // as ip prints what it leaves out itself
        seen.add(line.path(field).asText(""));
      }
    }
    return seen;
  }

  // ---- Links ----

  static Stream<Arguments> settings() {
    LinkSettings none = LinkSettings.none();
    return Stream.of(
        arguments(none.mtu(1_400), "mtu", "1400"),
        arguments(none.address(HARDWARE), "address", "02:00:00:00:00:77"),
        arguments(none.sendQueueLength(77), "txqlen", "77"),
        arguments(none.group(9), "group", "9"),
        arguments(none.alias("an alias"), "ifalias", "an alias"),
        arguments(none.gsoMaxSize(60_000), "gso_max_size", "60000"),
        arguments(none.groMaxSize(50_000), "gro_max_size", "50000"),
        arguments(none.gsoIpv4MaxSize(40_000), "gso_ipv4_max_size", "40000"),
        arguments(none.groIpv4MaxSize(30_000), "gro_ipv4_max_size", "30000"),
        arguments(none.attribute(17, new byte[] {1}), "linkmode", "DORMANT"));
  }

  /** Programs before 6.2 do not print the sizes for IPv4, which {@code Agreement} then leaves. */
  @ParameterizedTest
  @MethodSource("settings")
  void aSettingIsSeenByIp(LinkSettings settings, String field, String value) throws IOException {
    route.links().change(link, settings);

    JsonNode seen = inside.ipLink("veth0");
    assertThat(seen.path(field).asText(field.contains("_ipv4_") ? value : "")).isEqualTo(value);
  }

  private static @Nullable RouteObject set(RouteEvent event) {
    return event.gone() ? null : event.object();
  }

  private static @Nullable RouteObject gone(RouteEvent event) {
    return event.gone() ? event.object() : null;
  }

  @Test
  void aLinkIsPutDownAndUp() throws IOException {
    route.links().change(link, LinkSettings.none().down());
    assertThat(inside.ipLink("veth0").get("flags").toString()).doesNotContain("\"UP\"");
    Agreement.check(inside);

    route.links().change(link, LinkSettings.none().up());
    assertThat(inside.ipLink("veth0").get("flags").toString()).contains("\"UP\"");
  }

  @Test
  void flagsAreSetAndCleared() throws IOException {
    route.links().change(link, LinkSettings.none().flags(0x100, 0x100 | 0x80)); // PROMISC
    assertThat(inside.ipLink("veth0").get("flags").toString()).contains("\"PROMISC\"");
    assertThat(inside.ipLink("veth0").get("promiscuity").asInt()).isEqualTo(1);
    Agreement.check(inside);

    route.links().change(link, LinkSettings.none().flags(0, 0x100));
    assertThat(inside.ipLink("veth0").get("flags").toString()).doesNotContain("\"PROMISC\"");
  }

  @Test
  void aLinkJoinsABridgeAndLeavesIt() throws IOException {
    route.links().create(NewLink.bridge("br0"));
    route.links().change(link, LinkSettings.none().master(route.links().get("br0").index()));
    assertThat(inside.ipLink("veth0").get("master").asText()).isEqualTo("br0");
    Agreement.check(inside);

    route.links().change(link, LinkSettings.none().noMaster());
    assertThat(inside.ipLink("veth0").has("master")).isFalse();
  }

  @Test
  void aLinkIsRenamedAndDeleted() throws IOException {
    route.links().change(link, LinkSettings.none().name("net0"));
    assertThat(TestNamespace.ownNames(seen("link show", "ifname")))
        .containsExactlyInAnyOrder("lo", "veth1", "net0");
    Agreement.check(inside);

    route.links().delete(route.links().get("net0"));
    assertThat(TestNamespace.ownNames(seen("link show", "ifname"))).containsExactly("lo");
  }

  @Test
  void alternativeNamesComeAndGo() throws IOException {
    route.links().addAlternativeName(link, "a-name-of-more-than-fifteen-bytes");
    route.links().addAlternativeName(link, "another");
    assertThat(inside.ipLink("veth0").get("altnames").toString())
        .isEqualTo("[\"a-name-of-more-than-fifteen-bytes\",\"another\"]");
    Agreement.check(inside);

    route.links().removeAlternativeName(link, "another");
    assertThat(inside.ipLink("veth0").get("altnames").toString())
        .isEqualTo("[\"a-name-of-more-than-fifteen-bytes\"]");
  }

  @Test
  void bothEndsOfAPairAreBornWithTheirSettings() throws IOException {
    route
        .links()
        .create(
            NewLink.veth("a", "b", LinkSettings.none().mtu(1_300).address(HARDWARE))
                .with(LinkSettings.none().mtu(1_200).up()));

    assertThat(inside.ipLink("a").get("mtu").asInt()).isEqualTo(1_200);
    assertThat(inside.ipLink("a").get("flags").toString()).contains("\"UP\"");
    assertThat(inside.ipLink("b").get("mtu").asInt()).isEqualTo(1_300);
    assertThat(inside.ipLink("b").get("address").asText()).isEqualTo(HARDWARE.toString());
  }

  @Test
  void listsOfOneKindOrOneMasterAreThoseOfIp() throws IOException {
    route.links().create(NewLink.bridge("br0"));
    Link bridge = route.links().get("br0");
    route.links().change(link, LinkSettings.none().master(bridge.index()));

    for (String kind : List.of("bridge", "veth", "macvlan")) {
      assertThat(route.links().list(LinkQuery.full().ofKind(kind)))
          .extracting(Link::name)
          .containsExactlyElementsOf(seen("link show type " + kind, "ifname"));
    }
    assertThat(route.links().list(LinkQuery.full().membersOf(bridge.index())))
        .extracting(Link::name)
        .containsExactlyElementsOf(seen("link show master br0", "ifname"))
        .containsExactly("veth0");
  }

  @Test
  void otherNamespacesHaveTheNumbersThatIpKnows() throws IOException {
    try (TestNamespace other = new TestNamespace()) {
      other.veth("far", "away");
      assertThat(route.namespaceIds().of(other.namespace)).isEmpty();
      assertThat(inside.json("ip -j netns list-id")).isEmpty();

      int number = route.namespaceIds().assign(other.namespace, 77);
      assertThat(inside.json("ip -j netns list-id").findValuesAsText("nsid"))
          .containsExactly("77")
          .containsExactly(Integer.toString(number));
      List<String> there = new ArrayList<>();
      other.ip("link show").forEach(one -> there.add(one.get("ifname").asText()));
      assertThat(route.links().list(LinkQuery.full().inNamespace(number)))
          .extracting(Link::name)
          .containsExactlyElementsOf(there);

      route.links().change(link, LinkSettings.none().namespaceId(number));
      assertThat(TestNamespace.ownNames(seen("link show", "ifname"))).doesNotContain("veth0");
      assertThat(other.ipLink("veth0").get("ifname").asText()).isEqualTo("veth0");
      assertThat(inside.ipLink("veth1").get("link_netnsid").asInt()).isEqualTo(77);
      Agreement.check(inside);
      Agreement.check(other);
      // With its namespace it goes some time later, and its peer while links are compared.
      other.run("ip", "link del veth0");
    }
  }

  // ---- Addresses ----

  private List<String> addressesOfIp(String field) throws IOException {
    List<String> seen = new ArrayList<>();
    for (JsonNode address : inside.ip("addr show dev veth0").get(0).get("addr_info")) {
      if (!address.get("scope").asText().equals("link")) { // the kernel's own
        seen.add(address.path(field).asText(""));
      }
    }
    return seen;
  }

  @Test
  void addressesComeChangeAndGo() throws IOException {
    InterfaceAddress v4 = InterfaceAddress.of(link.index(), prefix("192.0.2.5/24"));
    InterfaceAddress v6 = InterfaceAddress.of(link.index(), prefix("2001:db8::5/64"));
    route.addresses().add(v4);
    route.addresses().add(v6);
    assertThat(addressesOfIp("local")).containsExactly("192.0.2.5", "2001:db8::5");
    assertThat(addressesOfIp("prefixlen")).containsExactly("24", "64");
    Agreement.check(inside);

    route
        .addresses()
        .replace(
            InterfaceAddress.of(link.index(), prefix("192.0.2.5/24"))
                .withLifetime(OptionalLong.of(5_000), OptionalLong.of(4_000)));
    assertThat(addressesOfIp("dynamic")).containsExactly("true", "");
    Agreement.check(inside);

    route.addresses().delete(v4);
    assertThat(addressesOfIp("local")).containsExactly("2001:db8::5");
    assertThat(route.addresses().list(link))
        .extracting(InterfaceAddress::address)
        .contains(prefix("2001:db8::5/64"))
        .doesNotContain(prefix("192.0.2.5/24"));
  }

  @Test
  void anAddressIsSetWithAllThatItMayHave() throws IOException {
    route
        .addresses()
        .add(
            InterfaceAddress.of(link.index(), prefix("198.51.100.1/32"))
                .withPeer(ip("198.51.100.2"))
                .withBroadcast(ip("198.51.100.9"))
                .withLabel("veth0:x")
                .withScope(Scope.UNIVERSE)
                .withMetric(33));

    JsonNode seen = inside.ip("-4 addr show dev veth0").get(0).get("addr_info").get(0);
    assertThat(seen.get("local").asText()).isEqualTo("198.51.100.1");
    assertThat(seen.get("address").asText()).isEqualTo("198.51.100.2");
    assertThat(seen.get("broadcast").asText()).isEqualTo("198.51.100.9");
    assertThat(seen.get("label").asText()).isEqualTo("veth0:x");
    assertThat(seen.get("metric").asInt()).isEqualTo(33);
  }

  // ---- Routes ----

  @Test
  void routesComeChangeAndGo() throws IOException {
    route.addresses().add(InterfaceAddress.of(link.index(), prefix("192.0.2.5/24")));
    Route made =
        Route.to(prefix("198.51.100.0/24"))
            .withGateway(ip("192.0.2.1"))
            .withLink(link.index())
            .withTable(1_000)
            .withMetrics(Map.of(2, 1_300));
    route.routes().add(made);
    assertThat(seen("route show table 1000", "gateway")).containsExactly("192.0.2.1");
    Agreement.check(inside);

    route.routes().replace(made.withGateway(ip("192.0.2.9")));
    assertThat(seen("route show table 1000", "gateway")).containsExactly("192.0.2.9");
    Agreement.check(inside);

    route.routes().delete(made.withGateway(ip("192.0.2.9")));
    assertThat(inside.run("ip route show table all")).doesNotContain("198.51.100.0/24");
  }

  @Test
  void routesOfAllFormsAreSeenByIp() throws IOException {
    route.addresses().add(InterfaceAddress.of(link.index(), prefix("192.0.2.5/24")));
    route.addresses().add(InterfaceAddress.of(link.index(), prefix("2001:db8::5/64")));
    List<Route> routes =
        List.of(
            Route.to(IpPrefix.ALL_V4).withGateway(ip("192.0.2.1")),
            Route.to(IpPrefix.ALL_V6).withGateway(ip("2001:db8::1")).withMetric(77),
            Route.to(prefix("10.1.0.0/16")).withLink(link.index()).withScope(Scope.LINK),
            Route.to(prefix("10.2.0.0/16"))
                .withGateway(ip("10.99.0.1"))
                .withLink(link.index())
                .withFlags(Route.ON_LINK),
            Route.to(prefix("10.3.0.0/16")).withType(6), // blackhole
            Route.to(prefix("2001:db8:3::/48")).withType(7), // unreachable
            Route.to(prefix("10.4.0.0/16"))
                .withNextHops(
                    List.of(
                        NextHop.via(ip("192.0.2.3")).withLink(link.index()).withWeight(5),
                        NextHop.via(ip("192.0.2.4")).withLink(link.index()))),
            Route.to(prefix("2001:db8:4::/48"))
                .withNextHops(
                    List.of(
                        NextHop.via(ip("2001:db8::3")).withLink(link.index()).withWeight(2),
                        NextHop.via(ip("2001:db8::4")).withLink(link.index()))),
            Route.to(prefix("10.5.0.0/16"))
                .withGateway(ip("192.0.2.1"))
                .withPreferredSource(ip("192.0.2.5"))
                .withProtocol(99)
                .withMetric(5));
    for (Route one : routes) {
      route.routes().add(one);
    }

    assertThat(seen("route show", "dst"))
        .contains("default", "10.1.0.0/16", "10.2.0.0/16", "10.3.0.0/16", "10.4.0.0/16")
        .contains("10.5.0.0/16");
    assertThat(seen("-6 route show", "dst"))
        .contains("default", "2001:db8:3::/48", "2001:db8:4::/48");
    Agreement.check(inside); // every field of them
    for (Route one : routes) {
      route.routes().delete(one);
    }
    assertThat(seen("route show", "dst")).containsExactly("192.0.2.0/24");
    assertThat(seen("-6 route show", "dst")).doesNotContain("default", "2001:db8:4::/48");
  }

  @Test
  void theWayToAnAddressIsTheOneThatIpIsTold() throws IOException {
    route.addresses().add(InterfaceAddress.of(link.index(), prefix("192.0.2.5/24")));
    route.routes().add(Route.to(IpPrefix.ALL_V4).withGateway(ip("192.0.2.1")));

    for (String to : List.of("8.8.8.8", "192.0.2.77", "127.0.0.1")) {
      JsonNode seen = inside.ip("-N route get " + to).get(0);
      Route told = route.routes().get(ip(to));
      assertThat(told.gateway().map(IpAddress::toString).orElse(""))
          .isEqualTo(seen.path("gateway").asText(""));
      assertThat(told.preferredSource()).hasValue(ip(seen.get("prefsrc").asText()));
      assertThat(told.type()).isEqualTo(seen.get("type").asInt());
      assertThat(route.links().get(told.index().getAsInt()).name())
          .isEqualTo(seen.get("dev").asText());
    }
  }

  // ---- Rules and neighbours ----

  @Test
  void rulesComeAndGo() throws IOException {
    List<Rule> rules =
        List.of(
            Rule.lookup(false, 77)
                .withSource(prefix("192.0.2.0/24"))
                .withDestination(prefix("198.51.100.1/32"))
                .withPriority(100),
            Rule.lookup(false, 5_000).withMark(5, 0xff).withInputLink("veth0").withPriority(101),
            Rule.lookup(true, 78).withSource(prefix("2001:db8::/32")).withPriority(102));
    for (Rule rule : rules) {
      route.rules().add(rule);
    }

    assertThat(seen("-4 rule show", "priority")).contains("100", "101");
    assertThat(seen("-6 rule show", "priority")).contains("102");
    Agreement.check(inside);
    for (Rule rule : rules) {
      route.rules().delete(rule);
    }
    assertThat(seen("-4 rule show", "priority")).containsExactly("0", "32766", "32767");
    assertThat(seen("-6 rule show", "priority")).containsExactly("0", "32766");
  }

  @Test
  void neighboursComeChangeAndGo() throws IOException {
    Neighbour v4 = Neighbour.permanent(link.index(), ip("192.0.2.9"), HARDWARE);
    Neighbour v6 = Neighbour.permanent(link.index(), ip("2001:db8::9"), HARDWARE);
    route.neighbours().add(v4);
    route.neighbours().add(v6);
    String command = "neigh show dev veth0 nud permanent";
    assertThat(seen(command, "dst")).containsExactlyInAnyOrder("192.0.2.9", "2001:db8::9");
    assertThat(seen(command, "lladdr")).containsOnly(HARDWARE.toString());
    Agreement.check(inside);

    HardwareAddress other = HardwareAddress.parse("02:00:00:00:00:78");
    route.neighbours().replace(Neighbour.permanent(link.index(), ip("192.0.2.9"), other));
    assertThat(seen(command, "lladdr"))
        .containsExactlyInAnyOrder(HARDWARE.toString(), other.toString());
    Agreement.check(inside);

    route.neighbours().delete(v4);
    route.neighbours().delete(v6);
    assertThat(seen(command, "dst")).isEmpty();
  }

  // ---- What others change ----

  @Test
  void whatIpChangesIsTold() throws IOException {
    try (RouteMonitor monitor =
        RouteMonitor.open(inside.namespace, EnumSet.allOf(ObjectKind.class))) {
      inside.run("ip link set dev veth0 mtu 1300 alias changed");
      inside.run("ip addr add 192.0.2.5/24 dev veth0");
      inside.run("ip route add 198.51.100.0/24 via 192.0.2.1");
      inside.run("ip neigh add 192.0.2.9 lladdr 02:00:00:00:00:77 dev veth0 nud permanent");
      inside.run("ip neigh del 192.0.2.9 dev veth0");
      inside.run("ip route del 198.51.100.0/24");
      inside.run("ip addr del 192.0.2.5/24 dev veth0");
      inside.run("ip link del dev veth0");
      List<RouteEvent> events = new ArrayList<>();
      Predicate<RouteEvent> last =
          event -> gone(event) instanceof Link gone && gone.name().equals("veth0");
      while (events.stream().noneMatch(last)) {
        List<RouteEvent> more = monitor.await(Duration.ofSeconds(20));
        assertThat(more).isNotEmpty();
        events.addAll(more);
      }

      assertThat(events)
          .anyMatch(
              e ->
                  set(e) instanceof Link set && set.mtu() == 1_300 && set.alias().equals("changed"))
          .anyMatch(
              e ->
                  set(e) instanceof InterfaceAddress set
                      && set.address().equals(prefix("192.0.2.5/24")))
          .anyMatch(
              e ->
                  gone(e) instanceof InterfaceAddress gone
                      && gone.address().equals(prefix("192.0.2.5/24")))
          .anyMatch(
              e ->
                  set(e) instanceof Route set
                      && set.destination().equals(prefix("198.51.100.0/24")))
          .anyMatch(
              e ->
                  gone(e) instanceof Route gone
                      && gone.destination().equals(prefix("198.51.100.0/24")))
          .contains(
              new RouteEvent(Neighbour.permanent(link.index(), ip("192.0.2.9"), HARDWARE), false))
          .anyMatch(
              e -> gone(e) instanceof Neighbour gone && gone.destination().equals(ip("192.0.2.9")));
    }
  }

  @Test
  void aCacheHasWhatIpHasMade() throws Exception {
    try (LinkCache cache = LinkCache.follow(inside.namespace)) {
      inside.run("ip link add name br0 type bridge");
      inside.run("ip link set dev veth0 master br0 mtu 1300 alias changed");
      inside.run("ip link property add dev veth0 altname another-name");
      inside.run("ip link add name last type veth peer name least");
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (cache.snapshot().find("last").isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.sleep(5);
      }

      List<String> names = new ArrayList<>();
      cache.snapshot().links().forEach(one -> names.add(one.name()));
      assertThat(names).containsExactlyInAnyOrderElementsOf(seen("link show", "ifname"));
      JsonNode seen = inside.ipLink("veth0");
      Link cached = cache.snapshot().find("another-name").orElseThrow();
      assertThat(cached.mtu()).isEqualTo(seen.get("mtu").asInt()).isEqualTo(1_300);
      assertThat(cached.alias()).isEqualTo(seen.get("ifalias").asText()).isEqualTo("changed");
      assertThat(cached.address()).hasToString(seen.get("address").asText());
      assertThat(cached.masterIndex())
          .isEqualTo(
              cache.snapshot().find("br0").map(Link::index).stream().mapToInt(i -> i).findFirst());
    }
  }
}
