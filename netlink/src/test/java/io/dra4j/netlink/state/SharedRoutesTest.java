package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The kernel makes one route of IPv6 ways of several links, and groups of next-hop objects have
 * members of several: those of others stay as they are when those of one link are restored.
 */
@EnabledIf(Host.MAY)
class SharedRoutesTest extends TwoHosts {

  private static final Pattern OF_UP0 =
      Pattern.compile("(?:via (\\S+) )?dev up0(?: proto \\S+)?(?: src (\\S+))?");

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
        "nexthop add id 20 via 10.1.0.9 dev up0");
  }

  /** Short forms: A is a network, NIC and UP are ways to it. */
  private void run(String lines) throws IOException {
    if (lines.equals("move")) {
      Scenario.goAndComeBack(host, pod, "nic0");
    } else if (!lines.isEmpty()) {
      host.ip(
          lines
              .replace("A ", "fd05::/64 metric 50 ")
              .replace("NIC", "via fd00::9 dev nic0")
              .replace("UP", "via fd02::9 dev up0")
              .split("\\|", -1));
    }
  }

  private List<String> ofUp0() throws IOException {
    List<String> seen = new ArrayList<>();
    for (String family : List.of("-4", "-6")) {
      String routes = host.run("ip " + family + " route show");
      OF_UP0.matcher(routes).results().forEach(one -> seen.add(one.group(1) + " " + one.group(2)));
    }
    seen.sort(null);
    return seen;
  }

  private List<String> left(LinkState before) throws IOException {
    return host.left(before, "nic0");
  }

  @ParameterizedTest
  @CsvSource({
    "'', route add A nexthop NIC nexthop UP|route append A dev nic0, ''",
    "route add A NIC, route append A UP|route append A dev nic0, would delete one with ways of"
        + " others",
    "route add A UP proto bird, route append A NIC, ''",
    "route add A NIC proto bird mtu 1300|route append A UP, move, has ways of others",
    "route add A NIC|route append A UP|route append A dev up0, move, no longer tell of the route",
    "route add A dev up0|route append A NIC|route append A UP, move, ''",
    "route add A dev nic0|route append A NIC|route append A UP, move, has ways of others",
    "route add A dev nic0|route append A NIC proto bird|route append A UP,"
        + " route del A dev nic0|route append A dev nic0, has ways of others",
    "route add A UP src fd00::1, route replace A UP mtu 1300 proto bird, another route is in its",
    "'', nexthop add id 100 group 10/20|route add 20.0.0.0/8 nhid 100, members of others"
  })
  void waysOfOthersStayAsTheyAre(String captured, String changes, String told) throws IOException {
    run(captured);
    LinkState before = host.captured("nic0");
    run(changes);
    List<String> seen = ofUp0();

    List<String> left = left(before);

    assertThat(ofUp0()).isEqualTo(seen);
    if (told.isEmpty()) {
      assertThat(left).isEmpty();
    } else {
      assertThat(left).anyMatch(one -> one.contains(told));
    }
  }

  @Test
  void waysOfOthersKeepTheirProperties() throws IOException {
    run("route add A NIC proto bird mtu 1300|route append A UP proto static");
    LinkState before = host.captured("nic0");
    run("move");

    left(before);

    assertThat(host.run("ip -6 route show fd05::/64")).contains("dev nic0", "dev up0");
    run("route del A NIC");
    assertThat(host.run("ip -6 route show fd05::/64"))
        .contains("dev up0 proto static")
        .doesNotContain("mtu");
  }

  @Test
  void aChangedGroupIsSetInItsPlace() throws IOException {
    host.ip("nexthop add id 100 group 10/20", "route add 20.0.0.0/8 nhid 100");
    LinkState before = host.captured("nic0");
    host.ip("nexthop replace id 100 group 10/20,5", "route add 30.0.0.0/8 nhid 20");
    host.ip("route add 40.0.0.0/8 nhid 100 table 77");
    String seen = host.run("ip route show table 77");

    before.restore(host.namespace, "nic0");

    assertThat(host.run("ip nexthop show id 100")).contains("group 10/20 ");
    assertThat(host.run("ip route show")).contains("20.0.0.0/8 nhid 100", "30.0.0.0/8 nhid 20");
    assertThat(seen).contains("nhid 100");
  }

  /** Of a link that goes down the kernel deletes the next-hop objects, and groups become less. */
  @Test
  void groupsOfOthersKeepItsMembersThoughItHasToGoDown() throws IOException {
    LinkState before = host.captured("nic0");
    host.ip(
        "link set nic0 down",
        "link set nic0 address 02:00:00:00:00:01",
        "link set nic0 up",
        "nexthop add id 10 via 10.0.0.9 dev nic0",
        "nexthop add id 100 group 10/20",
        "route add 20.0.0.0/8 nhid 100");

    assertThat(left(before))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("nexthop 100").endsWith("which are not touched"),
            one -> assertThat(one).startsWith("route 20.0.0.0/8 nhid 100"));

    assertThat(host.run("ip nexthop show id 100")).contains("group 10/20 ");
    assertThat(host.run("ip route show 20.0.0.0/8")).contains("nhid 100", "dev nic0", "dev up0");
  }

  @Test
  void aGroupThatCannotBeMadeAnewStaysWithItsRoutes() throws IOException {
    host.ip("nexthop add id 100 group 10/20", "route add default nhid 100");
    LinkState before = host.captured("nic0");
    host.ip("nexthop del id 20");
    String seen = host.run("ip route show default");

    assertThat(left(before)).anyMatch(one -> one.contains("Invalid nexthop id"));

    assertThat(host.run("ip route show default")).isEqualTo(seen).contains("nhid 100");
  }

  @Test
  void nothingIsMadeOfWhatIsAnothersByNow() throws IOException {
    host.ip("nexthop add id 100 group 10/20", "route add 20.0.0.0/8 nhid 100");
    LinkState before = host.captured("nic0");
    host.ip("nexthop del id 100", "nexthop del id 10", "nexthop add id 10 via 10.1.0.8 dev up0");

    assertThat(left(before))
        .anyMatch(one -> one.startsWith("nexthop 100") && one.endsWith("is not there"));

    assertThat(host.run("ip nexthop show")).doesNotContain("group").contains("via 10.1.0.8");
  }

  @Test
  void anIpv4RouteStaysThatWouldGoInThePlaceOfAnother() throws IOException {
    host.ip(
        "route add 20.0.0.0/8 nexthop via 10.0.0.9 dev nic0 nexthop via 10.1.0.9 dev up0",
        "addr add 10.1.0.2/32 dev up0");
    LinkState before = host.captured("nic0");
    host.ip("route append 20.0.0.0/8 via 10.0.0.9 dev nic0", "route del 10.1.0.0/24 dev up0");
    String seen = host.run("ip route show 20.0.0.0/8");

    assertThat(left(before)).singleElement().asString().contains("ENETUNREACH");

    assertThat(host.run("ip route show 20.0.0.0/8")).isEqualTo(seen).contains("nexthop");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 10.0.9.1/24, 20.0.0.0/8 via 10.1.0.9, address 10.0.9.1/24, send from it",
    "'', fd09::1/64, fd06::/64 via fd02::9, address fd09::1/64, send from it",
    "10.0.9.1/24, 10.0.9.1/32, 20.0.0.0/8 via 10.1.0.9, '', ''",
    "fd09::1/64, fd09::1/128, fd06::/64 via fd02::9, address fd09::1/128, send from it"
  })
  void addressesOfAnotherLengthThatOthersSendFrom(
      String captured, String since, String route, String fact, String why) throws IOException {
    if (!captured.isEmpty()) {
      host.ip("addr add " + captured + " dev nic0 nodad");
    }
    LinkState before = host.captured("nic0");
    if (!captured.isEmpty()) {
      host.ip("addr del " + captured + " dev nic0");
    }
    host.ip("addr add " + since + " dev nic0 nodad");
    String from = since.substring(0, since.indexOf('/'));
    host.ip("route add " + route + " dev up0 src " + from);
    List<String> seen = ofUp0();

    List<String> left = left(before);

    assertThat(ofUp0()).isEqualTo(seen).anyMatch(one -> one.endsWith(" " + from));
    if (why.isEmpty()) {
      assertThat(left).isEmpty();
    } else {
      assertThat(left).anyMatch(one -> one.startsWith(fact) && one.endsWith(why));
    }
  }

  @ParameterizedTest
  @CsvSource({"nud reachable", "nud stale", "nud failed"})
  void aPermanentNeighbourTakesThePlaceOfOneThatWasFound(String state) throws IOException {
    host.ip("neigh add 10.0.0.7 lladdr 02:00:00:00:00:07 dev nic0 nud permanent");
    LinkState before = host.captured("nic0");
    host.ip("neigh replace 10.0.0.7 lladdr 02:00:00:00:00:08 dev nic0 " + state);

    assertThat(left(before)).isEmpty();

    assertThat(host.run("ip neigh show 10.0.0.7")).contains("02:00:00:00:00:07 PERMANENT");
  }
}
