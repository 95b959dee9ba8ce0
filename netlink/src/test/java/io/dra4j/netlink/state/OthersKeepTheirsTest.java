package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others have is not touched for the sake of an order, which is told then. */
@EnabledIf(Host.MAY)
class OthersKeepTheirsTest extends TwoHosts {

  @BeforeEach
  void open() throws IOException {
    host.ip("link set lo up");
    for (String name : List.of("nic0", "up0", "up1")) {
      host.pair(name);
    }
  }

  private LinkState captured() throws IOException {
    return host.captured("nic0");
  }

  private void change(String changes) throws IOException {
    host.ip(changes.split("\\|", -1));
  }

  private List<String> left(LinkState before) throws IOException {
    return host.left(before, "nic0");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/24 10.0.1.1/24, del 10.0.0.1/24|add 10.0.0.1/24, 10.0.1.1, own order of IPv4",
    "10.0.0.1/24 10.0.1.1/24, del 10.0.0.1/24, 10.0.1.1, own order of IPv4",
    "10.0.0.1/24 10.0.0.2/24 10.0.0.3/24, del 10.0.0.2/24, 10.0.0.3, own order of IPv4",
    "10.0.0.1/24, del 10.0.0.1/24|add 10.0.0.9/24|add 10.0.0.1/24, 10.0.0.1, address 10.0.0.9/24",
    "fd00::1/64 fd01::1/64, del fd00::1/64, fd01::1, own order of IPv6",
    "10.0.0.1/24 10.0.1.1/24, del 10.0.0.1/24|add 10.0.0.1/24, 10.0.0.1, ''",
    "10.0.0.1/24 10.0.1.1/24, del 10.0.0.1/24|add 10.0.0.1/16, 10.0.0.1, ''",
    "10.0.0.1/24, del 10.0.0.1/24|add 10.0.0.1/16, 10.0.0.1, ''"
  })
  void addressesThatRoutesOfOtherLinksSendFromStay(
      String addresses, String changes, String from, String told) throws IOException {
    host.ip("addr add 172.16.0.1/24 dev up0", "addr add fd99::1/64 dev up0 nodad");
    for (String one : addresses.split(" ", -1)) {
      host.ip("addr add " + one + " dev nic0 nodad");
    }
    LinkState before = captured();
    for (String one : changes.split("\\|", -1)) {
      host.ip("addr " + one + " dev nic0");
    }
    String to = from.contains(":") ? "fd98::/64 via fd99::2" : "20.0.0.0/8 via 172.16.0.2";
    host.ip("route add " + to + " dev up0 src " + from);
    host.ip("route add " + to + " dev up0 table 77 src " + from);
    List<String> routes = routesOfUp0();

    List<String> left = left(before);

    assertThat(routesOfUp0())
        .isEqualTo(routes)
        .anySatisfy(route -> assertThat(route).contains("src " + from));
    if (told.isEmpty()) {
      assertThat(left).isEmpty();
    } else {
      assertThat(left).singleElement().asString().startsWith(told).contains("routes of other");
    }
  }

  /** Without those of its own addresses, which come a little after these. */
  private List<String> routesOfUp0() throws IOException {
    return (host.run("ip -6 route show table all dev up0")
            + host.run("ip route show table all dev up0"))
        .lines()
        .filter(route -> !route.startsWith("local "))
        .toList();
  }

  @Test
  void whatPromotesOthersLeavesTheRoutesThatSendFromThem() throws IOException {
    LinkSysctls.of(host.namespace, "nic0").set("ipv4/conf/promote_secondaries", "1");
    host.ip("addr add 10.0.0.1/24 dev nic0");
    LinkState before = captured();
    change("addr del 10.0.0.1/24 dev nic0|addr add 10.0.0.9/24 dev nic0");
    change("addr add 10.0.0.1/24 dev nic0|route add 20.0.0.0/8 dev up0 src 10.0.0.1");

    assertThat(left(before)).isEmpty();

    assertThat(host.run("ip route show dev up0")).contains("src 10.0.0.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.%d.%d/24", "fd00:0:0:%d::%d/64"})
  void addressesOfNetworksThatOtherLinksHaveTooStay(String network) throws IOException {
    String shared = network.formatted(1, 1);
    String moved = network.formatted(2, 1);
    host.ip("addr add " + (network.contains(":") ? shared : moved) + " dev nic0 nodad");
    host.ip("addr add " + (network.contains(":") ? moved : shared) + " dev nic0 nodad");
    host.ip("addr add " + network.formatted(1, 5) + " dev up0 nodad");
    // IPv6 tells the last one first, and the kernel puts the one that comes last there
    if (network.contains(":")) {
      host.ip("addr del " + shared + " dev nic0", "addr add " + shared + " dev nic0 nodad");
      host.ip("addr del " + network.formatted(1, 5) + " dev up0");
      host.ip("addr add " + network.formatted(1, 5) + " dev up0 nodad");
    }
    LinkState before = captured();
    host.ip("addr del " + moved + " dev nic0", "addr add " + moved + " dev nic0 nodad");
    List<String> seen = host.run("ip route show").lines().toList();
    String used = host.run("ip route get " + network.split("/", -1)[0].formatted(1, 9));
    assertThat(used).contains("dev nic0");

    assertThat(left(before)).singleElement().asString().startsWith("own order of IPv");

    assertThat(host.run("ip route show").lines()).containsExactlyElementsOf(seen);
    assertThat(host.run("ip route get " + network.split("/", -1)[0].formatted(1, 9)))
        .isEqualTo(used);
  }

  @Test
  void addressesWithWhichRoutesBetweenThoseOfOthersWouldGoStay() throws IOException {
    host.ip(
        "addr add 10.0.0.1/24 dev nic0",
        "addr add 10.0.1.1/24 dev nic0",
        "route add 20.0.0.0/8 dev up0",
        "route append 20.0.0.0/8 dev nic0 src 10.0.1.1",
        "route append 20.0.0.0/8 dev up1");
    LinkState before = captured();
    change("addr del 10.0.0.1/24 dev nic0|addr add 10.0.0.1/24 dev nic0");
    String seen = host.run("ip route show");

    assertThat(left(before)).singleElement().asString().startsWith("own order of IPv4 addresses");

    assertThat(host.run("ip route show")).isEqualTo(seen);
  }

  @Test
  void aRouteOfAnotherLinkThatComesBackBehindItsRivalIsTold() throws IOException {
    host.ip(
        "addr add 10.0.0.1/24 dev nic0",
        "route add 20.0.0.0/8 dev up0 src 10.0.0.1",
        "route append 20.0.0.0/8 dev up1",
        "link property add dev nic0 altname second");
    LinkState before = captured();
    Scenario.goAndComeBack(host, pod, "nic0");

    assertThat(left(before))
        .containsExactly(
            "order of route 20.0.0.0/8 table 254 through other links was first, is last:"
                + " routes of others are before it, which are not touched");

    host.ip("route del 20.0.0.0/8 dev up1");
    assertThat(left(before)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/24 10.0.1.1/24, del 10.0.0.1/24",
    "10.0.0.1/24 10.0.1.1/24, add 10.0.2.1/24|del 10.0.0.1/24|del 10.0.1.1/24",
    "10.0.0.1/24 10.0.0.2/24, del 10.0.0.1/24|replace 10.0.0.2/24",
    "10.0.0.1/32 10.0.0.2/32, add 10.0.2.1/24|del 10.0.0.1/32|del 10.0.0.2/32",
    "10.0.0.1/24, add 10.0.2.1/24|del 10.0.0.1/24|add 10.0.0.9/24|del 10.0.2.1/24"
  })
  void neighboursOfOthersStayWhereAllAddressesAreMoved(String addresses, String changes)
      throws IOException {
    for (String promote : List.of("0", "1")) {
      LinkSysctls.of(host.namespace, "nic0").set("ipv4/conf/promote_secondaries", promote);
      host.ip("addr flush dev nic0");
      for (String one : addresses.split(" ", -1)) {
        host.ip("addr add " + one + " dev nic0");
      }
      String seen = host.run("ip -4 addr show dev nic0");
      LinkState before = captured();
      for (String one : changes.split("\\|", -1)) {
        host.ip("addr " + one + " dev nic0");
      }
      if (!host.run("ip -4 addr show dev nic0").contains("inet")) {
        host.ip("addr add 10.0.0.2/24 dev nic0"); // with the first one it has gone
      }
      host.ip(
          "neigh replace 10.0.0.50 lladdr 02:00:00:00:00:50 dev nic0 extern_learn nud reachable");

      assertThat(left(before)).isEmpty();

      assertThat(host.run("ip -4 addr show dev nic0")).isEqualTo(seen);
      assertThat(host.run("ip neigh show dev nic0")).contains("10.0.0.50 ");
    }
  }

  @Test
  void aRouteThatCouldNotComeBackStays() throws IOException {
    host.ip(
        "addr add 10.0.0.1/24 dev nic0 noprefixroute",
        "route add 10.0.0.8/31 dev nic0",
        "route add 20.0.0.0/8 via 10.0.0.9",
        "route append 20.0.0.0/8 via 10.0.0.8",
        "route del 10.0.0.8/31");
    LinkState before = captured();
    change("route add 10.0.0.8/31 dev nic0|route del 20.0.0.0/8 via 10.0.0.9");
    change("route append 20.0.0.0/8 via 10.0.0.9|route del 10.0.0.8/31");
    String seen = host.run("ip route show");

    assertThat(left(before))
        .singleElement()
        .asString()
        .startsWith("own order of route 20.0.0.0/8")
        .contains("ENETUNREACH");

    assertThat(host.run("ip route show")).isEqualTo(seen);
  }

  @Test
  void aRouteThatIsRefusedLeavesTheOthersTheirOrder() throws IOException {
    host.ip(
        "addr add 10.0.0.1/24 dev nic0 noprefixroute",
        "route add 10.0.0.9/32 dev nic0",
        "route add 20.0.0.0/8 via 10.0.0.9",
        "route del 10.0.0.9/32",
        "route append 20.0.0.0/8 dev nic0 mtu 1300",
        "route append 20.0.0.0/8 dev nic0 mtu 1400");
    LinkState before = captured();
    change("route flush 20.0.0.0/8|route append 20.0.0.0/8 dev nic0 mtu 1400");
    change("route append 20.0.0.0/8 dev nic0 mtu 1300");

    assertThat(left(before)).singleElement().asString().startsWith("route 20.0.0.0/8 via 10.0.0.9");

    assertThat(host.run("ip route show 20.0.0.0/8").lines())
        .extracting(line -> line.strip().substring(line.indexOf("mtu")))
        .containsExactly("mtu 1300", "mtu 1400");
  }

  @ParameterizedTest
  @CsvSource({
    "via fe80::1, link set nic0 down|link set nic0 up",
    "via fe80::1, route del fd50::/64 via fe80::1 dev nic0 metric 9",
    "nexthop via fe80::1 dev nic0 nexthop via fe80::2, route del fd50::/64 dev nic0 metric 9",
    "nexthop via fe80::1 dev nic0 nexthop via fe80::2, link set nic0 down|link set nic0 up"
  })
  void ipv6RoutesWithGatewaysComeBackBehindThoseWithout(String gateways, String changes)
      throws IOException {
    host.ip("addr add fe80::9/64 dev nic0 nodad", "route add fd50::/64 dev nic0 metric 9");
    host.ip("route append fd50::/64 metric 9 " + gateways + " dev nic0");
    List<String> seen = host.run("ip -6 route show fd50::/64").lines().toList();
    LinkState before = captured();
    change(changes);
    assertThat(host.run("ip -6 route show fd50::/64").lines()).isNotEqualTo(seen);

    assertThat(left(before)).isEmpty();

    assertThat(host.run("ip -6 route show fd50::/64").lines()).containsExactlyElementsOf(seen);
  }

  @Test
  void waysOfOthersThatHaveJoinedIpv6RoutesStay() throws IOException {
    host.ip("addr add fe80::9/64 dev nic0 nodad", "addr add fe80::9/64 dev up0 nodad");
    host.ip("route add default via fe80::1 dev nic0 metric 9");
    LinkState before = captured();
    host.ip("route append default via fe80::2 dev up0 metric 9");
    String seen = host.run("ip -6 route show default");
    host.ip("route append default via fe80::3 dev nic0 metric 9");

    assertThat(left(before))
        .hasSize(2)
        .last()
        .asString()
        .endsWith("was not there, is there: it has ways of others, which are not touched");

    assertThat(host.run("ip -6 route show default")).isEqualTo(seen);
    host.ip("route del default via fe80::2 dev up0 metric 9");
    assertThat(left(before)).isEmpty();
  }

  @Test
  void timeThatGoesOnIsNoOtherOrder() throws Exception {
    host.ip("route add fd50::/64 dev nic0 metric 9 expires 900");
    host.ip("route append fd50::/64 dev up0 metric 9 expires 900");
    try (RouteNetlink route = RouteNetlink.open(host.namespace)) {
      Ways ways = new Ways(route.links().get("nic0").index(), Set.of());
      Surroundings around = new Surroundings(route, true);
      List<Route> routes = around.routes(ways, Set.of());
      Thread.sleep(2_100);

      assertThat(around.order(routes, ways))
          .isEqualTo(Map.of("route fd50::/64 table 254 metric 9", "first"));
    }
  }
}
