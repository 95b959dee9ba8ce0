package io.dra4j.node;

import static io.dra4j.node.PlugDriver.claim;
import static io.dra4j.node.PlugDriver.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.nri.PodSandbox;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttachGateTest {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Sandbox SANDBOX = sandbox("s1", "pod");

  @TempDir private Path directory;
  private final PlugDriver driver = new PlugDriver();
  private final PlugDriver.Notices notices = new PlugDriver.Notices();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicInteger reconnects = new AtomicInteger();
  private DriverRuntime runtime;
  private ClaimFiles files;
  private AttachGate gate;

  @BeforeEach
  void start() throws Exception {
    start(driver);
  }

  private void start(PreparingDriver with) throws Exception {
    runtime = PlugDriver.runtime(directory.resolve("claims.db"), with);
    files = ClaimFiles.open(directory.resolve("cdi"), directory.resolve("own"), PlugDriver.NAME);
    gate =
        new AttachGate(
            runtime,
            new SandboxClaims(runtime, pod -> Set.of()),
            Map.of(PlugDriver.NAME, files),
            claim -> {},
            notices,
            new AttachGate.Threads(threads, threads));
  }

  @AfterEach
  void stop() throws Exception {
    open.countDown();
    runtime.close();
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS))
        .isTrue(); // writes into the directory
  }

  private void prepare() throws Exception {
    runtime.prepare(claim("c", "a", "pod"));
    gate.prepared(stored());
  }

  /** A claim that two pods use, in two sandboxes. */
  private void prepareShared() throws Exception {
    runtime.prepare(claim("c", "a", "pod", "second"));
    gate.prepared(stored());
  }

  private StoredClaim stored() {
    return runtime.find("uid-c", PlugDriver.NAME).orElseThrow();
  }

  private void holdAttach() {
    driver.before =
        sandbox -> {
          try {
            open.await();
          } catch (InterruptedException e) {
            throw DriverException.failed("interrupted", e);
          }
        };
  }

  private void settle() throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    while (gate.isWaiting(stored()) && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    assertThat(gate.isWaiting(stored())).isFalse();
  }

  @Test
  void fileOfAClaimIsThereOnlyWhileItIsAttached() throws Exception {
    prepare();
    assertThat(files.has("uid-c")).isFalse();
    gate.run(SANDBOX, LONG);
    assertThat(driver.attached).containsExactly("c in s1");
    assertThat(Files.readString(directory.resolve("cdi/plug.example.com_uid-c.json")))
        .contains("PLUG=a", "/run/netns/s1");
    gate.stop("s1", LONG);
    assertThat(files.has("uid-c")).isFalse();
    assertThat(driver.attached).isEmpty();
    assertThat(notices.kicked).isEmpty();
  }

  @Test
  void claimOfADriverThatAttachesNothingNeedsNoSandbox() throws Exception {
    runtime.close();
    start(new PlugDriver.OfFiles());
    prepare();
    assertThat(files.has("uid-c")).isTrue();
    assertThat(gate.admit(SANDBOX)).isEmpty();
    assertThat(Files.readString(directory.resolve("cdi/plug.example.com_uid-c.json")))
        .doesNotContain("netns");
  }

  @Test
  void lateAttachIsNotCancelledAndKicksThePod() throws Exception {
    prepare();
    holdAttach();
    gate.run(SANDBOX, SHORT);
    assertThat(gate.admit(SANDBOX).orElseThrow()).contains("default/c", PlugDriver.NAME);
    assertThat(files.has("uid-c")).isFalse();
    assertThat(notices.warning("late")).isPresent();
    open.countDown();
    settle();
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(gate.admit(SANDBOX)).isEmpty();
    assertThat(notices.kicked).containsExactly("s1");
  }

  @Test
  void failureInTimeRefusesTheSandbox() throws Exception {
    prepare();
    driver.before =
        sandbox -> {
          throw DriverException.failed("the plug is broken", null);
        };
    assertThatExceptionOfType(ClaimException.class)
        .isThrownBy(() -> gate.run(SANDBOX, LONG))
        .withMessageContaining("the plug is broken");
    assertThat(files.has("uid-c")).isFalse();
    assertThat(notices.warning("failed").orElseThrow()).contains("the plug is broken");
    driver.before = sandbox -> {};
    gate.run(sandbox("s2", "pod"), LONG);
    assertThat(driver.attached).containsExactly("c in s2");
  }

  @Test
  void sandboxThatStopsMeanwhileHasNothing() throws Exception {
    prepare();
    holdAttach();
    gate.run(SANDBOX, SHORT);
    gate.stop("s1", SHORT);
    open.countDown();
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(driver.attached).isEmpty();
    assertThat(files.has("uid-c")).isFalse();
    assertThat(notices.kicked).isEmpty();
  }

  @Test
  void sandboxThatTheRuntimeLostMeanwhileHasNothing() throws Exception {
    prepare();
    holdAttach();
    gate.run(SANDBOX, SHORT);
    gate.synchronize(List.of(), any -> true);
    open.countDown();
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(driver.attached).isEmpty();
    assertThat(files.has("uid-c")).isFalse();
  }

  @Test
  void containerOfAnUnknownSandboxIsRefusedAndTheClaimAttached() throws Exception {
    prepare();
    assertThat(gate.admit(SANDBOX)).isPresent();
    settle();
    assertThat(gate.admit(SANDBOX)).isEmpty();
    assertThat(driver.attached).containsExactly("c in s1");
  }

  @Test
  void podOfAnotherClaimIsAdmitted() throws Exception {
    prepare();
    assertThat(gate.admit(sandbox("s9", "other"))).isEmpty();
    gate.run(sandbox("s9", "other"), LONG);
    assertThat(driver.attached).isEmpty();
  }

  @Test
  void sandboxesThatWereMissedAreAttachedAndThoseThatAreGoneDetached() throws Exception {
    prepare();
    gate.run(SANDBOX, LONG);
    gate.synchronize(List.of(sandbox("s2", "pod")), sandbox -> true);
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(driver.attached).doesNotContain("c in s1");
  }

  @Test
  void newSandboxOfThePodHasTheFile() throws Exception {
    prepare();
    gate.run(SANDBOX, LONG);
    gate.run(sandbox("s2", "pod"), LONG);
    assertThat(driver.attached).containsExactly("c in s2");
    assertThat(Files.readString(directory.resolve("cdi/plug.example.com_uid-c.json")))
        .contains("/run/netns/s2");
  }

  @Test
  void podThatFailsLeavesTheClaimOpenForAnother() throws Exception {
    prepareShared();
    gate.run(SANDBOX, LONG);
    driver.before =
        sandbox -> {
          throw DriverException.failed("the plug is broken", null);
        };
    assertThatExceptionOfType(ClaimException.class)
        .isThrownBy(() -> gate.run(sandbox("s2", "second"), LONG));
    assertThat(Files.readString(directory.resolve("cdi/plug.example.com_uid-c.json")))
        .contains("/run/netns/s1");
    assertThat(gate.admit(SANDBOX)).isEmpty();
    assertThat(driver.attached).containsExactly("c in s1");
  }

  @Test
  void podThatEndsLeavesTheClaimOpenForAnother() throws Exception {
    prepareShared();
    gate.run(SANDBOX, LONG);
    gate.run(sandbox("s2", "second"), LONG);
    gate.stop("s1", LONG);
    assertThat(Files.readString(directory.resolve("cdi/plug.example.com_uid-c.json")))
        .contains("/run/netns/s2");
    gate.stop("s2", LONG);
    assertThat(files.has("uid-c")).isFalse();
  }

  @Test
  void claimThatCannotBeDetachedFromAPodStaysOpenForAnother() throws Exception {
    prepareShared();
    gate.run(SANDBOX, LONG);
    gate.run(sandbox("s2", "second"), LONG);
    driver.beforeDetach =
        () -> {
          throw new InterruptedException("the plug is stuck");
        };
    gate.stop("s1", LONG);
    assertThat(Files.readString(directory.resolve("cdi/plug.example.com_uid-c.json")))
        .contains("/run/netns/s2");
    gate.stop("s2", LONG);
    assertThat(files.has("uid-c")).isFalse();
  }

  @Test
  void claimsOfSandboxesThatAreGoneAreDetachedBeforeOthersAreAttached() throws Exception {
    prepare();
    gate.run(SANDBOX, LONG);
    runtime.prepare(claim("d", "b", "second"));
    CountDownLatch detached = new CountDownLatch(1);
    driver.beforeDetach = detached::await;
    gate.synchronize(List.of(sandbox("s2", "second")), any -> true);
    assertThat(driver.attached).containsExactly("c in s1");
    driver.before = sandbox -> assertThat(driver.attached).isEmpty();
    detached.countDown();
    long end = System.nanoTime() + LONG.toNanos();
    while (!driver.attached.equals(Set.of("d in s2")) && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    assertThat(driver.attached).containsExactly("d in s2");
  }

  @Test
  void sandboxOfAListThatHasEndedIsNotOnTheNetworkOfTheHost() {
    assertThat(SandboxHandler.listed(pod(0)).network()).isEqualTo(Sandbox.Network.UNKNOWN);
    assertThat(SandboxHandler.listed(pod(7)).network()).isEqualTo(Sandbox.Network.HOST);
    assertThat(SandboxHandler.running(pod(0)).network()).isEqualTo(Sandbox.Network.HOST);
  }

  private static PodSandbox pod(long pid) {
    return new PodSandbox("s1", "uid", "pod", "default", Optional.empty(), Map.of(), Map.of(), pid);
  }

  @Test
  void filesThatAProcessBeforeLeftBehindAreRemovedUnlessTheyAreTrue() throws Exception {
    prepare();
    gate.run(SANDBOX, LONG);
    Path stale = directory.resolve("cdi/plug.example.com_uid-gone.json");
    Files.writeString(stale, "{}");
    gate.restore();
    assertThat(files.has("uid-c")).isTrue();
    assertThat(stale).doesNotExist();
    runtime.detach("uid-c", "s1");
    gate.restore();
    assertThat(files.has("uid-c")).isFalse();
  }

  @Test
  void watchdogAsksTheRuntimeForSandboxesItMissed() throws Exception {
    prepare();
    AttachWatchdog watchdog = new AttachWatchdog(runtime, gate, reconnects::incrementAndGet);
    long second = Duration.ofSeconds(1).toNanos();
    watchdog.look(0);
    watchdog.look(2 * second);
    assertThat(reconnects).hasValue(0);
    watchdog.look(3 * second);
    watchdog.look(4 * second);
    assertThat(reconnects).hasValue(1);
    watchdog.look(6 * second);
    watchdog.look(7 * second);
    assertThat(reconnects).hasValue(2);
    gate.run(SANDBOX, LONG);
    watchdog.look(100 * second);
    assertThat(reconnects).hasValue(2);
  }

  @Test
  void watchdogWaitsForASandboxWhoseEventCannotHaveBeenMissed() throws Exception {
    AttachWatchdog watchdog = new AttachWatchdog(runtime, gate, reconnects::incrementAndGet);
    long second = Duration.ofSeconds(1).toNanos();
    gate.synchronize(List.of(), any -> true);
    watchdog.look(0);
    prepare(); // its network is being set up
    watchdog.look(second);
    watchdog.look(50 * second);
    assertThat(reconnects).hasValue(0);
    watchdog.look(61 * second);
    assertThat(reconnects).hasValue(1);
    gate.synchronize(List.of(), any -> true); // the answer
    watchdog.look(100 * second);
    assertThat(reconnects).hasValue(1);
    watchdog.look(122 * second);
    assertThat(reconnects).hasValue(2);
  }

  @Test
  void watchdogAsksAgainAfterTheRuntimeWasConnectedAnew() throws Exception {
    AttachWatchdog watchdog = new AttachWatchdog(runtime, gate, reconnects::incrementAndGet);
    long second = Duration.ofSeconds(1).toNanos();
    watchdog.look(0);
    prepare();
    watchdog.look(second);
    gate.synchronize(List.of(), any -> true); // a sandbox may begin before this and be missing
    watchdog.look(4 * second);
    assertThat(reconnects).hasValue(1);
  }

  @Test
  void watchdogAttachesToASandboxThatIsKnown() throws Exception {
    prepare();
    gate.run(SANDBOX, LONG);
    runtime.detach("uid-c", "s1"); // by hand
    AttachWatchdog watchdog = new AttachWatchdog(runtime, gate, reconnects::incrementAndGet);
    watchdog.look(0);
    watchdog.look(Duration.ofSeconds(3).toNanos());
    settle();
    assertThat(driver.attached).containsExactly("c in s1");
    assertThat(reconnects).hasValue(0);
  }

  @Test
  void claimThatTheApiServerLacksTwiceIsTakenBack() throws Exception {
    prepare();
    gate.run(SANDBOX, LONG);
    ClaimReconciler reconciler = new ClaimReconciler(runtime, claim -> false, gate);
    reconciler.look();
    assertThat(driver.attached).hasSize(1);
    reconciler.look();
    assertThat(driver.attached).isEmpty();
    assertThat(runtime.claims()).isEmpty();
    assertThat(files.has("uid-c")).isFalse();
  }

  @Test
  void claimThatTheApiServerHasStays() throws Exception {
    prepare();
    ClaimReconciler reconciler = new ClaimReconciler(runtime, claim -> true, gate);
    reconciler.look();
    reconciler.look();
    assertThat(runtime.claims()).hasSize(1);
  }

  @Test
  void podThatNamesAClaimHasItThoughItWasReservedForAnother() throws Exception {
    prepare();
    SandboxClaims claims =
        new SandboxClaims(
            runtime, pod -> pod.equals("second") ? Set.of(new ClaimKey("default", "c")) : Set.of());
    assertThat(claims.of(sandbox("s2", "second"))).hasSize(1);
    assertThat(claims.of(sandbox("s3", "third"))).isEmpty();
    assertThat(claims.of(SANDBOX)).hasSize(1);
  }

  @Test
  void podOfAGroupHasTheClaimsOfTheGroup() throws Exception {
    runtime.prepare(
        PlugDriver.claim(
            "c",
            "a",
            List.of(
                new ResourceClaimConsumerReference(
                    "scheduling.k8s.io", "podgroups", "team", "uid-team"))));
    SandboxClaims claims =
        new SandboxClaims(
            runtime,
            new SandboxClaims.Pods() {
              @Override
              public Set<ClaimKey> claimsOf(String podUid) {
                return Set.of();
              }

              @Override
              public Optional<String> groupOf(String podUid) {
                return podUid.equals("member") ? Optional.of("team") : Optional.empty();
              }
            });
    assertThat(claims.of(sandbox("s1", "member"))).hasSize(1);
    assertThat(claims.of(sandbox("s2", "other"))).isEmpty();
  }
}
