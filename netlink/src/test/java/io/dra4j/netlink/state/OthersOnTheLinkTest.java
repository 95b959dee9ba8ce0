package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.netlink.route.InterfaceAddress;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What sockets, routers and links elsewhere make of a link: kept, restored, or told. */
@EnabledIf(Host.MAY)
class OthersOnTheLinkTest extends TwoHosts {

  @BeforeEach
  void open() throws IOException {
    host.ip(
        "link set lo up",
        "link add nic0 type veth peer name other",
        "link property add dev nic0 altname second",
        "link set other up",
        "link set nic0 up");
  }

  private LinkState captured() throws IOException {
    return LinkState.capture(host.namespace, "nic0");
  }

  private List<Difference> isBackBut(LinkState before) throws IOException {
    List<Difference> left = before.restore(host.namespace, "nic0").left();
    assertThat(before.changesTo(captured()).size()).isEqualTo(left.size());
    return left;
  }

  @Test
  void temporaryAddressesAreLeftToTheKernel() throws Exception {
    LinkSysctls.of(host.namespace, "nic0").set("ipv6/conf/use_tempaddr", "2");
    host.ip(
        "addr add 192.0.2.5/24 dev nic0",
        "addr add 192.0.2.6/24 dev nic0",
        "addr add 2001:db8:5::1/64 dev nic0 mngtmpaddr nodad valid_lft 40000 preferred_lft 30000");
    for (int i = 0; i < 200 && !host.run("ip -6 addr show dev nic0").contains("temporary"); i++) {
      Thread.sleep(50);
    }
    assertThat(host.run("ip -6 addr show dev nic0")).contains("temporary");

    assertThat(captured().addresses())
        .extracting(InterfaceAddress::address)
        .extracting(Object::toString)
        .filteredOn(address -> !address.startsWith("fe80:"))
        .containsExactly("192.0.2.5/24", "192.0.2.6/24", "2001:db8:5::1/64");
  }

  @Test
  void routesOfOtherLinksThatSendFromItsAddressesComeBack() throws IOException {
    host.ip(
        "link add up0 type veth peer name up1",
        "link set up1 up",
        "link set up0 up",
        "addr add 172.16.0.2/24 dev up0",
        "addr add 2001:db8:9::2/64 dev up0 nodad",
        "addr add 192.0.2.5/24 dev nic0",
        "addr add 2001:db8:a::5/64 dev nic0 nodad",
        "route add 198.51.100.0/24 via 172.16.0.1 dev up0 src 192.0.2.5",
        "route add 2001:db8:b::/64 via 2001:db8:9::1 dev up0 src 2001:db8:a::5",
        "route add 2001:db8:c::/64 dev up0 src 2001:db8:a::5");
    LinkState before = captured();
    List<String> seen = host.routes("ip -j -4 route show dev up0");
    List<String> seen6 = host.routes("ip -j -6 route show dev up0");
    Scenario.goAndComeBack(host, pod, "nic0");
    assertThat(host.run("ip route show dev up0")).doesNotContain("198.51.100.0");

    assertThat(isBackBut(before)).isEmpty();

    assertThat(host.routes("ip -j -4 route show dev up0")).isEqualTo(seen);
    assertThat(host.routes("ip -j -6 route show dev up0"))
        .containsExactlyInAnyOrderElementsOf(seen6);
    host.ip("route add 203.0.113.0/24 via 172.16.0.1 dev up0 src 192.0.2.5");
    assertThat(isBackBut(before)).as("what others have set on other links is theirs").isEmpty();
    assertThat(host.run("ip route show dev up0")).contains("203.0.113.0");
    host.ip("route replace 198.51.100.0/24 via 172.16.0.1 dev up0 src 172.16.0.2");
    assertThat(isBackBut(before)).singleElement().asString().contains("not changed");
    assertThat(host.run("ip route show dev up0").lines())
        .filteredOn(line -> line.startsWith("198.51.100.0"))
        .singleElement()
        .asString()
        .contains("src 172.16.0.2");
  }

  /** The kernel deletes them with the address, and tells no link of them. */
  @ParameterizedTest
  @ValueSource(strings = {"blackhole", "unreachable", "prohibit", "throw", "nhid"})
  void routesOfNoLinkThatSendFromItsAddressesComeBack(String type) throws IOException {
    anotherUplink();
    host.run("sysctl -qw net.ipv4.nexthop_compat_mode=0");
    host.ip("nexthop add id 7 via 10.0.1.2 dev up0", "nexthop add id 8 via 10.0.0.2 dev nic0");
    String other = type.equals("nhid") ? "20.0.0.0/8 nhid 7" : type + " 20.0.0.0/8";
    host.ip(
        "route add " + other + " src 10.0.0.1",
        "route add 30.0.0.0/8 nhid 8 src 10.0.0.1",
        "route add " + other + " src 10.0.0.1 table 77");
    LinkState before = host.captured("nic0");
    List<String> seen = host.routes("ip -j route show table all");
    Scenario.goAndComeBack(host, pod, "nic0");
    assertThat(host.run("ip route show")).doesNotContain("20.0.0.0", "30.0.0.0");

    assertThat(isBackBut(before)).isEmpty();

    assertThat(host.routes("ip -j route show table all")).containsAll(seen);
    host.ip("route add " + other.replace("20", "40") + " src 10.0.0.1");
    assertThat(isBackBut(before)).as("what others have set since is theirs").isEmpty();
    assertThat(host.run("ip route show")).contains("40.0.0.0/8");
    host.ip("route del " + other, "route add 20.0.0.0/8 via 10.0.1.9");
    if (!type.equals("nhid")) {
      assertThat(isBackBut(before)).as("it comes behind the one that is there").isEmpty();
      assertThat(host.run("ip route get 20.0.0.1")).contains("via 10.0.1.9");
    }
  }

