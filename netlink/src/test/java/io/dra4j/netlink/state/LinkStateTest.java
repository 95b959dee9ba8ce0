package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link goes from a host into a pod, where all is changed, comes back, and is what it was. */
@EnabledIf(Host.MAY)
class LinkStateTest extends TwoHosts {

  /** What the kernel tells of links and {@link Setting} has not, with the reason. */
  private static final List<String> NO_SETTINGS =
      List.of(
          "read by themselves: IFNAME PROP_LIST MASTER LINKINFO AF_SPEC XDP",
          "told, or options of a link on it: QDISC LINK LINK_NETNSID",
          "counts of what flags set: PROMISCUITY ALLMULTI",
          "of its making, and read as channels: NUM_TX_QUEUES NUM_RX_QUEUES",
          "state: CARRIER OPERSTATE CARRIER_CHANGES CARRIER_UP_COUNT CARRIER_DOWN_COUNT STATS"
              + " STATS64 EVENT PAD MAP WEIGHT",
          "of the device: MIN_MTU MAX_MTU TSO_MAX_SIZE TSO_MAX_SEGS MAX_PACING_OFFLOAD_HORIZON"
              + " NETNS_IMMUTABLE HEADROOM TAILROOM PERM_ADDRESS PHYS_PORT_ID PHYS_PORT_NAME"
              + " PHYS_SWITCH_ID PARENT_DEV_NAME PARENT_DEV_BUS_NAME DEVLINK_PORT DPLL_PIN");

  @BeforeEach
  void open() throws IOException {
    host.ip("link set lo up");
    pod.ip("link set lo up");
  }

  private void make(String kind) throws IOException {
    if (kind.equals("veth")) {
      host.ip("link add nic0 type veth peer name other", "link set other up");
    } else {
      host.ip(
          "link add parent type veth peer name other",
          "link set other up",
          "link set parent up",
          "link add nic0 link parent address 02:00:00:00:00:01 type macvlan mode bridge");
    }
    Scenario.configure(host, "nic0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"veth", "macvlan"})
  void aLinkGoesIntoAPodAndComesBackAsItWas(String kind) throws IOException {
    make(kind);
    List<String> seen = host.seen("nic0");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    assertThat(before.addresses()).hasSizeGreaterThanOrEqualTo(6);
    assertThat(before.nextHopObjects()).hasSize(3);
    assertThat(before.routes()).hasSizeGreaterThan(8);
    assertThat(before.neighbours()).hasSize(3);
    assertThat(before.rules()).hasSize(3);

    Scenario.goAndComeBack(host, pod, "nic0");
    Restoration restoration = before.restore(host.namespace, "nic0");

    assertThat(restoration.left()).isEmpty();
    assertThat(restoration.restored()).isGreaterThan(30);
    assertThat(host.seen("nic0")).isEqualTo(seen);
    LinkState after = LinkState.capture(host.namespace, "nic0");
    assertThat(before.changesTo(after)).isEmpty();
    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));
  }

  /** An attribute that a later kernel tells is decided about here: a setting, or one of these. */
  @Test
  void whatTheKernelTellsOfALinkIsASettingOrReadInAnotherWay() throws IOException {
    make("veth");
    Attributes told;
    try (RouteNetlink route = RouteNetlink.open(host.namespace)) {
      told = route.links().details(LinkKey.of("nic0")).attributes();
    }
    assertThat(told.has("GSO_MAX_SIZE")).isTrue();
    for (Setting setting : Setting.values()) {
      told = told.without(setting.name());
    }
    for (String group : NO_SETTINGS) {
      told = told.without(group.substring(group.indexOf(": ") + 2).split(" ", -1));
    }
    assertThat(told.types()).as("neither settings nor known to be none: %s", told).isEmpty();
  }

