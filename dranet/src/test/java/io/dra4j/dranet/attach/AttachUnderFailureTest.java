package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.spi.DriverException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The n-th native call of attaching and of detaching fails, for every n, and the process may end
 * between any two steps; links go and come many times.
 */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class AttachUnderFailureTest {

  private static final String CONFIG =
      """
      {"interface": {"name": "net1", "mtu": 9000, "hardwareAddr": "02:00:5e:10:00:01",
                     "addresses": ["192.0.2.6/24", "2001:db8::6/64"], "arpIgnore": 1,
                     "disableEbpfPrograms": true},
       "routes": [{"destination": "10.0.0.0/8", "gateway": "192.0.2.1"},
                  {"destination": "198.51.100.7/32", "scope": 253}],
       "rules": [{"priority": 300, "source": "192.0.2.0/24", "table": 77}],
       "neighbors": [{"destination": "192.0.2.77", "hardwareAddr": "02:00:00:00:00:77"}],
       "ethtool": {"features": {"tso": false}}}
      """;

  private TestHost host;
  private TestHost pod;

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    pod = new TestHost();
    host.ip(
        "link set lo up",
        "link add nic0 type veth peer name other0",
        "link set other0 up",
        "link set nic0 mtu 1400 alias storage up",
        "addr add 192.0.2.5/24 dev nic0",
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "route add 198.18.0.0/15 via 192.0.2.1");
  }

  @AfterEach
  void close() {
    pod.close();
    host.close();
  }

  private static NetworkNamespace same(FaultyKernel kernel, TestHost of) throws IOException {
    return NetworkNamespace.ofDescriptor(kernel.access(), of.namespace().descriptor().number());
  }

  private List<String> podSeen() throws IOException {
    return List.of(
        pod.run("ip -br link"),
        pod.run("ip rule"),
        pod.run("ip -6 rule"),
        pod.routes("ip route show table all"));
  }

  /** The result of attaching or detaching with one failed call. */
  private record Round(boolean failed, MemoryJournal journal) {}

  private Round attach(Attacher attacher, NetworkNamespace away) throws Exception {
    MemoryJournal journal = new MemoryJournal();
    try {
      attacher.attach(
          List.of(AttachRequest.ofLink("nic0", NetworkConfig.parse(CONFIG))), away, journal);
      return new Round(false, journal);
    } catch (DriverException e) {
      return new Round(true, journal);
    }
  }

  @Test
  @Tag("exhaustive")
  void whateverNativeCallFailsTheHostIsAsBeforeAfterOneMoreTry() throws Exception {
    FaultyKernel kernel = new FaultyKernel();
    LinkState before = LinkState.capture(host.namespace(), "nic0");
    List<String> seen = host.seen("nic0");
    List<String> podBefore = podSeen();
    int tried = 0;
    int survived = 0;
    int made = 0;
    List<String> lost = new ArrayList<>();
    try (NetworkNamespace home = same(kernel, host);
        NetworkNamespace away = same(kernel, pod)) {
      Attacher attacher = Attacher.in(home, notice -> {});
      kernel.fail(0);
      Round whole = attach(attacher, away);
      int attachCalls = kernel.calls();
      kernel.fail(0);
      whole.journal().undo(step -> attacher.undo(step, away));
      int detachCalls = kernel.calls();
      assertThat(whole.failed()).isFalse();
      assertThat(host.seen("nic0")).isEqualTo(seen);

      for (int n = 1; n <= attachCalls + detachCalls; n++) {
        boolean inAttach = n <= attachCalls;
        kernel.fail(inAttach ? n : 0);
        Round round = attach(attacher, away);
        if (!inAttach) {
          kernel.fail(n - attachCalls);
        } else if (!round.failed()) {
          made++;
        }
        try {
          round.journal().undo(step -> attacher.undo(step, away));
        } catch (DriverException e) {
          // what a restart finds in the journal
        }
        kernel.fail(0);
        round.journal().undo(step -> attacher.undo(step, away));
        tried++;
        LinkState after = LinkState.capture(host.namespace(), "nic0");
        boolean same = before.changesTo(after).isEmpty() && podSeen().equals(podBefore);
        if (same && round.journal().steps().isEmpty()) {
          survived++;
        } else {
          lost.add("call " + n + ": " + before.changesTo(after) + " " + podSeen());
          break;
        }
      }
      assertThat(host.seen("nic0")).isEqualTo(seen);
      System.out.printf(
          "attach and detach: %d and %d native calls; faults tried: %d, survived: %d, lost: %d"
              + " (%d made up for)%n",
          attachCalls, detachCalls, tried, survived, lost.size(), made);
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void aProcessThatEndsBetweenAnyTwoStepsIsRecoveredByTheNext() throws Exception {
    List<String> seen = host.seen("nic0");
    List<String> podBefore = podSeen();
    Attacher attacher = Attacher.in(host.namespace(), notice -> {});
    int steps =
        attacher
            .dryRun(
                List.of(AttachRequest.ofLink("nic0", NetworkConfig.parse(CONFIG))), pod.namespace())
            .size();
    for (int last = 0; last <= steps; last++) {
      int end = last;
      MemoryJournal journal = new MemoryJournal();
      try {
        attacher.attach(
            List.of(AttachRequest.ofLink("nic0", NetworkConfig.parse(CONFIG))),
            pod.namespace(),
            new EndingJournal(journal, end));
      } catch (EndingJournal.Killed e) {
        assertThat(journal.begun()).hasSize(end);
      }
      Attacher next = Attacher.in(host.namespace(), notice -> {});
      journal.undo(step -> next.undo(step, pod.namespace()));

      assertThat(host.seen("nic0")).as("killed before step %d of %d", end, steps).isEqualTo(seen);
      assertThat(podSeen()).as("killed before step %d of %d", end, steps).isEqualTo(podBefore);
    }
    System.out.printf(
        "attach: killed before each of %d steps and behind the last, lost: 0%n", steps);
  }

  /** As often as the property says: a thousand times in the nightly run. */
  @Test
  void manyTimesWithoutALeak() throws Exception {
    int times = Integer.getInteger("attach-times", 10);
    List<String> seen = host.seen("nic0");
    List<String> podBefore = podSeen();
    Attacher attacher = Attacher.in(host.namespace(), notice -> {});
    for (int i = 0; i < Math.min(20, times / 2); i++) {
      cycle(attacher);
    }
    long descriptors = descriptors();
    long heap = heap();
    for (int i = 0; i < times; i++) {
      cycle(attacher);
    }
    System.out.printf(
        "attached and detached %d times: descriptors %+d, heap %+d KiB%n",
        times, descriptors() - descriptors, (heap() - heap) / 1024);
    assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 2);
    assertThat(heap()).isLessThan(heap + (2 << 20));
    assertThat(host.seen("nic0")).isEqualTo(seen);
    assertThat(podSeen()).isEqualTo(podBefore);
  }

  private void cycle(Attacher attacher) throws Exception {
    Round round = attach(attacher, pod.namespace());
    assertThat(round.failed()).isFalse();
    round.journal().undo(step -> attacher.undo(step, pod.namespace()));
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
