package io.dra4j.rdma.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Transport;
import io.dra4j.netlink.TransportException;
import io.dra4j.netlink.rdma.RdmaMonitor;
import io.dra4j.spi.Host;
import io.dra4j.testkit.CapturedHost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RdmaHealthMonitorTest {

  private static final Duration LONG = Duration.ofSeconds(50);

  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks());

  @TempDir private Path directory;
  private Path root;
  private RdmaHealthMonitor monitor;

  @BeforeEach
  void layOut() throws IOException {
    root = directory.resolve("host");
    CapturedHost.named("rdma").expandTo(root);
    monitor = watch(Duration.ofMillis(10));
  }

  private RdmaHealthMonitor watch(Duration interval) {
    return RdmaHealthMonitor.over(Host.captured(root), health, interval, warnings::add);
  }

  @AfterEach
  void close() {
    monitor.close();
  }

  private Path device(String name) {
    return root.resolve("sys/devices/virtual/infiniband").resolve(name);
  }

  private List<String> messages(Duration timeout) throws IOException, InterruptedException {
    return monitor.await(timeout).stream()
        .map(event -> (event.begins() ? "" : "ended: ") + event.problem().message())
        .toList();
  }

  @Test
  void aSoundHostTellsNothing() throws Exception {
    assertThat(messages(Duration.ofMillis(50))).isEmpty();
    assertThat(health.knows("rxe0")).isTrue();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aPortThatGoesDownIsSeenByLookingAgain() throws Exception {
    messages(Duration.ZERO);
    Files.writeString(device("rxe1").resolve("ports/1/state"), "1: DOWN\n");

    assertThat(messages(LONG)).containsExactly("port 1 of RDMA device rxe1 is DOWN, LinkUp");

    Files.writeString(device("rxe1").resolve("ports/1/state"), "4: ACTIVE\n");
    assertThat(messages(LONG)).hasSize(1).allMatch(text -> text.startsWith("ended: port 1"));
  }

  @Test
  void countersAreLookedAtToo() throws Exception {
    Path counters = Files.createDirectories(device("rxe0").resolve("ports/1/counters"));
    Files.writeString(counters.resolve("symbol_error"), "5\n");
    messages(Duration.ZERO);
    Files.writeString(counters.resolve("symbol_error"), "16\n");

    assertThat(messages(LONG))
        .containsExactly("port 1 of RDMA device rxe0 had 11 of symbol_error within 60 s");
  }

  /** Counters of 4 bits, for one, stay at 15. */
  @Test
  void aFullCounterIsSaidOnce() throws Exception {
    Path counters = Files.createDirectories(device("rxe0").resolve("ports/1/counters"));
    Files.writeString(counters.resolve("local_link_integrity_errors"), "15\n");
    Files.writeString(counters.resolve("symbol_error"), "15\n");
    messages(Duration.ofMillis(50));

    assertThat(warnings)
        .containsExactly(
            "counter local_link_integrity_errors of port 1 of RDMA device rxe0 is saturated at 15:"
                + " errors cannot be detected until it is reset");

    monitor.look();
    messages(Duration.ofMillis(50));
    assertThat(warnings).hasSize(1);
  }

  @Test
  void aDeviceThatGoesIsSeen() throws Exception {
    messages(Duration.ZERO);
    Files.delete(root.resolve("sys/class/infiniband/rxe2"));

    assertThat(messages(LONG)).containsExactly("RDMA device rxe2 has gone");
  }

  /** Its directory cannot be read, but its name is there: nobody may take it away from a pod. */
  @Test
  void aDeviceThatCannotBeReadIsNotGone() throws Exception {
    messages(Duration.ZERO);
    Files.delete(root.resolve("sys/class/infiniband/rxe2"));
    Files.createSymbolicLink(root.resolve("sys/class/infiniband/rxe2"), Path.of("nowhere"));

    assertThat(messages(Duration.ofMillis(50)))
        .containsExactly("port 1 of RDMA device rxe2 has gone");
  }

  @Test
  void aHostThatCannotBeListedIsNoEmptyHost() throws Exception {
    messages(Duration.ZERO);
    Files.move(root.resolve("sys"), root.resolve("elsewhere"));

    assertThatIOException()
        .isThrownBy(() -> monitor.await(LONG))
        .withMessage(
            root.resolve("sys")
                + ": is not a readable directory: the RDMA devices of the host cannot be listed");
    assertThat(health.problems()).isEmpty();
  }

  @Test
  void afterAFailureTheNextCallLooksAgain() throws Exception {
    monitor = watch(Duration.ofDays(1_000));
    Files.move(root.resolve("sys"), root.resolve("elsewhere"));
    for (int i = 0; i < 2; i++) {
      assertThatIOException().as("call %d", i).isThrownBy(() -> monitor.await(Duration.ZERO));
    }
    Files.move(root.resolve("elsewhere"), root.resolve("sys"));
    Files.writeString(device("rxe1").resolve("ports/1/state"), "1: DOWN\n");

    assertThat(messages(Duration.ZERO)).hasSize(1);
  }

  @Test
  void aHostWithoutRdmaIsEmpty(@TempDir Path other) throws Exception {
    CapturedHost.named("two-socket").expandTo(other.resolve("host"));
    try (RdmaHealthMonitor empty =
        RdmaHealthMonitor.over(
            Host.captured(other.resolve("host")), health, Duration.ofMillis(1), warnings::add)) {
      assertThat(empty.await(Duration.ofMillis(20))).isEmpty();
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void whoAsksNeedNotWaitForTheInterval() throws Exception {
    monitor = watch(Duration.ofDays(1_000));
    messages(Duration.ZERO);
    Files.writeString(device("rxe1").resolve("ports/1/state"), "1: DOWN\n");
    assertThat(messages(Duration.ofMillis(20))).isEmpty();
    monitor.look();

    assertThat(messages(LONG)).hasSize(1);
  }

  @Test
  void closingEndsWaiting() throws Exception {
    monitor = watch(Duration.ofDays(1_000));
    Thread closer = new Thread(monitor::close);
    closer.start();

    assertThatExceptionOfType(NetlinkException.Closed.class)
        .isThrownBy(() -> monitor.await(Duration.ofDays(365L * 1_000)));
    closer.join();
  }

  /** Who loops would do so forever, and hold a processor. */
  @Test
  void whoWaitsAtAClosedMonitorIsTold() throws Exception {
    messages(Duration.ZERO);
    monitor.close();
    monitor.close();

    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(NetlinkException.Closed.class)
          .isThrownBy(() -> monitor.await(Duration.ofSeconds(1)))
          .withMessage("watch RDMA devices: the socket is closed");
    }
  }

  @Test
  void aBrokenCounterIsSaidOnce() throws Exception {
    Path counters = Files.createDirectories(device("rxe0").resolve("ports/1/counters"));
    Files.writeString(counters.resolve("symbol_error"), "-1\n");
    messages(Duration.ofMillis(50));
    monitor.look();
    messages(Duration.ofMillis(50));

    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("rxe0/ports/1/counters/symbol_error: expected a number from 0");
  }

  @Test
  void anIntervalOfNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RdmaHealthMonitor.open(health, Duration.ZERO, warnings::add));
  }

  /** A source by hand: what to answer, one after the other. */
  private static final class Changes implements ChangeSignal.Source {

    private final BlockingQueue<Boolean> answers = new LinkedBlockingQueue<>();

    @Override
    public boolean await(Duration timeout) {
      try {
        return answers.take();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {}
  }

  @Test
  void aBellRingsWhenSomethingChanges() throws Exception {
    Changes source = new Changes();
    try (ChangeSignal changes = new ChangeSignal()) {
      changes.listen("links", source, warnings::add);
      source.answers.add(false);
      assertThat(changes.await(Duration.ofMillis(20))).isFalse();
      source.answers.add(true);
      assertThat(changes.await(LONG)).isTrue();
      changes.signal();
      changes.clear();
      assertThat(changes.await(Duration.ZERO)).isFalse();
    }
    assertThat(warnings).isEmpty();
  }

  /** A kernel that refuses to tell of events. */
  private static final class Refusing implements Transport {

    private final int errno;

    Refusing(int errno) {
      this.errno = errno;
    }

    @Override
    public int port() {
      return 1;
    }

    @Override
    public void send(ByteBuffer datagram) {
      throw new AssertionError("only joins");
    }

    @Override
    public ByteBuffer receive(long nanoseconds) {
      throw new AssertionError("only joins");
    }

    @Override
    public int sender() {
      return 0;
    }

    @Override
    public void join(int group) throws TransportException {
      throw new TransportException("setsockopt NETLINK_ADD_MEMBERSHIP", errno);
    }

    @Override
    public void close() {}
  }

  private static void listen(ChangeSignal changes, int errno, Consumer<String> warnings)
      throws NetlinkException {
    changes.listenIfAllowed(
        "RDMA devices",
        () -> RdmaHealthMonitor.rdma(RdmaMonitor.over(NetlinkSocket.over(new Refusing(errno)))),
        warnings);
  }

  /** Kernels before 6.12 let root alone join. */
  @Test
  void eventsThatMayNotBeHeardAreDoneWithout() throws Exception {
    try (ChangeSignal changes = new ChangeSignal()) {
      listen(changes, Errno.EPERM.code(), warnings::add);
      assertThat(warnings)
          .hasSize(1)
          .allMatch(
              text -> text.startsWith("changes of RDMA devices are detected by polling only: "));
      changes.signal();
      assertThat(changes.await(LONG)).isTrue();
      assertThatExceptionOfType(NetlinkException.class)
          .isThrownBy(() -> listen(changes, Errno.ENOMEM.code(), warnings::add));
    }
  }

  /** The threads that listen end when what they listen to is closed. */
  @Test
  void openingAndClosingLeavesNoThread() throws Exception {
    for (int i = 0; i < 3; i++) {
      RdmaHealthMonitor live = RdmaHealthMonitor.open(health, Duration.ofDays(1), warnings::add);
      live.await(Duration.ZERO);
      live.close();
    }
    long deadline = System.nanoTime() + LONG.toNanos();
    while (Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("dra4j-rdma-devices"))) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(5);
    }
    assertThat(warnings).allMatch(text -> text.startsWith("changes of RDMA devices"));
  }
}
