package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FaultyAccess;
import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.LinkData;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.Links;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The n-th native call fails, for every n; links go and come a thousand times; two do it at once.
 */
@EnabledIf(Host.MAY)
class StateUnderFailureTest extends TwoHosts {

  @BeforeEach
  void open() throws IOException {
    host.ip("link set lo up", "link add nic0 type veth peer name other", "link set other up");
  }

  /** A driver's own work: whatever fails, the link is brought home and restored. */
  private static final class Driver {

    private final NetworkNamespace home;
    private final NetworkNamespace away;
    private String stored = "";
    private boolean isBack;
    private Restoration restoration = new Restoration(0, List.of());

    Driver(NetworkNamespace home, NetworkNamespace away) {
      this.home = home;
      this.away = away;
    }

    void run() throws IOException {
      stored = LinkState.capture(home, "nic0").toText();
      move(home, "nic0", away, "net1");
      move(away, "net1", home, "nic0");
      isBack = true;
      restoration = LinkState.parse(stored).restore(home, "nic0");
    }

    private static void move(NetworkNamespace from, String name, NetworkNamespace to, String there)
        throws IOException {
      try (RouteNetlink route = RouteNetlink.open(from)) {
        int index = route.links().get(name).index();
        route.links().change(LinkKey.of(index), LinkSettings.none().down());
        route.links().change(LinkKey.of(index), LinkSettings.none().name(there).namespace(to));
      }
    }

    /** What a driver does after a failure, with nothing failing any more. */
    void rollBack() throws IOException {
      if (stored.isEmpty()) { // captured nothing, changed nothing
        return;
      }
      try {
        move(away, "net1", home, "nic0");
      } catch (NetlinkException.NotFound e) {
        // it never left, or is back
      }
      restoration = LinkState.parse(stored).restore(home, "nic0");
    }
  }

  @Test
  @Tag("exhaustive")
  void whateverNativeCallFailsTheHostIsAsBeforeOrTheReportSaysWhatIsNot() throws IOException {
    host.ip(
        "link set nic0 mtu 1400 alias storage up",
        "addr add 192.0.2.5/24 dev nic0",
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "route add 198.18.0.0/15 via 192.0.2.1",
        "neigh add 192.0.2.1 lladdr 02:00:00:00:00:98 dev nic0 nud permanent");
    FaultyAccess kernel = FaultyAccess.overSystem();
    int calls;
    int untold = 0;
    int thrown = 0;
    int reported = 0;
    try (NetworkNamespace home = same(kernel, host);
        NetworkNamespace away = same(kernel, pod)) {
      LinkState before = LinkState.capture(host.namespace, "nic0");
      List<String> seen = host.seen("nic0");
      calls = kernel.during(new Driver(home, away)::run);
      assertThat(host.seen("nic0")).isEqualTo(seen);
      for (int n = 1; n <= calls; n++) {
        Driver driver = new Driver(home, away);
        Exception failure = kernel.failing(n, Errno.EIO, driver::run).orElse(null);
        boolean told = failure != null || !driver.restoration.isComplete();
        if (failure != null) {
          thrown++;
        } else if (!driver.restoration.isComplete()) {
          reported++;
        }
        if (!told && !before.changesTo(LinkState.capture(host.namespace, "nic0")).isEmpty()) {
          untold++;
        }
        driver.rollBack();
        assertThat(driver.restoration.left()).as("call %d, %s", n, failure).isEmpty();
        LinkState after = LinkState.capture(host.namespace, "nic0");
        assertThat(before.changesTo(after)).as("call %d, %s", n, failure).isEmpty();
      }
      assertThat(host.seen("nic0")).isEqualTo(seen);
    }
    System.out.printf(
        "capture, move, restore: %d native calls; each failed once: %d were thrown, %d reported,"
            + " %d made up for; %d times the host was not as before and nobody said so%n",
        calls, thrown, reported, calls - thrown - reported - untold, untold);
    assertThat(untold).isZero();
  }

  private static NetworkNamespace same(FaultyAccess kernel, Host host) throws IOException {
    return NetworkNamespace.ofDescriptor(kernel.access(), host.namespace.descriptor().number());
  }

  @Test
  void linksOnItThatGoWhileItIsReadAreNotTheLinkItself() throws IOException {
    FaultyAccess kernel = FaultyAccess.overSystem();
    try (NetworkNamespace home = same(kernel, host);
        RouteNetlink others = RouteNetlink.open(host.namespace)) {
      int index = others.links().get("nic0").index();
      NewLink upper = NewLink.macvlan("m5", index, LinkData.MacvlanMode.BRIDGE);
      int calls = kernel.during(() -> LinkState.capture(home, "nic0"));
      for (int n = 1; n <= calls; n++) {
        others.links().create(upper);
        kernel.interrupted(
            n,
            () -> others.links().delete(LinkKey.of("m5")),
            () -> assertThat(LinkState.capture(home, "nic0").name()).isEqualTo("nic0"));
      }
    }
  }

