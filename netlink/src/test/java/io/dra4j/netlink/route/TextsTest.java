package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Objects that differ read differently: reports and reasons tell them apart by their texts. */
@EnabledIf(TestNamespace.MAY)
class TextsTest {

  private TestNamespace inside;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    inside.run("sysctl", "-qw net.ipv6.conf.default.accept_dad=0");
    inside.veth("veth0", "veth1");
    for (String line :
        List.of(
            "link set veth0 up",
            "link set veth1 up",
            "addr add 192.0.2.1/24 dev veth0",
            "addr add 2001:db8::1/64 dev veth0")) {
      inside.run("ip", line);
    }
  }

  @AfterEach
  void close() {
    inside.close();
  }

  /** Adds what a line of {@code ip} does, takes it away again, and gives how it reads. */
  private <T extends MessageView<T>> void differ(
      RouteObjects<T> objects, String what, List<String> lines) throws IOException {
    Map<String, T> byText = new HashMap<>();
    List<String> same = new ArrayList<>();
    for (String line : lines) {
      List<T> before = objects.list();
      inside.run("ip", what.replace("COMMAND", "add") + " " + line);
      List<T> added = new ArrayList<>(objects.list());
      added.removeAll(before);
      assertThat(added).as(line).isNotEmpty();
      for (T one : added) {
        T other = byText.put(one.toString(), one.withoutState());
        if (other != null && !other.equals(one.withoutState())) {
          same.add(one.toString());
        }
        objects.delete(one);
      }
    }
    assertThat(same).isEmpty();
    assertThat(byText).hasSizeGreaterThanOrEqualTo(lines.size());
  }

  @Test
  void rules() throws IOException {
    List<String> lines =
        List.of(
            "lookup 7",
            "lookup 8",
            "lookup 7 suppress_prefixlength 3",
            "lookup 7 suppress_prefixlength 4",
            "lookup 7 suppress_ifgroup 3",
            "lookup 7 tos 0x10",
            "lookup 7 fwmark 1",
            "lookup 7 fwmark 1/3",
            "lookup 7 ipproto 6",
            "lookup 7 sport 80",
            "lookup 7 dport 80",
            "lookup 7 uidrange 1-2",
            "lookup 7 tun_id 5",
            "lookup 7 iif veth0",
            "lookup 7 oif veth0",
            "lookup 7 from 192.0.2.0/24",
            "lookup 7 to 192.0.2.0/24",
            "not from 192.0.2.0/24 lookup 7",
            "lookup 7 realms 3/4",
            "lookup 7 realms 4/3",
            "lookup 7 protocol 17",
            "goto 32766",
            "goto 32767",
            "blackhole",
            "prohibit");
    differ(inside.route.rules(), "rule COMMAND pref 70", lines);
    inside.run("ip", "rule add pref 70 lookup 7");
    inside.run("ip", "-6 rule add pref 70 lookup 7");
    assertThat(inside.route.rules().list().stream().map(Rule::toString)).doesNotHaveDuplicates();
  }

  @Test
  void routes() throws IOException {
    List<String> lines =
        List.of(
            "dev veth0",
            "dev veth1",
            "dev veth0 metric 7",
            "dev veth0 table 7",
            "dev veth0 scope global",
            "dev veth0 proto 7",
            "dev veth0 tos 0x10",
            "dev veth0 src 192.0.2.1",
            "dev veth0 mtu 1400",
            "dev veth0 mtu 1300",
            "dev veth0 mtu lock 1300",
            "dev veth0 advmss 1300",
            "dev veth0 congctl reno",
            "dev veth0 realm 3",
            "via 192.0.2.9",
            "via 192.0.2.9 dev veth0 onlink",
            "nexthop via 192.0.2.8 nexthop via 192.0.2.9",
            "nexthop via 192.0.2.8 weight 2 nexthop via 192.0.2.9",
            "nexthop via 192.0.2.8 dev veth0 onlink nexthop via 192.0.2.9");
    differ(inside.route.routes(), "route COMMAND 198.51.100.0/24", lines);
    differ(
        inside.route.routes(),
        "-6 route COMMAND 2001:db8:9::/48 dev veth0",
        List.of("metric 7", "metric 7 pref high", "metric 7 expires 90", "metric 7 mtu 1400"));
  }

  @Test
  void addresses() throws IOException {
    differ(
        inside.route.addresses(),
        "addr COMMAND 198.51.100.1/24 dev veth0",
        List.of(
            "scope link",
            "scope host",
            "label veth0:x",
            "label veth0:y",
            "brd 198.51.100.255",
            "brd 198.51.100.0",
            "noprefixroute",
            "metric 7",
            "valid_lft 900 preferred_lft 800",
            "valid_lft 900 preferred_lft 0"));
  }

  @Test
  void whatIsUsualIsNotSaid() throws NetlinkException {
    IpPrefix to = IpPrefix.parse("198.51.100.0/24");
    assertThat(Route.to(to).withLink(7)).hasToString("198.51.100.0/24 link 7 table 254");
    assertThat(Route.to(to).withLink(7).withMetrics(Map.of(2, 1400)))
        .hasToString("198.51.100.0/24 link 7 table 254 mtu 1400");
    assertThat(Rule.lookup(false, 7).withPriority(70)).hasToString("70: from all lookup 7");
    assertThat(InterfaceAddress.of(7, to)).hasToString("198.51.100.0/24 on link 7");
  }
}
