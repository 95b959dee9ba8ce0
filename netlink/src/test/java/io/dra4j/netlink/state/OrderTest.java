package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.FaultyAccess;
import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.RouteObject;
import io.dra4j.netlink.route.RouteObjects;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of addresses, equal routes and rules of one priority the kernel uses the first. */
@EnabledIf(Host.MAY)
@Tag("exhaustive")
class OrderTest {

  private Host host;

  @BeforeEach
  void open() throws IOException {
    host = new Host();
    host.ip("link set lo up");
    host.pair("nic0");
    host.pair("up0");
  }

  @AfterEach
  void close() {
    host.close();
  }

  private LinkState captured() throws IOException {
    return host.captured("nic0");
  }

  private List<String> shown() throws IOException {
    List<String> shown = new ArrayList<>();
    shown.addAll(host.run("ip -o addr show dev nic0").replace(" tentative", "").lines().toList());
    shown.addAll(host.run("ip -4 route show table all").lines().toList());
    shown.addAll(host.run("ip -6 route show table main").lines().sorted().toList());
    shown.addAll(host.run("ip -d rule show").lines().toList());
    shown.addAll(host.run("ip -6 -d rule show").lines().toList());
    return shown;
  }

  private void isBack(LinkState before, List<String> seen) throws IOException {
    assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();
    assertThat(shown()).isEqualTo(seen);
    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));
  }

  private List<String> left(LinkState before) throws IOException {
    List<String> left = new ArrayList<>();
    before.restore(host.namespace, "nic0").left().forEach(one -> left.add(one.toString()));
    List<String> seen = shown();
    assertThat(before.restore(host.namespace, "nic0").left()).hasSameSizeAs(left);
    assertThat(shown()).as("what cannot be is not tried for ever").isEqualTo(seen);
    return left;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "del 10.0.0.1/24|replace 10.0.0.2/24|add 10.0.0.1/24",
        "del 10.0.0.1/24|replace 10.0.0.2/24",
        "del 10.1.0.1/24",
        "del 10.0.0.1/24|add 10.0.0.1/24",
        "del 10.0.0.2/24|add 10.0.0.9/24",
        "del 10.0.0.2/24|add 10.0.0.2/24",
        "add 10.0.0.8/24|add 10.2.0.8/24",
        "del fd00::1/64",
        "del fd00::1/64|add fd00::1/64 nodad",
        "del fd00::2/64|add fd00::7/64 nodad",
        "del fd00::3/64|del fe80::5/64|add fe80::5/64 nodad",
        "flush"
      })
  void addressesComeBackInTheirOrder(String changes) throws IOException {
    for (String promote : List.of("0", "1")) {
      LinkSysctls.of(host.namespace, "nic0").set("ipv4/conf/promote_secondaries", promote);
      host.ip(
          "addr add 10.9.0.1/32 dev nic0 scope link",
          "addr add 10.0.0.1/24 dev nic0",
          "addr add 10.0.0.2/24 dev nic0",
          "addr add 10.1.0.1/24 dev nic0",
          "addr add 10.0.0.3/24 dev nic0",
          "addr add 10.1.0.2/24 dev nic0",
          "addr add fd00::1/64 dev nic0 nodad",
          "addr add fe80::5/64 dev nic0 nodad",
          "addr add fd00::2/64 dev nic0 nodad",
          "addr add fd00::3/64 dev nic0 nodad",
          "route add default via 10.0.0.9",
          "route add 10.7.0.0/16 via 10.0.0.9 src 10.0.0.3",
          "neigh add 10.0.0.9 lladdr 02:00:00:00:00:09 dev nic0 nud permanent",
          "route add fd01::/64 via fd00::9");
      List<String> seen = shown();
      LinkState before = captured();
      for (String change : changes.split("\\|", -1)) {
        host.ip("addr " + change + " dev nic0");
      }

      isBack(before, seen);

      assertThat(host.run("ip route get 8.8.8.8")).contains("src 10.0.0.1");
      assertThat(host.run("ip neigh show dev nic0")).contains("10.0.0.9");
      close();
      open();
    }
  }

  @ParameterizedTest
  @CsvSource({
    // primary ones first, by network; then secondary ones
    "10.0.0.1 10.1.0.1 10.2.0.1 10.0.0.2, 10.0.0.1 10.2.0.1 10.3.0.1 10.0.0.2, 10.0.0.1 10.0.0.2",
    "10.0.0.1 10.1.0.1 10.1.0.2 10.0.0.2, 10.1.0.1 10.0.0.1 10.1.0.2 10.0.0.2, 10.0.0.1",
    "10.0.0.1 10.1.0.1 10.0.0.2, 10.0.0.2 10.1.0.1 10.0.0.1, ''",
    "10.0.0.1 10.0.0.2 10.0.0.3, 10.0.0.1 10.0.0.3 10.0.0.2, 10.0.0.1 10.0.0.2",
    // the last one first
    "fd00::3 fd00::2 fd00::1, fd00::2 fd00::1, fd00::2 fd00::1",
    "fd00::3 fd00::2 fd00::1, fd00::3 fd00::1, fd00::1"
  })
  void addressesThatAreInTheirPlaceStay(String wanted, String found, String staying) {
    assertThat(Rows.addressesInPlace(addresses(wanted), addresses(found)))
        .containsExactlyInAnyOrderElementsOf(addresses(staying));
  }

  private static List<InterfaceAddress> addresses(String text) {
    List<InterfaceAddress> addresses = new ArrayList<>();
    for (String one : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      addresses.add(
          InterfaceAddress.of(7, IpPrefix.parse(one + (one.contains(":") ? "/64" : "/24"))));
    }
    return addresses;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "iif nic0 lookup 20",
        "iif nic0 lookup 20|iif nic0 from 10.0.0.0/8 lookup 30",
        "iif nic0 lookup 10|iif nic0 lookup 20|iif nic0 from 10.0.0.0/8 lookup 30"
      })
  void rulesOfOnePriorityComeBackInTheirOrder(String moved) throws IOException {
    for (String family : List.of("-4", "-6")) {
      String to = family.equals("-4") ? "10.0.0.0/8" : "fd00::/8";
      String rule = "ip " + family + " rule add pref 100 ";
      host.run(rule + "from " + to + " lookup 5");
      for (String own : List.of("iif nic0 lookup 20", "iif nic0 lookup 10")) {
        host.run(rule + own);
      }
      host.run(rule + "iif nic0 from " + to + " lookup 30");
      host.run(rule + "oif nic0 lookup 40");
    }
    List<String> seen = shown();
    LinkState before = captured();
    for (String one : moved.split("\\|", -1)) {
      host.run("ip rule del pref 100 " + one);
      host.run("ip rule add pref 100 " + one);
    }
    host.run("ip rule add pref 100 iif nic0 lookup 50");

    isBack(before, seen);
  }

  @Test
  void rulesOfOthersAreNotMovedAndWhatStandsBehindThemIsTold() throws IOException {
    host.ip("rule add pref 100 iif nic0 lookup 10", "rule add pref 100 iif lo prohibit");
    host.ip("rule add pref 200 iif nic0 lookup 10", "rule add pref 200 iif nic0 lookup 20");
    LinkState before = captured();
    host.ip("rule del pref 100 iif nic0 lookup 10", "rule del pref 200 iif nic0 lookup 10");
    host.ip("rule add pref 200 iif lo prohibit", "rule add pref 200 iif nic0 lookup 10");
    host.ip("rule add pref 300 iif lo prohibit", "rule add pref 300 iif nic0 lookup 10");

    assertThat(left(before))
        .containsExactly(
            "order of rule 100 was first, is last: "
                + "rules of others are before it, which are not touched",
            "order of rule 200 was alone, is 1 own, others, 1 own: "
                + "rules of others are before it, which are not touched",
            "own order of rule 200 was 200: from all iif nic0 lookup 10 proto 0"
                + " before 200: from all iif nic0 lookup 20 proto 0, is 200: from all iif nic0"
                + " lookup 20 proto 0 before 200: from all iif nic0 lookup 10 proto 0: rules of"
                + " others are behind, and would come first");
    assertThat(host.run("ip rule show pref 300")).doesNotContain("nic0");
  }

  @Test
  void rulesBehindThoseOfOthersComeBackInTheirOrder() throws IOException {
    host.ip(
        "rule add pref 100 iif nic0 lookup 10",
        "rule add pref 100 iif lo prohibit",
        "rule add pref 100 iif nic0 lookup 20",
        "rule add pref 100 iif nic0 lookup 30");
    List<String> seen = shown();
    LinkState before = captured();
    host.ip(
        "rule del pref 100 iif nic0 lookup 20",
        "rule add pref 100 iif nic0 lookup 40",
        "rule add pref 100 iif up0 prohibit",
        "rule add pref 100 iif nic0 lookup 20",
        "rule del pref 100 iif up0 prohibit");

    isBack(before, seen);
  }

  @Test
  void whatHasGoneBehindOthersThatItWasBetweenIsTold() throws IOException {
    host.ip(
        "rule add pref 100 iif pup0 prohibit",
        "rule add pref 100 iif nic0 lookup 10",
        "rule add pref 100 iif nic0 lookup 20",
        "rule add pref 100 iif up0 prohibit");
    host.ip(
        "addr add 10.0.0.1/24 dev nic0",
        "route append 50.0.0.0/24 via 10.0.0.2",
        "route append 50.0.0.0/24 dev up0",
        "route append 50.0.0.0/24 via 10.0.0.3",
        "route append 50.0.0.0/24 dev up0 mtu 1300");
    LinkState before = captured();
    host.ip("rule del pref 100 iif nic0 lookup 20");
    host.ip("route del 50.0.0.0/24 via 10.0.0.3");

    assertThat(left(before))
        .containsExactly(
            "order of route 50.0.0.0/24 table 254 was 1 own, others, 1 own, others, is 1 own,"
                + " others, 1 own: routes of others are before it, which are not touched",
            "order of rule 100 was others, 2 own, others, is others, 1 own, others, 1 own:"
                + " rules of others are before it, which are not touched");
  }

  @Test
  void rulesThatWereLastAreLastAgain() throws IOException {
    host.ip("rule add pref 100 iif lo prohibit", "rule add pref 100 iif nic0 lookup 10");
    LinkState before = captured();
    host.ip("rule add pref 100 iif up0 prohibit");

    assertThat(left(before)).isEmpty();

    assertThat(host.run("ip rule show pref 100").strip()).endsWith("iif nic0 lookup 10");
  }

  @Test
  void rulesThatSayLessGoAndLeaveThoseOfOthersInTheirOrder() throws IOException {
    host.ip(
        "rule add pref 100 from 10.0.0.0/8 iif nic0 protocol 4 lookup 10",
        "rule add pref 100 from 10.0.0.0/8 prohibit",
        "rule add pref 100 from 10.0.0.0/9 blackhole");
    List<String> seen = shown();
    LinkState before = captured();
    host.ip("rule add pref 100 iif nic0 from 10.0.0.0/8 lookup 10 protocol 0");

    isBack(before, seen);
  }

  @Test
  void rulesThatNameAnotherNameOfTheLinkAreTold() throws IOException {
    host.ip("rule add pref 76 iif nic0 lookup 9");
    List<String> seen = shown();
    LinkState before = captured();
    host.ip(
        "link set nic0 down",
        "link set nic0 name x1",
        "link set x1 up",
        "rule add pref 77 iif x1 lookup 9",
        "rule add pref 78 iif up0 lookup 9");
    host.run("ip -6 rule add pref 77 oif x1 lookup 9");

    List<String> left = new ArrayList<>();
    before.restore(host.namespace, "x1").left().forEach(one -> left.add(one.toString()));

    String why = ", is there: it names the link's name in between, x1, and may be another's";
    assertThat(left)
        .containsExactly(
            "rule 77: from all iif x1 lookup 9 proto 0 was not there" + why,
            "rule 77: from ::/0 oif x1 lookup 9 proto 0 was not there" + why);
    host.ip("rule del pref 77", "rule del pref 78");
    host.run("ip -6 rule del pref 77");
    assertThat(shown()).isEqualTo(seen);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "del 50.0.0.0/24 via 10.0.0.2|append 50.0.0.0/24 via 10.0.0.2",
        "del 50.0.0.0/24 via 10.0.0.2",
        "del 50.0.0.0/24 via 10.0.0.3|prepend 50.0.0.0/24 via 10.0.0.3",
        "del 51.0.0.0/24 via 10.0.0.2|prepend 51.0.0.0/24 dev nic0 mtu 1300",
        "del 52.0.0.0/24 via 10.0.0.2",
        "del 52.0.0.0/24 via 10.0.0.3|prepend 52.0.0.0/24 via 10.0.0.3"
      })
  void equalRoutesComeBackInTheirOrder(String changes) throws IOException {
    host.ip(
        "addr add 10.0.0.1/24 dev nic0",
        "route add 50.0.0.0/24 via 10.0.0.2",
        "route append 50.0.0.0/24 via 10.0.0.3",
        "route append 50.0.0.0/24 dev nic0",
        "route append 51.0.0.0/24 via 10.0.0.2",
        "route append 51.0.0.0/24 via 10.0.0.3",
        "route append 51.0.0.0/24 dev up0",
        "route append 52.0.0.0/24 dev up0",
        "route append 52.0.0.0/24 via 10.0.0.2",
        "route append 52.0.0.0/24 via 10.0.0.3");
    List<String> seen = shown();
    LinkState before = captured();
    for (String change : changes.split("\\|", -1)) {
      host.ip("route " + change);
    }

    isBack(before, seen);
  }

  @Test
  void equalRoutesComeBackBeforeThoseThatHaveComeBehind() throws IOException {
    host.ip("addr add 10.0.0.1/24 dev nic0", "route add 50.0.0.0/24 via 10.0.0.2");
    host.ip("route append 50.0.0.0/24 via 10.0.0.3");
    LinkState before = captured();
    host.ip("route append 50.0.0.0/24 dev up0");
    List<String> seen = shown();
    host.ip("route del 50.0.0.0/24 via 10.0.0.2", "route prepend 50.0.0.0/24 via 10.0.0.2");
    host.ip("route del 50.0.0.0/24 via 10.0.0.3", "route prepend 50.0.0.0/24 via 10.0.0.3");
    assertThat(shown()).isNotEqualTo(seen);

    isBack(before, seen);
  }

  @Test
  void equalIpv6RoutesComeBackOrAreTold() throws IOException {
    host.ip(
        "addr add fd00::1/64 dev nic0 nodad",
        "route add fd50::/64 via fd00::2 metric 5",
        "route append fd50::/64 dev nic0 metric 5");
    List<String> seen = host.run("ip -6 route show fd50::/64").lines().toList();
    LinkState before = captured();
    host.ip("route del fd50::/64 via fd00::2", "route append fd50::/64 via fd00::2 metric 5");
    assertThat(host.run("ip -6 route show fd50::/64").lines()).isNotEqualTo(seen);

    assertThat(left(before)).isEmpty();
    assertThat(host.run("ip -6 route show fd50::/64").lines()).containsExactlyElementsOf(seen);

    host.ip("route del fd50::/64 via fd00::2");
    host.ip(
        "route append fd50::/64 via fd00::2 metric 5", "route append fd50::/64 dev up0 metric 5");
    assertThat(left(before))
        .singleElement()
        .asString()
        .startsWith("own order of route fd50::/64 table 254 metric 5 was fd50::/64 via fd00::2")
        .endsWith("the kernel puts IPv6 routes behind those of their metric");
  }

  /** How many native calls it takes to restore the link, of which that many rules were set. */
  private int calls(int number) throws IOException {
    host.ip("addr add 10.0.0.1/24 dev nic0");
    for (int i = 1; i <= number; i++) {
      host.ip("route add 20.0." + i + ".0/24 dev up0 src 10.0.0.1");
    }
    LinkState before = captured();
    for (int i = 1; i <= number; i++) {
      host.ip("rule add pref 100 iif nic0 lookup " + i);
    }
    host.ip("addr del 10.0.0.1/24 dev nic0");
    FaultyAccess kernel = FaultyAccess.overSystem();
    try (NetworkNamespace same =
        NetworkNamespace.ofDescriptor(kernel.access(), host.namespace.descriptor().number())) {
      return kernel.during(
          () -> assertThat(before.restore(same, "nic0").restored()).isEqualTo(2 * number + 2));
    } finally {
      close();
      open();
    }
  }

  @Test
  void howeverMuchComesBackListsAreAskedForOnce() throws IOException {
    int few = calls(2);

    assertThat(calls(32) - few).as("each of 60 objects takes one message").isLessThan(60 * 3);
  }

  /** Adds or deletes an address, a rule or a route, if the kernel lets it. */
  private static void change(RouteNetlink route, Random random, boolean isOfOthers)
      throws IOException {
    boolean isOurs = !isOfOthers || random.nextInt(3) > 0;
    String name = isOurs ? "nic0" : "up0";
    int index = route.links().get(name).index();
    boolean isAdded = random.nextInt(3) > 0;
    int number = random.nextInt(3);
    try {
      switch (random.nextInt(3)) {
        case 0 -> {
          List<String> networks =
              List.of("10.0.0.%d/24", "10.0.0.%d/16", "10.1.0.%d/24", "fd00::%d/64");
          String address = networks.get(random.nextInt(4)).formatted(number + 1);
          int own = route.links().get("nic0").index(); // the local table is the kernel's
          change(route.addresses(), isAdded, InterfaceAddress.of(own, IpPrefix.parse(address)));
        }
        case 1 -> {
          Rule rule = Rule.lookup(false, 10 + number).withPriority(7).withInputLink(name);
          rule = rule.withProtocol(random.nextBoolean() ? 4 : 0);
          IpPrefix some = IpPrefix.parse("10.0.0.0/8");
          change(route.rules(), isAdded, random.nextInt(3) > 0 ? rule : rule.withSource(some));
        }
        default -> {
          Route one = Route.to(IpPrefix.parse("50.0.0.0/24")).withLink(index).withScope(253);
          one = one.withMetrics(Map.of(2, 1_300 + number)); // RTAX_MTU
          if (!isOurs && random.nextBoolean()) {
            one = one.withPreferredSource(IpAddress.parse("10.0.0." + (1 + random.nextInt(3))));
          }
          if (!isAdded) {
            route.routes().delete(one);
          } else if (random.nextBoolean()) {
            route.routes().append(one);
          } else {
            route.routes().prepend(one);
          }
        }
      }
    } catch (NetlinkException.Exists | NetlinkException.NotFound | NetlinkException.Refused e) {
      // then it is another change that counts
    }
  }

  private static <T extends RouteObject> void change(
      RouteObjects<T> objects, boolean isAdded, T object) throws NetlinkException {
    if (isAdded) {
      objects.add(object);
    } else {
      objects.delete(object);
    }
  }

  /** Without those that send from an address that has come since, and goes. */
  private static List<String> lasting(List<String> routes, LinkState before) {
    List<String> lasting = new ArrayList<>(routes);
    for (int i = 1; i <= 3; i++) {
      IpAddress from = IpAddress.parse("10.0.0." + i);
      if (before.addresses().stream().noneMatch(one -> one.address().address().equals(from))) {
        lasting.removeIf(one -> (one + " ").contains("src " + from + " "));
      }
    }
    return lasting;
  }

  /** With an address of two lengths the kernel has two local routes, in no order of ours. */
  private static List<String> own(List<String> shown) {
    return shown.stream()
        .filter(line -> !line.contains("up0") && !line.startsWith("local"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverHasChangedIsBackOrTold(int seed) throws IOException {
    Random random = new Random(seed);
    LinkSysctls.of(host.namespace, "nic0").set("ipv4/conf/promote_secondaries", "" + seed % 2);
    try (RouteNetlink route = RouteNetlink.open(host.namespace)) {
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 10; i++) {
          change(route, random, true);
        }
        List<String> seen = shown();
        LinkState before = captured();
        for (int i = 0; i < 5; i++) {
          change(route, random, i == 4);
        }
        List<String> others =
            host.run("ip rule show pref 7").lines().filter(one -> one.contains("up0")).toList();

        List<String> routes = host.run("ip route show dev up0").lines().toList();

        boolean isBack = left(before).isEmpty();

        List<String> now = host.run("ip route show dev up0").lines().toList();
        List<String> lasting = lasting(routes, before);
        assertThat(Rows.common(now, lasting)).as("round %d", round).isEqualTo(lasting);
        if (isBack && now.equals(routes)) {
          assertThat(own(shown())).as("round %d", round).isEqualTo(own(seen));
        }

        assertThat(host.run("ip rule show pref 7").lines().filter(one -> one.contains("up0")))
            .isEqualTo(others);
      }
    }
  }
}