  /** As udev does with links that have just come. */
  @Test
  void sysctlsAndRulesAreThoseOfTheLinkThoughItIsRenamedWhileItIsRead() throws IOException {
    String inFilesOnly = "ipv6/conf/ioam6_id_wide"; // netlink does not tell it
    LinkSysctls.of(host.namespace, "nic0").set(inFilesOnly, "1111");
    LinkSysctls.of(host.namespace, "other").set(inFilesOnly, "2222");
    host.ip("link set other down", "rule add iif nic0 lookup 77 pref 77");
    FaultyAccess kernel = FaultyAccess.overSystem();
    try (NetworkNamespace home = same(kernel, host);
        RouteNetlink others = RouteNetlink.open(host.namespace)) {
      int nic = others.links().get("nic0").index();
      int other = others.links().get("other").index();
      int calls = kernel.during(() -> LinkState.capture(home, LinkKey.of(nic)));
      for (int n = 1; n <= calls; n++) {
        List<LinkState> read = new ArrayList<>();
        kernel.interrupted(
            n,
            () -> swap(others.links(), nic, "other", other, "nic0"),
            () -> read.add(LinkState.capture(home, LinkKey.of(nic))));
        LinkState state = read.get(0);
        assertThat(state.values()).as("call %d", n).containsEntry("sysctl " + inFilesOnly, "1111");
        assertThat(state.rules()).as("call %d", n).hasSize(state.name().equals("nic0") ? 1 : 0);
        swap(others.links(), nic, "nic0", other, "other");
      }
    }
  }

  private static void swap(Links links, int one, String name, int other, String otherName)
      throws IOException {
    links.change(LinkKey.of(one), LinkSettings.none().name("between"));
    links.change(LinkKey.of(other), LinkSettings.none().name(otherName));
    links.change(LinkKey.of(one), LinkSettings.none().name(name));
  }

  /** As often as the property says: a thousand times in the nightly run. */
  @Test
  void manyTimesWithoutALeak() throws IOException {
    int times = Integer.getInteger("restore-times", 20);
    int warm = Math.min(100, times / 2);
    host.ip("link set nic0 mtu 1400 up", "addr add 192.0.2.5/24 dev nic0");
    host.ip("addr add 2001:db8::5/64 dev nic0 nodad", "route add 198.18.0.0/15 via 192.0.2.1");
    List<String> seen = host.seen("nic0");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    Footprint start = Footprint.now();
    for (int i = 0; i < times; i++) {
      if (i == warm) {
        start = Footprint.now();
      }
      try (NetworkNamespace away = NetworkNamespace.create()) {
        Driver driver = new Driver(host.namespace, away);
        driver.run();
        assertThat(driver.isBack).isTrue();
        assertThat(driver.restoration.left()).isEmpty();
      }
    }
    assertThat(before.changesTo(LinkState.capture(host.namespace, "nic0"))).isEmpty();
    assertThat(host.seen("nic0")).isEqualTo(seen);
    String left = Footprint.assertNothingIsLeft(start, times - warm);
    System.out.printf("veth: %d times captured, moved and restored; %s%n", times, left);
  }

  @Test
  void twoThatRestoreAtOnceDoNotBreakEachOther() throws Exception {
    host.ip("link set nic0 mtu 1400 up", "addr add 192.0.2.5/24 dev nic0");
    host.ip("addr add 2001:db8::5/64 dev nic0 nodad", "route add 198.18.0.0/15 via 192.0.2.1");
    LinkState before = LinkState.capture(host.namespace, "nic0");
    for (int i = 0; i < 20; i++) {
      Driver.move(host.namespace, "nic0", pod.namespace, "net1");
      Driver.move(pod.namespace, "net1", host.namespace, "nic0");
      List<Exception> failures = new CopyOnWriteArrayList<>();
      Runnable restoring =
          () -> {
            try {
              before.restore(host.namespace, "nic0");
            } catch (IOException | RuntimeException e) {
              failures.add(e);
            }
          };
      Thread one = new Thread(restoring);
      Thread two = new Thread(restoring);
      one.start();
      two.start();
      one.join();
      two.join();
      assertThat(failures).isEmpty();
      assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();
    }
  }

  @Test
  void aNamespaceThatVanishesIsToldInOneException() throws IOException {
    LinkState before = LinkState.capture(host.namespace, "nic0");
    NetworkNamespace gone = NetworkNamespace.create();
    gone.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> before.restore(gone, "nic0"))
        .withMessageContaining("closed");
    try (LinkStates states = LinkStates.open(pod.namespace)) {
      assertThatExceptionOfType(NetlinkException.NotFound.class)
          .isThrownBy(() -> states.restore(before, LinkKey.of("nic0")));
    }
  }

  @Test
  void statesThatAreClosedChangeNothing() throws IOException {
    LinkStates states = LinkStates.open(host.namespace);
    LinkState before = states.capture(LinkKey.of("nic0"));
    states.close();
    host.ip("link set nic0 mtu 1400");

    assertThatExceptionOfType(NetlinkException.Closed.class)
        .isThrownBy(() -> states.restore(before, LinkKey.of("nic0")));
    assertThatExceptionOfType(NetlinkException.Closed.class)
        .isThrownBy(() -> states.restore(before, LinkKey.of(before.index())));
    assertThatExceptionOfType(NetlinkException.Closed.class)
        .isThrownBy(() -> states.capture(LinkKey.of("nic0")));
    assertThat(host.run("ip link show nic0")).contains("mtu 1400");
  }
}
