package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.lab.Machine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Links of a machine go into a pod, where all is changed, and come back as they were: as often as
 * the property says, twenty times by default, each time into another namespace.
 */
@EnabledIf(Machine.HAS_FUNCTIONS)
class RestoreOnNicsTest {

  private static final int TIMES = Integer.getInteger("restore-times", 20);
  private static final int WARM = Math.min(5, TIMES / 2);

  private Host host;
  private String nic;
  private String second;
  private LinkState first;

  @BeforeEach
  void open() throws IOException {
    host = new Host(NetworkNamespace.current());
    nic = Machine.physicalFunctions().get(0);
    List<String> others = new ArrayList<>(Machine.nics());
    others.removeAll(Machine.virtualFunctions());
    others.remove(nic);
    second = others.get(0);
    host.ip("link set lo up", "link set " + nic + " up", "link set " + second + " up");
    first = LinkState.capture(host.namespace, nic);
  }

  /** The next test finds the NICs as this one did. */
  @AfterEach
  void close() throws IOException {
    for (String made : List.of("red")) {
      Machine.ask("ip link del " + made);
    }
    List<Difference> left = first.restore(host.namespace, nic).left();
    host.close();
    assertThat(left).isEmpty();
  }

  private void ip(String... lines) throws IOException {
    String all = String.join("\n", lines);
    host.ip(all.replace("NIC", nic).replace("SECOND", second).split("\n", -1));
  }

  private void goAndComeBackAgainAndAgain(String kind, String name) throws IOException {
    Scenario.awaitCarrier(host, name);
    List<String> seen = host.seen(name);
    LinkState before = LinkState.capture(host.namespace, name);
    Footprint start = Footprint.now();
    long restored = 0;
    for (int i = 0; i < TIMES; i++) {
      if (i == WARM) {
        start = Footprint.now();
      }
      try (Host pod = new Host()) {
        Scenario.goAndComeBack(host, pod, name);
      }
      Restoration restoration = before.restore(host.namespace, name);
      assertThat(restoration.left()).as("%s, time %d", kind, i + 1).isEmpty();
      assertThat(restoration.restored()).isGreaterThan(5);
      restored += restoration.restored();
      LinkState after = LinkState.capture(host.namespace, name);
      assertThat(before.changesTo(after)).as("%s, time %d", kind, i + 1).isEmpty();
    }
    Scenario.awaitCarrier(host, name);
    assertThat(host.seen(name)).isEqualTo(seen);
    String left = Footprint.assertNothingIsLeft(start, TIMES - WARM);
    System.out.printf(
        "%s: %d times captured, moved and restored, %d facts each time; %s%n",
        kind, TIMES, restored / TIMES, left);
  }

  /** A virtual function has a carrier only while its physical function is up. */
  @Test
  void aVirtualFunction() throws IOException {
    for (String physical : Machine.physicalFunctions()) {
      host.ip("link set " + physical + " up");
      Scenario.awaitCarrier(host, physical);
    }
    String name = Machine.virtualFunctions().get(0);
    Scenario.configure(host, name);
    goAndComeBackAgainAndAgain("virtual function", name);
  }

  @Test
  void aMemberOfAVrf() throws IOException {
    ip(
        "link add red type vrf table 1077",
        "link set red up",
        "link set NIC master red",
        "link set NIC mtu 1450 txqueuelen 777 alias storage",
        "link property add dev NIC altname second",
        "addr add 192.0.2.5/24 dev NIC",
        "addr add 2001:db8::5/64 dev NIC nodad",
        "route add 198.51.100.128/25 via 192.0.2.1 vrf red",
        "route add 198.51.100.0/25 via 192.0.2.1 dev NIC table 910",
        "route add 2001:db8:9::/48 via 2001:db8::1 vrf red",
        "neigh add 192.0.2.1 lladdr 02:00:00:00:00:98 dev NIC nud permanent",
        "rule add iif NIC lookup 910 pref 910");
    goAndComeBackAgainAndAgain("member of a VRF", nic);
  }
}
