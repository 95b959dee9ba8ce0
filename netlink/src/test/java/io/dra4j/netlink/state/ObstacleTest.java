package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a link has in common with others is named before it is moved, and not touched after it. */
@EnabledIf(Host.MAY)
class ObstacleTest extends TwoHosts {

  @BeforeEach
  void open() throws IOException {
    host.ip("link set lo up");
    host.pair("nic0");
    host.pair("up0");
    host.ip(
        "link property add dev nic0 altname second",
        "addr add fd00::1/64 dev nic0 nodad",
        "addr add fd02::1/64 dev up0 nodad",
        "addr add 10.0.0.1/24 dev nic0",
        "addr add 10.1.0.1/24 dev up0",
        "nexthop add id 10 via 10.0.0.9 dev nic0",
        "nexthop add id 11 via 10.0.0.8 dev nic0",
        "nexthop add id 20 via 10.1.0.9 dev up0");
  }

  @Test
  void aLinkWithAllThatIsItsOwnHasNone() throws IOException {
    host.ip("nexthop add id 100 group 10/11", "route add 20.0.0.0/8 nhid 100");
    host.ip("route add fd05::/64 nexthop via fd00::8 dev nic0 nexthop via fd00::9 dev nic0");
    host.ip("route add 30.0.0.0/8 dev up0 src 10.0.0.1", "rule add iif nic0 lookup 7 pref 9");

    assertThat(host.captured("nic0").obstacles()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nexthop add id 100 group 10/20 | SHARED_NEXT_HOP | 100",
        "route add fd05::/64 nexthop via fd00::9 dev nic0 nexthop via fd02::9 dev up0"
            + " | SHARED_ROUTE | fd05::/64 table 254",
        "route add 20.0.0.0/8 table 7 nexthop via 10.0.0.9 dev nic0 nexthop via 10.1.0.9 dev up0"
            + " | SHARED_ROUTE | 20.0.0.0/8 table 7",
        "link add mv0 link nic0 type macvlan mode bridge | UPPER_LINK | mv0",
        "link add vx0 type vxlan id 5 dev nic0 dstport 4789 | UPPER_LINK | vx0"
      })
  void whatIsSharedIsNamed(String line, Obstacle.Kind kind, String object) throws IOException {
    host.ip(line);

    LinkState before = host.captured("nic0");

    assertThat(before.obstacles())
        .extracting(Obstacle::kind, Obstacle::objects)
        .containsExactly(tuple(kind, List.of(object)));
    assertThat(before.obstacles().get(0).text()).contains("nic0", object, ";");
    assertThat(host.captured("up0").obstacles())
        .as("shared by both, or on nic0 alone")
        .hasSize(kind == Obstacle.Kind.UPPER_LINK ? 0 : 1);
  }

  @Test
  void aMemberIsNamedWithItsMaster() throws IOException {
    host.ip("link add br0 type bridge", "link set nic0 master br0");

    assertThat(host.captured("nic0").obstacles())
        .singleElement()
        .extracting(Obstacle::text)
        .isEqualTo(
            "nic0 is a member of bridge br0; remove it first: ip link set dev nic0 nomaster");
    assertThat(host.captured("br0").obstacles()).as("the master of it").isEmpty();
  }

  /** Of a VRF a link has all that is its own, which comes back with the membership. */
  @Test
  void aMemberOfAVrfMayMove() throws IOException {
    host.ip("link add br0 type bridge", "link set nic0 master br0");
    String text = host.captured("nic0").toText().replace("member of=bridge", "member of=vrf");

    assertThat(LinkState.parse(Scenario.sealed(text)).obstacles()).isEmpty();
  }

  @Test
  void ofManyLinksOnItTheFirstAreNamed() throws IOException {
    host.ip(
        IntStream.range(10, 22)
            .mapToObj(i -> "link add m" + i + " link nic0 type macvlan mode bridge")
            .toArray(String[]::new));

    assertThat(host.captured("nic0").obstacles())
        .singleElement()
        .extracting(Obstacle::text)
        .isEqualTo(
            "links on top of nic0: m10, m11, m12, m13, m14, m15, m16, m17 and 4 more;"
                + " delete them first: ip link del dev NAME");
  }

  @Test
  void whatIsSharedIsReportedAndLeftAsOthersHaveIt() throws IOException {
    host.ip(
        "nexthop add id 100 group 10/20",
        "route add 20.0.0.0/8 nhid 100",
        "route add fd05::/64 nexthop via fd00::9 dev nic0 nexthop via fd02::9 dev up0",
        "link add mv0 link nic0 type macvlan mode bridge",
        "link add vx0 type vxlan id 5 dev nic0 dstport 4789");
    LinkState before = host.captured("nic0");
    Scenario.goAndComeBack(host, pod, "nic0");
    String group = host.run("ip nexthop show id 100");
    String route = host.run("ip -6 route show fd05::/64");
    assertThat(host.run("ip link show")).contains("mv0@").doesNotContain("vx0");

    List<String> left = host.left(before, "nic0");

    assertThat(host.run("ip nexthop show id 100")).isEqualTo(group).contains("group 20 ");
    assertThat(host.run("ip -6 route show fd05::/64")).isEqualTo(route).contains("dev up0");
    assertThat(left)
        .anyMatch(one -> one.startsWith("nexthop 100") && one.contains("shared with other links"))
        .anyMatch(one -> one.startsWith("route fd05::/64") && one.contains("shared with other"))
        .contains("link vx0 was vxlan, is gone");
    assertThat(host.run("ip nexthop show id 10")).as("its own").contains("dev nic0");
  }

  @Test
  void aRouteOfSeveralLinksThatWentWithItComesBackWhole() throws IOException {
    host.ip("route add 20.0.0.0/8 nexthop via 10.0.0.9 dev nic0 nexthop via 10.1.0.9 dev up0");
    LinkState before = host.captured("nic0");
    Scenario.goAndComeBack(host, pod, "nic0");
    assertThat(host.run("ip route show 20.0.0.0/8")).isEmpty();

    isBack(before);

    assertThat(host.run("ip route show 20.0.0.0/8")).contains("dev nic0", "dev up0");
  }

  @Test
  void aNumberThatAnotherLinkHasByNowIsNotTakenFromIt() throws IOException {
    host.ip("nexthop add id 100 group 10/11", "route add 20.0.0.0/8 nhid 100");
    LinkState before = host.captured("nic0");
    host.ip("nexthop del id 100", "nexthop del id 10", "nexthop add id 10 via 10.1.0.8 dev up0");

    assertThat(host.left(before, "nic0"))
        .anyMatch(one -> one.startsWith("nexthop 100") && one.endsWith("does not exist"));

    assertThat(host.run("ip nexthop show")).doesNotContain("group").contains("via 10.1.0.8");
  }

  @ParameterizedTest
  @CsvSource({"nud reachable", "nud stale", "nud failed"})
  void aPermanentNeighbourTakesThePlaceOfOneThatWasFound(String state) throws IOException {
    host.ip("neigh add 10.0.0.7 lladdr 02:00:00:00:00:07 dev nic0 nud permanent");
    LinkState before = host.captured("nic0");
    host.ip("neigh replace 10.0.0.7 lladdr 02:00:00:00:00:08 dev nic0 " + state);

    isBack(before);

    assertThat(host.run("ip neigh show 10.0.0.7")).contains("02:00:00:00:00:07 PERMANENT");
  }
}
