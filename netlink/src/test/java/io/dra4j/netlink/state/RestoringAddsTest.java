package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A restoration adds and sets. What it did not put there stays and is reported. */
@EnabledIf(Host.MAY)
class RestoringAddsTest extends TwoHosts {

  /** What a network manager does to a link, of which the kernel keeps all through a rename. */
  private static final String[] SINCE = {
    "addr add 203.0.113.9/24 dev nic0",
    "addr add 2001:db8:77::9/64 dev nic0 nodad",
    "route add 198.18.0.0/15 via 203.0.113.1",
    "route add 2001:db8:78::/48 via 2001:db8:77::1",
    "route add default dev nic0 table 77",
    "neigh add 203.0.113.1 lladdr 02:00:00:00:00:77 dev nic0 nud permanent",
    "rule add iif nic0 lookup 77 pref 777",
    "nexthop add id 77 via 203.0.113.2 dev nic0"
  };

  @BeforeEach
  void open() throws IOException {
    host.ip("link set lo up");
    host.pair("nic0");
    host.ip(
        "link property add dev nic0 altname second",
        "addr add 192.0.2.5/24 dev nic0",
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "route add 100.64.0.0/10 via 192.0.2.1",
        "rule add iif nic0 lookup 7 pref 7");
  }

  private String seen() throws IOException {
    return host.run("ip -d addr show dev nic0")
        + host.run("ip -4 route show dev nic0")
        + host.run("ip -6 route show dev nic0")
        + host.run("ip -4 route show table all type unicast dev nic0")
        + host.run("ip neigh show nud permanent")
        + host.run("ip rule show")
        + host.run("ip nexthop show");
  }

  /** By the name of now first, and by its own the second time. */
  private List<String> left(LinkState before, String name) throws IOException {
    before.restore(host.namespace, name);
    return host.left(before, "nic0");
  }

