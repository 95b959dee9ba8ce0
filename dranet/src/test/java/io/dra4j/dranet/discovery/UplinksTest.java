package io.dra4j.dranet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.attach.TestHost;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links that must stay, in a namespace with four of them: n1 to n4, 192.0.N.1/24 each. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class UplinksTest {

  private TestHost host;

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    for (int i = 1; i <= 4; i++) {
      host.ip(
          "link add n" + i + " type veth peer name p" + i,
          "link set n" + i + " up",
          "link set p" + i + " up",
          "addr add 192.0." + i + ".1/24 dev n" + i,
          "addr add 2001:db8:" + i + "::1/64 dev n" + i + " nodad");
    }
  }

  @AfterEach
  void close() {
    host.close();
  }

  private Set<String> uplinks() throws IOException {
    try (RouteNetlink route = RouteNetlink.open(host.namespace())) {
      List<Link> links = route.links().list();
      Set<Integer> found = Uplinks.of(Uplinks.mainRoutes(route), links);
      return links.stream()
          .filter(link -> found.contains(link.index()))
          .map(Link::name)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void withoutDefaultRouteThereIsNone() throws IOException {
    assertThat(uplinks()).isEmpty();
  }

  @Test
  void theDefaultRouteNamesIt() throws IOException {
    host.ip("route add default via 192.0.1.9");

    assertThat(uplinks()).containsExactly("n1");
  }

  @Test
  void theLowestMetricCounts() throws IOException {
    host.ip(
        "route add default via 192.0.1.9 metric 200", "route add default via 192.0.2.9 metric 100");

    assertThat(uplinks()).containsExactly("n2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"type vxlan id 7 dev n1 dstport 4789", "link n1 type macvlan"})
  void whatTheDefaultRouteGoesOverIsOnAnUplink(String kind) throws IOException {
    host.ip(
        "link add x0 " + kind,
        "link set x0 up",
        "addr add 198.51.100.1/24 dev x0",
        "route add default via 198.51.100.9");

    assertThat(uplinks()).containsExactly("n1", "x0");
  }

  @Test
  void bothFamiliesCount() throws IOException {
    host.ip("route add default via 192.0.1.9", "route add default via 2001:db8:2::9");

    assertThat(uplinks()).containsExactly("n1", "n2");
  }

  @Test
  void ofOneMetricAllCount() throws IOException {
    host.ip(
        "route add default via 2001:db8:1::9 metric 5",
        "route append default via 2001:db8:2::9 metric 5");

    assertThat(uplinks()).containsExactly("n1", "n2");
  }

  @Test
  void allWaysOfARouteCount() throws IOException {
    host.ip("route add default nexthop via 192.0.1.9 nexthop via 192.0.3.9");

    assertThat(uplinks()).containsExactly("n1", "n3");
  }

  @Test
  void aRouteToALargeNetworkIsNoDefault() throws IOException {
    host.ip("route add 0.0.0.0/8 via 192.0.1.9", "route add 0.0.0.0/1 via 192.0.1.9");

    assertThat(uplinks()).isEmpty();
  }

  @Test
  void aDefaultRouteOfAnotherTableIsNone() throws IOException {
    host.ip("route add default via 192.0.1.9 table 100");

    assertThat(uplinks()).isEmpty();
  }

  @Test
  void whatAnUplinkIsMadeOfCountsAndWhatIsMadeOfItDoesNot() throws IOException {
    host.ip(
        "link add br0 type bridge",
        "link set n3 master br0",
        "link set br0 up",
        "addr add 192.0.9.1/24 dev br0",
        "route add default via 192.0.9.9",
        "link add mac0 link br0 type macvlan mode bridge");

    assertThat(uplinks()).containsExactly("br0", "n3");
  }

  @Test
  void theLinkBelowAnUplinkIsOneToo() throws IOException {
    host.ip(
        "link add up0 link n1 type macvlan mode bridge",
        "link set up0 up",
        "addr add 203.0.113.5/24 dev up0",
        "route add default via 203.0.113.1 dev up0");

    assertThat(uplinks()).containsExactly("n1", "up0");
  }

  @Test
  void aRouteThatNamesANextHopObjectAloneHasTheLinksOfTheObject() throws IOException {
    host.namespace().setSysctl("net/ipv4/nexthop_compat_mode", "0");
    host.ip(
        "nexthop add id 10 via 192.0.1.9 dev n1",
        "nexthop add id 11 via 192.0.3.9 dev n3",
        "nexthop add id 12 via 2001:db8:4::9 dev n4",
        "nexthop add id 20 group 10/11",
        "route add default via 192.0.2.9 metric 50");
    assertThat(uplinks()).containsExactly("n2");

    host.ip("route add default nhid 10 metric 5");
    assertThat(uplinks()).containsExactly("n1");

    host.ip("route add default nhid 20 metric 4", "route add ::/0 nhid 12");
    assertThat(uplinks()).containsExactly("n1", "n3", "n4");
  }

  @Test
  void aDefaultRouteThatGoesNowhereHidesNoUplink() throws IOException {
    host.namespace().setSysctl("net/ipv4/nexthop_compat_mode", "0");
    host.ip(
        "link set lo up",
        "nexthop add id 10 blackhole",
        "route add default nhid 10 metric 5",
        "route add default via 192.0.2.9 metric 50");

    assertThat(uplinks()).containsExactly("n2");
  }

  @Test
  void whenTheDefaultRouteMovesSoDoesTheUplink() throws IOException {
    host.ip("route add default via 192.0.1.9");
    assertThat(uplinks()).containsExactly("n1");
    host.ip("route replace default via 192.0.4.9");

    assertThat(uplinks()).containsExactly("n4");
  }
}