  @Test
  void neighboursThatTheKernelKeepsResolvedComeBack() throws IOException {
    host.ip("addr add 192.0.2.5/24 dev nic0", "neigh add 192.0.2.9 dev nic0 managed");
    LinkState before = captured();
    assertThat(before.neighbours()).hasSize(1);
    Scenario.goAndComeBack(host, pod, "nic0");

    assertThat(isBackBut(before)).isEmpty();

    assertThat(host.run("ip neigh show dev nic0")).contains("192.0.2.9 managed");
    host.ip("neigh del 192.0.2.9 dev nic0");
    host.ip("neigh add 192.0.2.7 dev nic0 managed");
    assertThat(isBackBut(before)).singleElement().asString().contains("192.0.2.7");
    assertThat(host.run("ip neigh show dev nic0"))
        .contains("192.0.2.9 managed", "192.0.2.7 managed");
  }

  @Test
  void whatQueueDisciplinesAndFiltersDoIsTold() throws IOException {
    host.run("tc qdisc add dev nic0 root handle 7: tbf rate 1mbit burst 10kb latency 50ms");
    host.run("tc qdisc add dev nic0 clsact");
    String filter = "protocol ip prio 5 handle 800::1 u32 match ip src 10.0.0.1/32 classid ";
    host.run("tc filter add dev nic0 ingress " + filter + "1:1");
    LinkState before = LinkState.parse(captured().toText());
    assertThat(before.changesTo(captured())).isEmpty();

    host.run("tc filter replace dev nic0 ingress " + filter + "1:2");
    assertThat(before.changesTo(captured()))
        .extracting(Difference::fact)
        .containsExactly("filter ingress 5 handle " + 0x8000_0001);
    host.run("tc qdisc del dev nic0 clsact");
    host.run("tc qdisc replace dev nic0 root handle 7: tbf rate 9mbit burst 90kb latency 50ms");
    assertThat(before.restore(host.namespace, "nic0").left())
        .extracting(Difference::fact)
        .contains("qdisc of ffff:fff1", "qdisc of root");
  }

  @Test
  void whatClassesDoIsTold() throws IOException {
    host.run("tc qdisc add dev nic0 root handle 7: htb default 1");
    host.run("tc class add dev nic0 parent 7: classid 7:1 htb rate 1mbit");
    LinkState before = captured();
    assertThat(before.changesTo(captured())).isEmpty();
    host.run("tc class change dev nic0 parent 7: classid 7:1 htb rate 9mbit");

    assertThat(before.changesTo(captured()))
        .extracting(Difference::fact)
        .containsExactly("class 7:1");
  }

  private void anotherUplink() throws IOException {
    host.ip(
        "link add up0 type veth peer name up1",
        "link set up1 up",
        "link set up0 up",
        "addr add 10.0.1.1/24 dev up0",
        "addr add 10.0.0.1/24 dev nic0");
  }

  @Test
  void aLinkThatIsDownHasTheQueueDisciplineThatTheKernelGivesIt() throws IOException {
    host.ip("link set nic0 down");
    LinkState before = captured();
    assertThat(before.values()).containsEntry("qdisc", "noqueue");
    Scenario.goAndComeBack(host, pod, "nic0");

    assertThat(isBackBut(before)).isEmpty();

    assertThat(host.run("ip link show dev nic0")).contains("qdisc noop");
  }

  @Test
  void rulesThatNameItStayAndComeBackOnlyIfTheNameIsItsOwn() throws IOException {
    host.ip("rule add iif nic0 lookup 7 pref 9", "rule add iif nic0 lookup 8 pref 10");
    LinkState before = captured();
    host.ip(
        "link set nic0 down",
        "link set nic0 name nic1",
        "link add nic0 type bridge",
        "rule add iif nic0 lookup 9 pref 11",
        "rule del pref 10");

    assertThat(before.restore(host.namespace, "nic1").left())
        .extracting(Difference::toString)
        .satisfiesExactly(
            one -> assertThat(one).startsWith("name was nic0, is nic1: "),
            one ->
                assertThat(one)
                    .startsWith("rule ")
                    .endsWith("was there, is gone: the link does not have the name in the rule"));

    assertThat(host.run("ip rule show pref 9")).contains("lookup 7");
    assertThat(host.run("ip rule show pref 10")).as("it would be about another").isEmpty();
    assertThat(host.run("ip rule show pref 11")).as("another link's").contains("lookup 9");
    host.ip("link del nic0");
    assertThat(before.restore(host.namespace, "nic1").left())
        .singleElement()
        .asString()
        .startsWith("rule 11: ")
        .endsWith("it was added later, and stays");
    assertThat(host.run("ip rule show pref 10")).contains("lookup 8");
  }
}