  @Test
  void whatHasComeSinceStaysAndIsReported() throws IOException {
    LinkState before = host.captured("nic0");
    host.ip(SINCE);
    String seen = seen();

    List<String> left = host.left(before, "nic0");

    assertThat(seen()).isEqualTo(seen);
    assertThat(left)
        .hasSize(SINCE.length)
        .allMatch(one -> one.endsWith("was not there, is there: it was added later, and stays"));
    assertThat(before.restore(host.namespace, "nic0").restored()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mtu 1400", "address 02:00:00:00:00:55", "name nic9", "txqueuelen 7"})
  void whatHasComeSinceStaysThoughTheLinkHasToGoDown(String change) throws IOException {
    LinkState before = host.captured("nic0");
    host.ip("link set nic0 down", "link set nic0 " + change);
    String name = change.startsWith("name ") ? "nic9" : "nic0";
    host.ip("link set " + name + " up");
    host.ip(
        Stream.of(SINCE)
            .map(line -> line.replace("dev nic0", "dev " + name))
            .toArray(String[]::new));

    assertThat(left(before, name))
        .hasSize(SINCE.length)
        .allMatch(one -> one.endsWith("it was added later, and stays"));

    assertThat(seen())
        .contains("203.0.113.9/24", "2001:db8:77::9/64", "198.18.0.0/15 via", "2001:db8:78::/48")
        .contains(
            "default table 77", "02:00:00:00:00:77 PERMANENT", "777:", "id 77 via 203.0.113.2");
  }

  /** With the link go the routes that a network manager has made since. */
  @Test
  void aLinkThatWasDownAndIsInUseByNowStaysUp() throws IOException {
    host.ip("link set nic0 down", "rule del pref 7");
    LinkState before = host.captured("nic0");
    host.ip("link set nic0 mtu 1400", "link set nic0 up");
    host.ip("route add 198.18.0.0/15 via 192.0.2.9");

    assertThat(host.left(before, "nic0"))
        .contains("up was off, is on: it was added later, and stays")
        .allMatch(one -> one.endsWith("it was added later, and stays") || one.startsWith("qdisc"));

    assertThat(host.run("ip route show dev nic0")).contains("198.18.0.0/15");
    assertThat(host.run("ip link show dev nic0")).contains(",UP", "mtu 1500");
  }

  /** As a DHCP client does it, which adds nothing until the server has answered. */
  @Test
  void aLinkThatWasDownAndIsUpForNothingGoesDownAgain() throws IOException {
    host.ip("link set nic0 down", "rule del pref 7");
    LinkState before = host.captured("nic0");
    host.ip("link set nic0 up");

    assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();

    assertThat(host.run("ip link show dev nic0")).doesNotContain(",UP");
  }

  @Test
  void aMasterThatTookItSinceKeepsIt() throws IOException {
    LinkState before = host.captured("nic0");
    host.ip("link add br0 type bridge", "link set nic0 master br0", "link set nic0 mtu 1400");

    assertThat(host.left(before, "nic0"))
        .contains("master was not there, is br0: it was added later, and stays");

    assertThat(host.run("ip link show dev nic0")).contains("master br0", "mtu 1500");
  }

  @Test
  void linksThatWereMadeOnItSinceStay() throws IOException {
    LinkState before = host.captured("nic0");
    host.ip("link add mv0 link nic0 type macvlan mode bridge");

    assertThat(host.left(before, "nic0"))
        .containsExactly("link mv0 was not there, is macvlan: it was added later, and stays");
  }

  /** Of IPv6 the kernel would make both one route of two next hops. */
  @Test
  void aRouteInThePlaceOfAnIpv6RouteStays() throws IOException {
    host.ip("route add default via 2001:db8::9 dev nic0 metric 9");
    LinkState before = host.captured("nic0");
    host.ip("route replace default via 2001:db8::8 dev nic0 metric 9");
    String seen = seen();

    assertThat(host.left(before, "nic0"))
        .hasSize(2)
        .anyMatch(one -> one.endsWith("another route is in its place, which is not changed"));

    assertThat(seen()).isEqualTo(seen).contains("default via 2001:db8::8");
  }

  @Test
  void homeBringsNamespaceAndNameAndWritesNothingElse() throws IOException {
    LinkState before = host.captured("nic0");
    Scenario.go(host, pod, "nic0");
    pod.ip("addr add 10.1.0.5/24 dev net1");

    assertThat(before.home(pod.namespace, LinkKey.of("net1"), host.namespace).name())
        .isEqualTo("nic0");

    assertThat(host.run("ip -d addr show dev nic0"))
        .contains("mtu 1400", "02:00:00:00:00:42", "state DOWN")
        .doesNotContain("inet ");
  }

  /** As a namespace that ends gives it back, or an earlier call has brought it. */
  @ParameterizedTest
  @ValueSource(strings = {"nic0", "net1"})
  void homeTakesALinkThatIsHomeAlready(String name) throws IOException {
    LinkState before = host.captured("nic0");
    if (name.equals("net1")) {
      host.ip("link set nic0 down", "link set nic0 name net1", "link set net1 up");
    }

    before.home(host.namespace, LinkKey.of(name), host.namespace);

    assertThat(host.run("ip addr show dev nic0"))
        .contains("192.0.2.5/24", name.equals("nic0") ? ",UP" : "state DOWN");
  }

  @Test
  void homeLooksForTheNameFirst() throws IOException {
    LinkState before = host.captured("nic0");
    Scenario.go(host, pod, "nic0");
    pod.ip("link set net1 up", "addr add 10.1.0.5/24 dev net1");
    host.ip("link add nic0 type bridge");

    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> before.home(pod.namespace, LinkKey.of("net1"), host.namespace))
        .withMessageContaining("nic0");

    assertThat(pod.run("ip addr show dev net1")).contains("10.1.0.5/24", ",UP");
  }

  @Test
  void alternativeNamesAreASettingAndAreSet() throws IOException {
    LinkState before = host.captured("nic0");
    Scenario.goAndComeBack(host, pod, "nic0");
    assertThat(host.run("ip link show dev nic0")).contains("altname pods-own");

    isBack(before);

    assertThat(host.run("ip link show dev nic0"))
        .contains("altname second")
        .doesNotContain("pods-own");
  }
}
