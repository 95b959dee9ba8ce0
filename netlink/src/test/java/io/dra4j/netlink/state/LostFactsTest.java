package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.linux.LinkSysctls;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is easily lost of a link, one by one: it comes back, and only what is lost is touched. */
@EnabledIf(Host.MAY)
class LostFactsTest extends TwoHosts {

  @BeforeEach
  void open() throws IOException {
    host.ip(
        "link set lo up",
        "link add nic0 type veth peer name other",
        "link property add dev nic0 altname second",
        "link set other up",
        "link set nic0 up");
  }

  private JsonNode address(String local) throws IOException {
    for (JsonNode link : host.json("ip -d -j addr show dev nic0")) {
      for (JsonNode one : link.get("addr_info")) {
        if (one.path("local").asText().equals(local)) {
          return one;
        }
      }
    }
    throw new AssertionError("no address " + local);
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.5/24, valid_lft forever preferred_lft forever, valid_lft 60 preferred_lft 60",
    "192.0.2.5/24, valid_lft 5000 preferred_lft 4000, valid_lft 60 preferred_lft 0",
    "2001:db8::5/64, valid_lft forever preferred_lft forever, valid_lft 60 preferred_lft 60",
    "2001:db8::5/64, valid_lft 5000 preferred_lft 4000, valid_lft 60 preferred_lft 0",
    "2001:db8::5/64, valid_lft forever preferred_lft 0, valid_lft forever preferred_lft forever"
  })
  void anAddressLivesAsLongAsItDidAndStaysMeanwhile(String address, String was, String is)
      throws IOException {
    host.ip("addr add " + address + " dev nic0 nodad " + was);
    String local = address.substring(0, address.indexOf('/'));
    boolean v6 = local.contains(":");
    String to = v6 ? "2001:db8:9::/48" : "198.51.100.0/24";
    host.ip("route add " + to + " via " + (v6 ? "2001:db8::1" : "192.0.2.1") + " dev nic0");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    JsonNode first = address(local);
    host.ip("addr change " + address + " dev nic0 " + is);

    Restoration restoration = before.restore(host.namespace, "nic0");

    assertThat(restoration.left()).isEmpty();
    assertThat(restoration.restored()).as("the route was there all the time").isBetween(1, 3);
    for (String time : List.of("valid_life_time", "preferred_life_time")) {
      assertThat(address(local).get(time).asLong())
          .isCloseTo(first.get(time).asLong(), within(10L));
    }
    assertThat(before.changesTo(LinkState.capture(host.namespace, "nic0"))).isEmpty();
  }

  /** The kernel calls such an address preferred for ever, and tells by a flag that it is not. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, forever", "forever, 0"})
  void anIpv4AddressThatIsDeprecatedForEverStaysSo(String was, String is) throws IOException {
    host.ip("addr add 192.0.2.5/24 dev nic0 preferred_lft " + was);
    LinkState before = host.captured("nic0");
    host.ip("addr change 192.0.2.5/24 dev nic0 preferred_lft " + is);

    isBack(before);

    assertThat(address("192.0.2.5").has("deprecated")).isEqualTo(was.equals("0"));
    Scenario.goAndComeBack(host, pod, "nic0");
    isBack(before);
    assertThat(address("192.0.2.5").has("deprecated")).isEqualTo(was.equals("0"));
    assertThat(address("192.0.2.5").get("valid_life_time").asLong()).isEqualTo(0xffff_ffffL);
  }

  /** The state, captured that much earlier. */
  private LinkState captured(long secondsAgo) throws IOException {
    return host.captured("nic0", secondsAgo);
  }

  @Test
  void timeGoesOnForWhatEndsByItself() throws IOException {
    host.ip(
        "addr add 192.0.2.5/24 dev nic0 valid_lft 5000 preferred_lft 4000",
        "addr add 192.0.2.6/24 dev nic0 valid_lft 5000 preferred_lft 3000",
        "addr add 192.0.2.7/24 dev nic0 valid_lft 3000 preferred_lft 3000",
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "addr add 2001:db8::6/64 dev nic0 nodad noprefixroute valid_lft 5000 preferred_lft 3000",
        "route add 2001:db8:9::/48 via 2001:db8::1 expires 5000",
        "route add 2001:db8:a::/48 via 2001:db8::1 expires 3000");
    LinkState before = captured(3_500);
    host.ip("addr flush dev nic0");
    host.run("ip -6 route flush dev nic0");

    Restoration restoration = before.restore(host.namespace, "nic0");

    assertThat(restoration.left()).isEmpty();
    assertThat(address("192.0.2.5").get("valid_life_time").asLong()).isCloseTo(1_500, within(10L));
    assertThat(address("192.0.2.5").get("preferred_life_time").asLong())
        .isCloseTo(500, within(10L));
    assertThat(address("192.0.2.6").get("preferred_life_time").asLong()).isZero();
    assertThat(address("2001:db8::6").get("preferred_life_time").asLong()).isZero();
    assertThat(host.json("ip -j addr show dev nic0").toString()).doesNotContain("192.0.2.7");
    JsonNode route = host.json("ip -6 -d -j route show 2001:db8:9::/48").get(0);
    assertThat(route.get("expires").asLong()).isCloseTo(1_500, within(10L));
    assertThat(host.json("ip -6 -j route show 2001:db8:a::/48")).isEmpty();
    assertThat(before.changesTo(LinkState.capture(host.namespace, "nic0"))).isEmpty();
  }

  @Test
  void withALeaseThatHasEndedGoesItsNetwork() throws IOException {
    host.ip(
        "addr add 192.0.2.5/24 dev nic0 valid_lft 3000 preferred_lft 3000",
        "route add 203.0.113.0/24 dev nic0 src 192.0.2.5",
        "addr add 198.51.100.1/24 dev nic0");
    LinkState before = captured(3_500);
    Scenario.goAndComeBack(host, pod, "nic0");

    isBack(before);

    assertThat(host.run("ip route show"))
        .contains("198.51.100.0/24")
        .doesNotContain("192.0.2", "203.0.113.0");
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.5/24 dev nic0, 198.51.100.0/24 via 192.0.2.1",
    "2001:db8::5/64 dev nic0 nodad, 2001:db8:9::/48 via 2001:db8::1"
  })
  void aLeaseThatWasRenewedStaysWithItsRoutes(String address, String route) throws IOException {
    host.ip("addr add " + address + " valid_lft 3000 preferred_lft 2000", "route add " + route);
    LinkState ended = captured(3_500);
    LinkState deprecated = captured(2_500);
    host.ip("addr change " + address + " valid_lft 9000 preferred_lft 8000");

    for (LinkState before : List.of(ended, deprecated)) {
      assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));
    }

    JsonNode now = address(address.substring(0, address.indexOf('/')));
    assertThat(now.get("preferred_life_time").asLong()).isCloseTo(8_000, within(10L));
    assertThat(host.run("ip route get " + route.split("/", 2)[0])).contains(" via ");
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.5/24, 1000, 500, forever, forever",
    "192.0.2.5/24, 1000, 0, 5000, 4000",
    "2001:db8::5/64, 1000, 500, forever, forever",
    "2001:db8::5/64, 1000, 0, forever, forever",
    "2001:db8::5/64, 1000, 0, 5000, 4000"
  })
  void whatWasRenewedOrMadePermanentIsNotCutBack(
      String address, String valid, String preferred, String newValid, String newPreferred)
      throws IOException {
    String times = " dev nic0 nodad valid_lft %s preferred_lft %s";
    host.ip("addr add " + address + times.formatted(valid, preferred));
    host.ip("route add 2001:db8:9::/48 dev nic0 expires 1000");
    LinkState before = host.captured("nic0");
    host.ip("addr change " + address + times.formatted(newValid, newPreferred));
    host.ip("route del 2001:db8:9::/48 dev nic0", "route add 2001:db8:9::/48 dev nic0");

    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));

    JsonNode now = address(address.substring(0, address.indexOf('/')));
    assertThat(now.get("valid_life_time").asLong()).isCloseTo(seconds(newValid), within(10L));
    assertThat(now.get("preferred_life_time").asLong())
        .isCloseTo(seconds(newPreferred), within(10L));
    assertThat(host.json("ip -6 -j route show 2001:db8:9::/48").get(0).has("expires")).isFalse();
  }

  private static long seconds(String time) {
    return time.equals("forever") ? 0xffff_ffffL : Long.parseLong(time);
  }

  /** Of two times that somebody has changed, neither becomes shorter. */
  @Test
  void anAddressThatIsValidForLongerAndPreferredForLessHasTheLongerTimes() throws IOException {
    host.ip("addr add 192.0.2.5/24 dev nic0 valid_lft 1000 preferred_lft 500");
    LinkState before = host.captured("nic0");
    host.ip("addr change 192.0.2.5/24 dev nic0 valid_lft 5000 preferred_lft 0");

    isBack(before);

    assertThat(address("192.0.2.5").get("valid_life_time").asLong()).isCloseTo(5_000, within(10L));
    assertThat(address("192.0.2.5").get("preferred_life_time").asLong())
        .isCloseTo(500, within(10L));
  }

  /** Its {@code IFA_PROTO} is {@code IFAPROT_KERNEL_RA}. */
  @Test
  void anAddressOfARoutersAdvertisementStays() throws IOException {
    LinkState before = LinkState.capture(host.namespace, "nic0");
    try (RouteNetlink route = RouteNetlink.open(host.namespace)) {
      int index = route.links().get("nic0").index();
      IpPrefix address = IpPrefix.parse("2001:db8:7::5/64");
      route.addresses().add(InterfaceAddress.of(index, address).withAttribute(11, new byte[] {2}));
      assumeThat(route.addresses().list(LinkKey.of(index)))
          .as("kernels before 5.18 do not tell the protocol")
          .anyMatch(one -> one.protocol().orElse(0) == 2);
    }

    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));

    assertThat(address("2001:db8:7::5")).isNotNull();
  }

  @Test
  void aRouteThatNeverEndedNeverEndsAgain() throws IOException {
    host.ip("addr add 2001:db8::5/64 dev nic0 nodad", "route add 2001:db8:9::/48 dev nic0");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    host.ip("route replace 2001:db8:9::/48 dev nic0 expires 60");

    isBack(before);

    assertThat(host.json("ip -6 -j route show 2001:db8:9::/48").get(0).has("expires")).isFalse();
  }

  @Test
  void neighboursThatAreNotResolvedComeBack() throws IOException {
    host.ip(
        "addr add 192.0.2.5/24 dev nic0",
        "neigh add 192.0.2.9 lladdr 02:00:00:00:00:79 nud noarp dev nic0",
        "neigh add 2001:db8::9 lladdr 02:00:00:00:00:78 nud noarp dev nic0",
        "neigh add 192.0.2.8 lladdr 02:00:00:00:00:77 nud stale dev nic0");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    Scenario.goAndComeBack(host, pod, "nic0");

    isBack(before);

    assertThat(host.run("ip neigh show nud noarp dev nic0"))
        .contains("192.0.2.9 lladdr 02:00:00:00:00:79", "2001:db8::9 lladdr 02:00:00:00:00:78")
        .doesNotContain("192.0.2.8");
  }

  @Test
  void theNumbersOfChannelsComeBack() throws IOException {
    host.ip("link del nic0", "link add nic0 numrxqueues 4 numtxqueues 4 type veth peer name other");
    host.run("ethtool -L nic0 rx 3 tx 4");
    LinkState before = LinkState.parse(LinkState.capture(host.namespace, "nic0").toText());
    assertThat(before.values()).containsEntry("channels rx", "3").containsEntry("channels tx", "4");
    host.run("ethtool -L nic0 rx 1 tx 2");

    isBack(before);

    assertThat(host.run("ethtool -l nic0").replaceAll("(?s).*Current", ""))
        .containsPattern("RX:\\s+3")
        .containsPattern("TX:\\s+4");
  }

  @Test
  void nextHopObjectsComeBackOnceThereIsACarrier() throws Exception {
    host.ip(
        "addr add 192.0.2.5/24 dev nic0",
        "nexthop add id 910 via 192.0.2.1 dev nic0",
        "route add 203.0.113.0/24 nhid 910");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    host.ip("link set other down");
    for (int i = 0; i < 200 && host.run("ip nexthop show").contains("910"); i++) {
      Thread.sleep(50); // the kernel looks at carriers up to a second later
    }
    assertThat(host.run("ip nexthop show")).doesNotContain("910");

    Restoration without = before.restore(host.namespace, "nic0");

    assertThat(without.waitsForCarrier()).isTrue();
    assertThat(without.left())
        .extracting(Difference::waitsForCarrier)
        .as("the object, and the route that needs it")
        .containsExactly(true, false);
    try (LinkStates states = LinkStates.open(host.namespace)) {
      assertThat(states.awaitCarrier(LinkKey.of("nic0"), Duration.ZERO)).isFalse();
      host.ip("link set other up");
      assertThat(states.awaitCarrier(LinkKey.of("nic0"), Duration.ofSeconds(10))).isTrue();
    }
    Restoration restored = before.restore(host.namespace, "nic0");
    assertThat(restored.waitsForCarrier()).isFalse();
    assertThat(restored.left()).isEmpty();
    assertThat(host.run("ip route show 203.0.113.0/24")).contains("nhid 910");
  }

  private void awaitDuplicate(String local) throws Exception {
    for (int i = 0; i < 600 && !address(local).has("dadfailed"); i++) {
      Thread.sleep(50);
    }
    assertThat(address(local).has("dadfailed")).isTrue();
  }

  @Test
  void anAddressThatAnotherHostHasIsNotUsed() throws Exception {
    host.ip("addr add 2001:db8::5/64 dev other nodad", "addr add 2001:db8::5/64 dev nic0");
    LinkState early = host.captured("nic0");
    awaitDuplicate("2001:db8::5");
    LinkState before = host.captured("nic0");
    for (LinkState one : List.of(early, before)) {
      Scenario.goAndComeBack(host, pod, "nic0");

      assertThat(one.restore(host.namespace, "nic0").left()).isEmpty();

      assertThat(address("2001:db8::5").has("tentative")).isTrue();
      awaitDuplicate("2001:db8::5");
    }
    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));
  }

  @Test
  void anAddressThatAnotherHostHasByNowIsTold() throws Exception {
    host.ip("addr add 2001:db8::5/64 dev nic0 nodad");
    LinkState before = host.captured("nic0");
    host.ip("addr del 2001:db8::5/64 dev nic0", "addr add 2001:db8::5/64 dev other nodad");
    host.ip("addr add 2001:db8::5/64 dev nic0");
    awaitDuplicate("2001:db8::5");

    assertThat(before.changesTo(host.captured("nic0")))
        .extracting(Difference::toString)
        .contains("duplicate of 2001:db8::5 was not there, is found");
  }

  @Test
  void theTokenOfIpv6AddressesComesBack() throws IOException {
    LinkSysctls.of(host.namespace, "nic0").set("ipv6/conf/accept_ra", "2");
    host.run("ip token set ::5 dev nic0");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    Scenario.goAndComeBack(host, pod, "nic0");
    assertThat(host.run("ip token get dev nic0")).contains("token :: dev");

    isBack(before);

    assertThat(host.run("ip token get dev nic0")).contains("token ::5 dev nic0");
  }

  @ParameterizedTest
  @CsvSource({"2", "3"})
  void theSecretOfIpv6AddressesComesBack(String mode) throws IOException {
    LinkSysctls sysctls = LinkSysctls.of(host.namespace, "nic0");
    host.ip("link set nic0 down");
    if (mode.equals("2")) {
      sysctls.set("ipv6/conf/stable_secret", "2001:db8::7");
    }
    sysctls.set("ipv6/conf/addr_gen_mode", mode);
    host.ip("link set nic0 up");
    LinkState before = host.captured("nic0");
    String secret = sysctls.get("ipv6/conf/stable_secret");
    Scenario.goAndComeBack(host, pod, "nic0");

    isBack(before);

    assertThat(sysctls.get("ipv6/conf/stable_secret")).isEqualTo(secret);
    assertThat(sysctls.get("ipv6/conf/addr_gen_mode")).isEqualTo(mode);
  }

  @Test
  void aTokenThatWasNotThereIsTakenAway() throws IOException {
    LinkSysctls.of(host.namespace, "nic0").set("ipv6/conf/accept_ra", "2");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    host.run("ip token set ::5 dev nic0");

    isBack(before);

    assertThat(host.run("ip token get dev nic0")).contains("token :: dev nic0");
  }

  /** Networking services set them in the name of a router, or the kernel's own are gone by now. */
  @ParameterizedTest
  @CsvSource({"ra", "kernel"})
  void routesOfARouterAndThoseInTheKernelsNameComeBack(String protocol) throws IOException {
    host.ip(
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "route add default via 2001:db8::1 dev nic0 metric 1024 proto " + protocol,
        "route add 2001:db8:9::/48 dev nic0 proto " + protocol,
        "addr add 192.0.2.5/24 dev nic0",
        "route add 198.51.100.0/24 via 192.0.2.1 proto " + protocol);
    LinkState before = LinkState.capture(host.namespace, "nic0");
    List<String> seen = host.seen("nic0");
    Scenario.goAndComeBack(host, pod, "nic0");

    isBack(before);

    assertThat(host.seen("nic0")).containsAll(seen); // and what duplicates delay
  }

  /** A macvlan of that name on the veth that had it: its carrier stays when it goes down. */
  private void makeMacvlan() throws IOException {
    host.ip(
        "link property del dev nic0 altname second",
        "link set nic0 down",
        "link set nic0 name parent",
        "link set parent up",
        "link add nic0 link parent type macvlan mode bridge",
        "link property add dev nic0 altname second",
        "link set nic0 up");
  }

  /** The kernel looks at the mode only when the carrier changes. */
  private void makeDormant(Host where, String name) throws Exception {
    where.ip("link set " + name + " mode dormant", "link set " + name + " up");
    host.ip("link set other down");
    awaitState(where, name, "DOWN|LOWERLAYERDOWN");
    host.ip("link set other up");
    awaitState(where, name, "DORMANT");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLinkThatSomebodyHasMadeDormantIsUsedAgain(boolean isMacvlan) throws Exception {
    if (isMacvlan) {
      makeMacvlan();
    }
    awaitState(host, "nic0", "UP");
    LinkState before = host.captured("nic0");
    makeDormant(host, "nic0");

    isBack(before);

    awaitState(host, "nic0", "UP");
    assertThat(link().get("linkmode").asText()).isEqualTo("DEFAULT");
  }

  @Test
  void aLinkThatAPodHasMadeDormantIsUsedAgain() throws Exception {
    makeMacvlan();
    awaitState(host, "nic0", "UP");
    LinkState before = host.captured("nic0");
    Scenario.go(host, pod, "nic0");
    makeDormant(pod, "net1");
    Scenario.comeBack(host, pod, "nic0");

    isBack(before);

    awaitState(host, "nic0", "UP");
  }

  @Test
  void aLinkThatAPodHoldsDownForAReasonIsNotHeldDownAnyMore() throws IOException {
    makeMacvlan();
    LinkState before = host.captured("nic0");
    Scenario.go(host, pod, "nic0");
    pod.ip("link set net1 protodown on", "link set net1 protodown_reason 3 on");
    assumeThat(reasons(pod, "net1")).as("kernels before 5.9 know no reasons").isNotEmpty();
    Scenario.comeBack(host, pod, "nic0");

    isBack(before);

    assertThat(link().has("proto_down")).isFalse();
    assertThat(link().has("proto_down_reason")).isFalse();
    Scenario.awaitCarrier(host, "nic0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "protodown_reason 3 off, protodown off",
        "protodown_reason 3 off",
        "protodown_reason 5 on",
        "protodown_reason 5 on, protodown_reason 3 off"
      })
  void theReasonsForWhichALinkIsHeldDownComeBack(String changes) throws IOException {
    makeMacvlan();
    host.ip("link set nic0 protodown on", "link set nic0 protodown_reason 3 on");
    LinkState before = host.captured("nic0");
    List<String> reasons = reasons(host, "nic0");
    assumeThat(reasons).as("kernels before 5.9 know no reasons").isNotEmpty();
    for (String change : changes.split(", ", -1)) {
      host.ip("link set nic0 " + change);
    }

    isBack(before);

    assertThat(link().path("proto_down").asBoolean()).isTrue();
    assertThat(reasons(host, "nic0")).isEqualTo(reasons);
  }

  /** If the kernel refuses one setting, the others are set one by one. */
  @Test
  void whatALinkIsHeldDownForIsTakenAwayThoughAnotherSettingIsRefused() throws IOException {
    makeMacvlan();
    String text = LinkState.capture(host.namespace, "nic0").toText();
    LinkState wrong = LinkState.parse(Scenario.sealed(text.replace("mtu=1500", "mtu=99999")));
    host.ip("link set nic0 protodown on", "link set nic0 protodown_reason 3 on");
    host.ip("link set nic0 mtu 1400");

    assertThat(host.left(wrong, "nic0"))
        .isNotEmpty()
        .allSatisfy(left -> assertThat(left).contains("mtu"));

    assertThat(link().has("proto_down")).isFalse();
  }

  private static List<String> reasons(Host where, String name) throws IOException {
    List<String> reasons = new ArrayList<>();
    where
        .json("ip -d -j link show dev " + name)
        .get(0)
        .path("proto_down_reason")
        .forEach(one -> reasons.add(one.asText()));
    return reasons;
  }

  private JsonNode link() throws IOException {
    return host.json("ip -d -j link show dev nic0").get(0);
  }

  private static void awaitState(Host where, String name, String state) throws Exception {
    String found = "";
    for (int i = 0; i < 200 && !found.matches(state); i++) {
      Thread.sleep(i == 0 ? 0 : 50);
      found = where.json("ip -j link show dev " + name).get(0).get("operstate").asText();
    }
    assertThat(found).matches(state);
  }
}
