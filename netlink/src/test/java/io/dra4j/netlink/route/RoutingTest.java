package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Addresses, routes, rules and neighbours, compared with what {@code ip -d -j} says of them. */
@EnabledIf(TestNamespace.MAY)
class RoutingTest {

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
  void close() {
    inside.close();
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text);
  }

  private static IpPrefix prefix(String text) {
    return IpPrefix.parse(text);
  }

  private void address(String text) throws NetlinkException {
    route.addresses().add(InterfaceAddress.of(link.index(), prefix(text)));
  }

  @Test
  void addressesAreReadAsIpReadsThem() throws IOException {
    address("192.0.2.5/24");
    address("2001:db8::5/64");
    inside.run(
        "ip",
        "addr add 198.51.100.1 peer 198.51.100.2/32 brd 198.51.100.9 label veth0:x dev veth0");
    inside.run("ip", "addr add 203.0.113.1/24 dev veth0 valid_lft 1000 preferred_lft 500 metric 7");

    Agreement.check(inside);
    assertThat(route.addresses().list()).hasSizeGreaterThan(5);
  }

  @Test
  void anAddressThatWasReadCanBeSetAgain() throws IOException {
    inside.run("ip", "addr add 198.51.100.1 peer 198.51.100.2/32 label veth0:x dev veth0");
    address("2001:db8::5/64");
    List<InterfaceAddress> before = settled();
    for (InterfaceAddress address : before) {
      route.addresses().delete(address);
    }
    assertThat(route.addresses().list(link)).isEmpty();
    for (InterfaceAddress address : before) {
      route.addresses().add(address);
    }

    assertThat(settled()).containsExactlyInAnyOrderElementsOf(before);
  }

  /** IPv6 addresses are tentative for a moment, even where nobody is asked about them. */
  private List<InterfaceAddress> settled() throws NetlinkException {
    return route.addresses().list(link).stream().map(InterfaceAddress::withoutState).toList();
  }

  @Test
  void addressesThatAreThereOrNotAreTold() throws IOException {
    address("192.0.2.5/24");
    InterfaceAddress other = InterfaceAddress.of(link.index(), prefix("192.0.2.6/24"));

    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> address("192.0.2.5/24"))
        .withMessageStartingWith("add address 192.0.2.5/24 on link " + link.index() + ": EEXIST");
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> route.addresses().delete(other))
        .matches(e -> e.errnoName().equals("EADDRNOTAVAIL"));
    assertThat(route.addresses().list(LinkKey.of(4_711))).isEmpty();
    route.addresses().replace(InterfaceAddress.of(link.index(), prefix("192.0.2.5/24")));
  }

  @Test
  void routesAreReadAsIpReadsThem() throws IOException {
    address("192.0.2.5/24");
    address("2001:db8::5/64");
    inside.run("ip", "route add default via 192.0.2.1 metric 50");
    inside.run("ip", "route add 198.51.100.0/24 via 192.0.2.2 src 192.0.2.5 mtu 1400 table 1234");
    inside.run(
        "ip",
        "route add 203.0.113.0/24 nexthop via 192.0.2.3 weight 5 nexthop via 192.0.2.4 dev veth0");
    inside.run("ip", "-6 route add default via 2001:db8::1");
    inside.run("ip", "route add blackhole 10.9.0.0/16");

    Agreement.check(inside);
    assertThat(route.routes().list()).hasSizeGreaterThan(10);
  }

  @Test
  void aRouteThatWasReadCanBeSetAgain() throws IOException {
    address("192.0.2.5/24");
    address("2001:db8::5/64");
    inside.run("ip", "route add 198.51.100.0/24 via 192.0.2.2 mtu 1400 congctl reno table 1234");
    inside.run("ip", "route add 198.51.101.0/24 via 192.0.2.2 mtu 1400 advmss 1000");
    inside.run(
        "ip",
        "route add 203.0.113.0/24 nexthop via 192.0.2.3 weight 5 nexthop via 192.0.2.4 dev veth0");
    inside.run("ip", "-6 route add default via 2001:db8::1 metric 77 pref high");
    inside.run("ip", "route add blackhole 10.9.0.0/16");
    inside.run("ip", "route add 10.10.0.0/16 via 10.99.0.1 dev veth0 onlink");
    List<Route> before = route.routes().list();
    List<Route> own = before.stream().filter(r -> r.protocol() != Route.PROTOCOL_KERNEL).toList();
    assertThat(own).hasSizeGreaterThanOrEqualTo(6);
    for (Route one : own) {
      route.routes().delete(one);
    }
    assertThat(route.routes().list()).hasSize(before.size() - own.size());
    for (Route one : own) {
      route.routes().add(one);
    }

    assertThat(route.routes().list()).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void routesAreMadeAsIpSeesThem() throws IOException {
    address("192.0.2.5/24");
    Route made =
        Route.to(prefix("198.51.100.0/24"))
            .withGateway(ip("192.0.2.1"))
            .withLink(link.index())
            .withTable(1_000)
            .withMetric(33)
            .withPreferredSource(ip("192.0.2.5"))
            .withMetrics(Map.of(2, 1_300));
    route.routes().add(made);

    Agreement.check(inside);
    assertThat(route.routes().list(1_000)).singleElement().isEqualTo(made);
    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> route.routes().add(made));
    route.routes().replace(made.withGateway(ip("192.0.2.9")));
    route.routes().delete(made.withGateway(ip("192.0.2.9")));
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> route.routes().delete(made))
        .withMessageContaining("delete route 198.51.100.0/24 via 192.0.2.1");
  }

  @Test
  void theKernelTellsTheWayToAnAddress() throws IOException {
    address("192.0.2.5/24");
    route.routes().add(Route.to(IpPrefix.ALL_V4).withGateway(ip("192.0.2.1")));

    assertThat(route.routes().get(ip("8.8.8.8")).gateway()).hasValue(ip("192.0.2.1"));
    assertThatExceptionOfType(NetlinkException.Refused.class)
        .isThrownBy(() -> route.routes().get(ip("2001:db8:1::1")))
        .withMessage("get route to 2001:db8:1::1: ENETUNREACH");
  }

  @Test
  void aGatewayThatCannotBeReachedIsRefusedInTheKernelsWords() {
    assertThatExceptionOfType(NetlinkException.Refused.class)
        .isThrownBy(
            () -> route.routes().add(Route.to(IpPrefix.ALL_V4).withGateway(ip("192.0.2.1"))))
        .withMessage(
            "add route 0.0.0.0/0 via 192.0.2.1 table 254: ENETUNREACH, kernel says: Nexthop has"
                + " invalid gateway");
  }

  @Test
  void rulesAreReadAsIpReadsThem() throws IOException {
    inside.run("ip", "rule add from 192.0.2.0/24 to 198.51.100.1 table 77 priority 100");
    inside.run("ip", "rule add fwmark 0x5/0xff iif veth0 table 5000 priority 101");
    inside.run("ip", "-6 rule add not from 2001:db8::/32 table 78 priority 102");
    inside.run("ip", "rule add table main suppress_prefixlength 0 priority 103");

    Agreement.check(inside);
    assertThat(route.rules().list()).hasSize(9);
  }

  @Test
  void aRuleThatWasReadCanBeSetAgain() throws IOException {
    inside.run("ip", "rule add from 192.0.2.0/24 to 198.51.100.1 table 77 priority 100");
    inside.run("ip", "rule add fwmark 0x5/0xff iif veth0 table 5000 priority 101");
    inside.run("ip", "-6 rule add not from 2001:db8::/32 table 78 priority 102");
    inside.run("ip", "rule add table main suppress_prefixlength 0 priority 103");
    List<Rule> before = route.rules().list();
    List<Rule> own = before.stream().filter(r -> r.protocol() != Route.PROTOCOL_KERNEL).toList();
    assertThat(own).hasSize(4);
    for (Rule rule : own) {
      route.rules().delete(rule);
    }
    assertThat(route.rules().list()).hasSize(before.size() - 4);
    for (Rule rule : own) {
      route.rules().add(rule);
    }

    assertThat(route.rules().list()).isEqualTo(before);
    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> route.rules().add(own.get(0)))
        .withMessageStartingWith("add rule 100: from 192.0.2.0/24 to 198.51.100.1/32 lookup 77");
  }

  private List<String> rulesOf(int priority) throws IOException {
    return inside.run("ip", "rule show pref " + priority).lines().map(String::strip).toList();
  }

  @Test
  void noOtherRuleIsDeletedThanTheOneThatIsGiven() throws IOException {
    inside.run("ip", "rule add from 9.9.9.9 lookup 100 pref 70 protocol 4");
    Rule all = Rule.lookup(false, 100).withPriority(70);

    for (Rule missing : List.of(all, Rule.lookup(false, 100))) {
      assertThatExceptionOfType(NetlinkException.NotFound.class)
          .isThrownBy(() -> route.rules().delete(missing))
          .withMessageStartingWith("delete rule " + missing);
    }
    assertThat(rulesOf(70)).hasSize(1);

    Rule specific = all.withSource(prefix("9.9.9.9/32"));
    route.rules().delete(specific);
    assertThat(rulesOf(70)).isEmpty();
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> route.rules().delete(specific));
  }

  @Test
  void aRuleThatSaysLessComesAndGoesBesideThoseThatSayMore() throws IOException {
    inside.run("ip", "rule add from 9.9.9.9 lookup 100 pref 70 protocol 4");
    inside.run("ip", "rule add from 8.8.8.8 lookup 100 pref 70 protocol 4");
    Rule all = Rule.lookup(false, 100).withPriority(70);

    route.rules().add(all);
    assertThat(rulesOf(70)).hasSize(3).last().asString().contains("from all");
    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> route.rules().add(all));
    route.rules().delete(all);

    assertThat(rulesOf(70)).hasSize(2).noneMatch(rule -> rule.contains("from all"));
  }

  @Test
  void aRuleThatGoesOnElsewhereIsAnotherOne() throws IOException {
    inside.run("ip", "rule add from 9.9.9.9 goto 32766 pref 70");
    inside.run("ip", "rule add from 9.9.9.9 goto 32767 pref 71");
    List<Rule> rules =
        route.rules().list().stream().filter(one -> one.target().isPresent()).toList();
    Rule second = rules.get(1).withPriority(70);

    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> route.rules().delete(second));

    assertThat(rulesOf(70)).hasSize(1);
  }

  @Test
  void neighboursAreMadeAsIpSeesThem() throws IOException {
    HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:77");
    route.neighbours().add(Neighbour.permanent(link.index(), ip("192.0.2.9"), address));
    route.neighbours().add(Neighbour.permanent(link.index(), ip("2001:db8::9"), address));

    JsonNode seen = inside.ip("neigh show dev veth0 nud permanent");
    assertThat(seen.findValuesAsText("dst")).containsExactlyInAnyOrder("192.0.2.9", "2001:db8::9");
    assertThat(seen.findValuesAsText("lladdr")).containsOnly("02:00:00:00:00:77");
    assertThat(route.neighbours().list(link))
        .filteredOn(Neighbour::isPermanent)
        .containsExactlyInAnyOrder(
            Neighbour.permanent(link.index(), ip("192.0.2.9"), address),
            Neighbour.permanent(link.index(), ip("2001:db8::9"), address));
  }

  @Test
  void neighboursAreForgotten() throws IOException {
    Neighbour neighbour =
        Neighbour.permanent(
            link.index(), ip("192.0.2.9"), HardwareAddress.parse("02:00:00:00:00:77"));
    route.neighbours().add(neighbour);
    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> route.neighbours().add(neighbour));
    route.neighbours().delete(neighbour);

    assertThat(route.neighbours().list(link)).noneMatch(Neighbour::isPermanent);
    assertThat(route.neighbours().list(LinkKey.of(4_711))).isEmpty();
  }

  @Test
  void aLinkWithoutFiltersHasNone() throws IOException {
    assertThat(route.filters().list(link)).isEmpty();
    inside.run("tc", "qdisc add dev veth0 clsact");
    assertThat(route.filters().list(link)).isEmpty();
  }

  @Test
  void aRouteWhoseTimeIsOverIsNoneForEver() throws Exception {
    inside.veth("e0", "e1");
    inside.run("ip", "link set e0 up");
    inside.run("ip", "-6 route add 2001:db8:77::/48 dev e0 expires 1");
    inside.run("ip", "-6 route add 2001:db8:78::/48 dev e0");
    long deadline = System.nanoTime() + 20_000_000_000L;
    Predicate<Route> over = route -> route.expireSeconds().orElse(-1) == 0;
    while (inside.route.routes().list().stream().noneMatch(over)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(20);
    }

    assertThat(inside.route.routes().list())
        .filteredOn(route -> route.destination().equals(IpPrefix.parse("2001:db8:78::/48")))
        .singleElement()
        .satisfies(route -> assertThat(route.expireSeconds()).isEmpty());
  }
}