  @Test
  void theSysctlsThatNetlinkTellsAreThoseOfProc() throws IOException {
    make("veth");
    LinkSysctls files = LinkSysctls.of(host.namespace, "nic0");

    Map<String, String> told = new TreeMap<>();
    LinkState.capture(host.namespace, "nic0")
        .values()
        .forEach(
            (key, value) -> {
              if (key.startsWith("sysctl ")) {
                told.put(key.substring("sysctl ".length()), value);
              }
            });

    Map<String, String> all = new TreeMap<>(files.getAll());
    Map<String, String> both = new TreeMap<>(all);
    both.keySet().retainAll(told.keySet());
    assertThat(told).containsAllEntriesOf(both);
    all.keySet().removeAll(told.keySet());
    assertThat(all.keySet())
        .as("what only /proc tells, in other units or of what nobody can write")
        .isSubsetOf(
            "ipv4/conf/mc_forwarding",
            "ipv6/conf/mc_forwarding",
            "ipv4/neigh/base_reachable_time",
            "ipv4/neigh/retrans_time",
            "ipv4/neigh/unres_qlen",
            "ipv6/neigh/base_reachable_time",
            "ipv6/neigh/retrans_time",
            "ipv6/neigh/unres_qlen");
  }

  /**
   * As in a VRF, where the kernel makes them in the VRF's table once it has looked for duplicates.
   */
  @Test
  void routesOfAddressesAreTheKernelsInWhateverTable() throws IOException {
    make("veth");
    LinkState without = LinkState.capture(host.namespace, "nic0");
    host.ip(
        "route add local 2001:db8:1077::9/128 dev nic0 table 1077 proto kernel",
        "route add anycast 2001:db8:1077::/128 dev nic0 table 1077 proto kernel",
        "route add multicast ff00::/8 dev nic0 table 1077 proto kernel",
        "route add local 192.0.2.77 dev nic0 table 1077 proto kernel",
        "route add broadcast 192.0.2.255 dev nic0 table 1077 proto kernel");

    LinkState with = LinkState.capture(host.namespace, "nic0");

    assertThat(without.changesTo(with)).isEmpty();
    assertThat(without.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));
    host.ip("route add local 192.0.2.78 dev nic0 table 1077"); // somebody's own
    LinkState own = LinkState.capture(host.namespace, "nic0");
    assertThat(own.routes()).hasSize(without.routes().size() + 1);
  }

  @Test
  void whatTheKernelRefusesIsReported() throws IOException {
    host.ip("link add nic0 type veth peer name other", "link set nic0 up mtu 1400");
    host.ip("addr add 192.0.2.5/24 dev nic0", "link set other up");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    String stored = before.toText().replace("value mtu=1400", "value mtu=99999");
    LinkState wrong = LinkState.parse(Scenario.sealed(stored));
    host.ip("link set nic0 mtu 1300");

    Restoration restoration = wrong.restore(host.namespace, "nic0");

    assertThat(restoration.left())
        .hasSize(2) // and the sysctl of IPv6
        .anySatisfy(
            left -> {
              assertThat(left.fact()).isEqualTo("mtu");
              assertThat(left.wanted()).isEqualTo("99999");
              assertThat(left.errno()).isEqualTo(22);
              assertThat(left.message()).contains("mtu greater than device maximum");
            });
  }

  @Test
  void aLinkThatIsNotThereIsNotFound() {
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> LinkState.capture(host.namespace, "none"));
  }

  @Test
  void aLinkOfAnotherIndexGetsAllThatWasOfTheOldOne() throws IOException {
    make("veth");
    LinkState before = LinkState.parse(LinkState.capture(host.namespace, "nic0").toText());
    List<String> seen = host.seen("nic0");
    Scenario.go(host, pod, "nic0");
    host.ip("link add taker index " + before.index() + " type veth peer name taker1");
    try (RouteNetlink route = RouteNetlink.open(pod.namespace)) {
      route
          .links()
          .change(
              route.links().get("net1"),
              LinkSettings.none().name("back").namespace(host.namespace));
    }

    Restoration restoration = before.restore(host.namespace, "back");

    assertThat(restoration.left()).isEmpty();
    assertThat(LinkState.capture(host.namespace, "nic0").index()).isNotEqualTo(before.index());
    assertThat(host.seen("nic0")).isEqualTo(seen);
  }

  @Test
  void anotherLinkThatHasTheNameNowIsLeftAlone() throws IOException {
    make("veth");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    Scenario.go(host, pod, "nic0");
    host.ip("link set other down", "link set other name nic0", "link set nic0 up");
    List<String> seen = host.seen("nic0");

    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> before.restore(host.namespace, "net1"));

    assertThat(host.seen("nic0")).isEqualTo(seen);
  }

  @Test
  void aNextHopObjectOfAnotherLinkIsLeftAloneAndReported() throws IOException {
    host.ip(
        "link add nic0 type veth peer name end",
        "link add other type veth peer name far",
        "link property add dev nic0 altname second",
        "link set end up",
        "link set other up",
        "link set far up",
        "link set nic0 up",
        "addr add 192.0.2.5/24 dev nic0",
        "nexthop add id 910 via 192.0.2.1 dev nic0",
        "nexthop add id 911 via 192.0.2.2 dev nic0",
        "nexthop add id 912 group 910/911",
        "route add 203.0.113.0/24 nhid 910");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    Scenario.goAndComeBack(host, pod, "nic0");
    host.ip(
        "addr add 198.51.100.5/24 dev other",
        "nexthop add id 910 via 198.51.100.1 dev other",
        "nexthop add id 911 via 198.51.100.1 dev other",
        "nexthop add id 912 group 911");
    String foreign = host.json("ip -j nexthop show").toString();

    Restoration restoration = before.restore(host.namespace, "nic0");

    assertThat(host.json("ip -j nexthop show").toString()).isEqualTo(foreign);
    assertThat(host.json("ip -j route show 203.0.113.0/24")).isEmpty();
    assertThat(restoration.left())
        .anySatisfy(
            left -> {
              assertThat(left.fact()).startsWith("nexthop 910");
              assertThat(left.errno()).isEqualTo(17);
            })
        .anySatisfy(left -> assertThat(left.message()).contains("nexthop 910", "does not exist"));
  }

  @Test
  void alternativeNamesThatOnlyTheKernelTakesComeBack() throws IOException {
    make("veth");
    host.ip("link property add dev nic0 altname a:b altname c%d");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    host.ip("link property del dev nic0 altname a:b altname c%d", "link set nic0 mtu 1300");

    assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();

    assertThat(before.changesTo(LinkState.capture(host.namespace, "a:b"))).isEmpty();
  }

  @Test
  void whatCannotBeAskedOfTheKernelIsToldAndTheRestIsRestored() throws IOException {
    make("veth");
    String stored = LinkState.capture(host.namespace, "nic0").toText();
    String text = stored.replace("value group=5", "value group=many");
    LinkState wrong = LinkState.parse(Scenario.sealed(text));
    host.ip("link set nic0 mtu 1300 alias changed");

    Restoration restoration = wrong.restore(host.namespace, "nic0");

    assertThat(restoration.left())
        .singleElement()
        .satisfies(
            left -> {
              assertThat(left.fact()).isEqualTo("group");
              assertThat(left.errno()).isZero();
              assertThat(left.message()).contains("many");
            });
  }

  @Test
  void routesToOneDestinationAndWaysOverSeveralLinksComeBack() throws IOException {
    host.ip(
        "link add nic0 type veth peer name other",
        "link property add dev nic0 altname second",
        "link set other up",
        "link set nic0 up",
        "addr add 192.0.2.5/24 dev nic0",
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "addr add 2001:db8:1::5/64 dev other nodad",
        "route add 203.0.113.0/24 via 192.0.2.1",
        "route append 203.0.113.0/24 via 192.0.2.2",
        "route append 203.0.113.0/24 via 192.0.2.3",
        "route add 203.0.114.0/24 nexthop via 192.0.2.1 dev nic0 nexthop dev other",
        "route add 2001:db8:9::/48 nexthop via 2001:db8::1 dev nic0 weight 3"
            + " nexthop via 2001:db8::2 dev nic0 weight 5",
        "route add 2001:db8:a::/48 dev other",
        "route append 2001:db8:a::/48 dev nic0");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    List<String> seen = host.seen("nic0");
    List<String> routes = host.routes("ip -j -6 route show 2001:db8:9::/48");
    Scenario.goAndComeBack(host, pod, "nic0");

    assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();

    assertThat(host.seen("nic0")).isEqualTo(seen);
    assertThat(host.routes("ip -j -6 route show 2001:db8:9::/48").toString())
        .hasSameSizeAs(routes.toString()); // the order of the ways may be another
  }
}
