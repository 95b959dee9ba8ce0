package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.claimOf;
import static io.dra4j.runtime.RuntimeFixture.claimOfAll;
import static io.dra4j.runtime.RuntimeFixture.reservedFor;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a kubelet plugin and a plugin of a container runtime ask for. */
class ClaimServiceTest {

  private static final String OTHER = "other.example.com";
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private Path store;
  private LampDriver driver;
  private LampDriver other;
  private @Nullable DriverRuntime started;

  @BeforeEach
  void makeDrivers() throws Exception {
    store = directory.resolve("store");
    driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b", "c");
    other = new LampDriver(OTHER, Files.createDirectory(directory.resolve("others")), "a");
  }

  @AfterEach
  void stop() {
    driver.fault = step -> {};
    other.fault = step -> {};
    if (started != null) {
      started.close();
    }
  }

  private DriverRuntime start() throws Exception {
    if (started != null) {
      started.close();
    }
    DriverRuntime made = runtime(store, driver, other).build();
    started = made;
    made.start();
    return made;
  }

  // Who a claim is for.

  @Test
  void aSecondPrepareForMorePodsChangesForWhomTheClaimIs() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(reservedFor(claim("x", "a"), "p1"));
    runtime.prepare(reservedFor(claim("x", "a"), "p1", "p2"));

    assertThat(consumers(runtime)).containsExactly("p1", "p2");
    assertThat(driver.calls).containsExactly("prepare x", "reserve x");
    assertThat(consumers(start())).containsExactly("p1", "p2");
  }

  @Test
  void aClaimIsReservedForOthersWithoutBeingPreparedAgain() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(reservedFor(claim("x", "a"), "p1"));
    runtime.reserve("uid-x", List.of(new ResourceClaimConsumerReference("", "pods", "p2", "p2")));
    runtime.reserve("uid-unknown", List.of());

    assertThat(consumers(runtime)).containsExactly("p2");
    assertThat(driver.calls).containsExactly("prepare x", "reserve x");
  }

  @Test
  void aDriverRefusesMoreConsumersAndTheClaimStaysAsItIs() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(reservedFor(claim("x", "a"), "p1"));
    driver.fault =
        step -> {
          if (step.equals("reserve")) {
            throw DriverException.invalid("it moves into one pod alone");
          }
        };

    assertThatThrownBy(() -> runtime.prepare(reservedFor(claim("x", "a"), "p1", "p2")))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("it moves into one pod alone");
    assertThat(consumers(runtime)).containsExactly("p1");
    assertThat(driver.state()).containsExactly("on-a");
  }

  private static List<String> consumers(DriverRuntime runtime) {
    return runtime
        .find("uid-x", LampDriver.NAME)
        .orElseThrow()
        .claim()
        .claimed()
        .reservedFor()
        .stream()
        .map(ResourceClaimConsumerReference::uid)
        .toList();
  }

  // The id of a sandbox decides.

  @Test
  void aSandboxThatIsToldWithLessStaysAttached() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    runtime.attach("uid-x", Sandbox.ofPod("s1", "p1").build());
    runtime.attach("uid-x", Sandbox.ofPod("s1", "").build());
    runtime.attach("uid-x", Sandbox.ofPod("s1", "p1").pod("default", "renamed").build());

    assertThat(driver.calls).containsExactly("prepare x", "attach x");
    Sandbox known = runtime.claims().get(0).attachments().get(0).sandbox();
    assertThat(known.podName()).isEqualTo("renamed");
    assertThat(known.networkNamespace()).isEqualTo(Path.of("/run/netns/s1"));
    assertThat(start().claims().get(0).attachments().get(0).sandbox()).isEqualTo(known);
  }

  @Test
  void aSandboxThatIsToldWithMoreStaysAttachedAndTheFactsAreKept() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", Sandbox.ofPod("s1", "p1").build());
    runtime.attach("uid-x", Sandbox.ofPod("s1", "p1").hostNetwork().build());

    assertThat(driver.calls).containsExactly("prepare x", "attach x");
    assertThat(runtime.claims().get(0).attachments().get(0).sandbox().network())
        .isEqualTo(Sandbox.Network.HOST);
  }

  @Test
  void anotherSandboxOfThePodTakesOver() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    runtime.attach("uid-x", sandbox("s2", "p1"));

    assertThat(driver.calls).containsExactly("prepare x", "attach x", "detach x", "attach x");
  }

  @Test
  void sandboxesAreBroughtInLineWithThoseOfTheContainerRuntime() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(reservedFor(claim("kept", "a"), "p1"));
    runtime.prepare(reservedFor(claim("gone", "b"), "p2"));
    runtime.prepare(reservedFor(claim("missed", "c"), "p3"));
    runtime.attach("uid-kept", sandbox("s1", "p1"));
    runtime.attach("uid-gone", sandbox("s2", "p2"));
    driver.calls.clear();

    Synchronization done =
        runtime.synchronize(
            List.of(
                Sandbox.ofPod("s1", "p1").build(), // with less than before
                sandbox("s3", "p3"),
                sandbox("s4", "p4")));

    assertThat(done.kept()).containsExactly(new Synchronization.Entry("uid-kept", "s1"));
    assertThat(done.detached()).containsExactly(new Synchronization.Entry("uid-gone", "s2"));
    assertThat(done.attached()).containsExactly(new Synchronization.Entry("uid-missed", "s3"));
    assertThat(done.failures()).isEmpty();
    assertThat(driver.calls).containsExactly("detach gone", "attach missed");
    assertThat(driver.state()).containsExactly("lit-a", "lit-c", "on-a", "on-b", "on-c");
  }

  @Test
  void aSandboxWithoutAPodIsNotDetachedBecauseNoContainerRuntimeKnowsIt() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", Sandbox.of(Path.of("/run/netns/by-hand")));

    assertThat(runtime.synchronize(List.of()).detached()).isEmpty();
    assertThat(driver.state()).containsExactly("lit-a", "on-a");
  }

  @Test
  void whatCannotBeAttachedDoesNotKeepTheOthersFromIt() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(reservedFor(claim("x", "a"), "p1"));
    runtime.prepare(reservedFor(claim("y", "b"), "p2"));
    driver.fault =
        step -> {
          if (step.equals("lit a")) {
            throw DriverException.failed("no power", null);
          }
        };

    Synchronization done = runtime.synchronize(List.of(sandbox("s1", "p1"), sandbox("s2", "p2")));

    assertThat(done.failures()).hasSize(1);
    assertThat(done.attached()).containsExactly(new Synchronization.Entry("uid-y", "s2"));
  }

  // One driver does not wait for another.

  @Test
  void aCallForOneDriverDoesNotFailBecauseOfAnother() throws Exception {
    DriverRuntime runtime = start();
    other.fault =
        step -> {
          throw DriverException.failed("broken", null);
        };
    var both = claimOfAll("x", "a", LampDriver.NAME, OTHER);

    assertThat(runtime.prepare(both, LampDriver.NAME, Deadline.after(LONG))).hasSize(1);
    assertThatThrownBy(() -> runtime.prepare(both, OTHER, Deadline.after(LONG)))
        .hasMessageContaining("broken");
    assertThat(driver.state()).containsExactly("on-a");

    other.fault = step -> {};
    runtime.prepare(both, OTHER, Deadline.after(LONG));
    runtime.unprepare("uid-x", LampDriver.NAME, Deadline.after(LONG));
    assertThat(driver.state()).isEmpty();
    assertThat(other.state()).containsExactly("on-a");
    assertThat(runtime.find("uid-x", LampDriver.NAME)).isEmpty();
    assertThat(runtime.find("uid-x", OTHER)).isPresent();
  }

  @Test
  void aCallForOneDriverDoesNotWaitForAnother() throws Exception {
    DriverRuntime runtime = start();
    var both = claimOfAll("x", "a", LampDriver.NAME, OTHER);
    CountDownLatch isWorking = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    other.fault =
        step -> {
          isWorking.countDown();
          await(mayGoOn);
        };
    CompletableFuture<Void> slow =
        CompletableFuture.runAsync(
            () -> checked(() -> runtime.prepare(both, OTHER, Deadline.none())));
    await(isWorking);

    runtime.prepare(both, LampDriver.NAME, Deadline.after(LONG));
    runtime.unprepare("uid-x", LampDriver.NAME, Deadline.after(LONG));

    assertThat(slow).isNotDone();
    mayGoOn.countDown();
    slow.get(1, TimeUnit.MINUTES);
    assertThat(other.state()).containsExactly("on-a");
  }

  @Test
  void aDeviceOfAnotherDriverThatIsTakenIsNoConcernOfThisOne() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(RuntimeFixture.claimOf(OTHER, "first", "a"));
    var both = claimOfAll("x", "a", LampDriver.NAME, OTHER);

    assertThat(runtime.prepare(both, LampDriver.NAME, Deadline.none())).hasSize(1);
    assertThatThrownBy(() -> runtime.prepare(both, OTHER, Deadline.none()))
        .hasMessageContaining("its allocation is not current");
  }

  @Test
  void aDeviceOfAnotherPoolIsAnotherDevice() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    AllocationResult.Builder fabric = AllocationResult.builder();
    fabric.result(
        DeviceRequestAllocationResult.of("light", new DeviceId(LampDriver.NAME, "fabric", "a"))
            .build());

    assertThatThrownBy(
            () -> runtime.prepare(claim("y", "a").toBuilder().allocation(fabric.build()).build()))
        .isInstanceOf(ClaimException.class)
        .hasMessageNotContaining("uid-x"); // it is not offered, but no claim has it
  }

  // Deadlines.

  @Test
  void whatADriverBeganIsUndoneBeforeTheDeadline() throws Exception {
    DriverRuntime runtime = start();
    driver.fault =
        step -> {
          if (step.startsWith("end of")) {
            await(new CountDownLatch(1));
          }
        };

    assertThatThrownBy(
            () ->
                runtime.prepare(
                    claim("x", "a"), LampDriver.NAME, Deadline.after(Duration.ofSeconds(3))))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("took longer than");
    assertThat(driver.state()).isEmpty();
    assertThat(runtime.claims()).isEmpty();
  }

  @Test
  void aDriverThatDoesNotListenDoesNotKeepTheCallerWaiting() throws Exception {
    DriverRuntime runtime = start();
    CountDownLatch mayGoOn = new CountDownLatch(1);
    driver.fault =
        step -> {
          if (step.startsWith("end of")) {
            awaitWhateverHappens(mayGoOn);
          }
        };

    assertThatThrownBy(
            () ->
                runtime.prepare(
                    claim("x", "a"), LampDriver.NAME, Deadline.after(Duration.ofMillis(300))))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("did not end before its deadline");
    assertThat(driver.calls).containsExactly("prepare x");
    mayGoOn.countDown();

    runtime.unprepare("uid-x"); // waits for the call
    assertThat(driver.state()).isEmpty();
  }

  /** Otherwise a device stays half prepared, or in a pod, because its driver was slow before. */
  @ParameterizedTest
  @ValueSource(strings = {"prepare", "attach"})
  void whatIsUndoneAfterTheDeadlineIsNotCutShort(String call) throws Exception {
    DriverRuntime runtime = start();
    CountDownLatch mayFail = new CountDownLatch(1);
    CountDownLatch isUndoing = new CountDownLatch(1);
    CountDownLatch mayUndo = new CountDownLatch(1);
    if (call.equals("attach")) {
      runtime.prepare(claim("x", "a"));
    }
    driver.fault =
        step -> {
          if (step.equals("end of " + call)) {
            awaitWhateverHappens(mayFail);
            throw DriverException.failed("too late", null);
          } else if (step.startsWith("undo")) {
            isUndoing.countDown();
            await(mayUndo);
          }
        };
    Deadline deadline = Deadline.after(Duration.ofMillis(300));

    assertThatThrownBy(
            () -> {
              if (call.equals("prepare")) {
                runtime.prepare(claim("x", "a"), LampDriver.NAME, deadline);
              } else {
                runtime.attach("uid-x", sandbox("s1", "p1"), deadline);
              }
            })
        .hasMessageContaining("did not end before its deadline");
    mayFail.countDown();
    await(isUndoing);
    Thread.sleep(50); // an interrupt would come after a millisecond
    driver.fault = step -> {};
    mayUndo.countDown();

    runtime.unprepare("uid-x"); // waits for it
    assertThat(driver.state()).isEmpty();
    assertThat(driver.calls).containsOnlyOnce(call.equals("prepare") ? "unprepare x" : "detach x");
  }

  @Test
  void nothingIsBegunAfterTheDeadline() throws Exception {
    DriverRuntime runtime = start();

    assertThatThrownBy(
            () ->
                runtime.prepare(
                    claim("x", "a"), LampDriver.NAME, Deadline.after(Duration.ofMillis(-1))))
        .isInstanceOf(ClaimException.class);

    runtime.unprepare("uid-x");
    assertThat(driver.calls).doesNotContain("prepare x");
    assertThat(runtime.claims()).isEmpty();
  }

  /** A success would let a pod start without its devices. */
  @Test
  void aDriverThatDoesNotRunHerePreparesNothing() throws Exception {
    DriverRuntime runtime = start();
    String unknown = "unknown.example.com";

    for (ResourceClaim claim : List.of(claimOf(unknown, "x", "a"), claim("y", "a"))) {
      assertThatThrownBy(() -> runtime.prepare(claim, unknown, Deadline.after(LONG)))
          .hasMessageContaining(unknown)
          .hasMessageContaining("is not running in this process")
          .satisfies(
              e ->
                  assertThat(((ClaimException) e).kind())
                      .isEqualTo(DriverException.Kind.UNAVAILABLE));
    }
    assertThat(runtime.claims()).isEmpty();
  }

  @Test
  void aSandboxThatCannotBeDetachedKeepsTheClaimInNoOther() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    runtime.attach("uid-x", sandbox("s2", "p2"));
    AtomicInteger detached = new AtomicInteger();
    driver.fault =
        step -> {
          if (step.equals("detach") && detached.getAndIncrement() == 0) {
            throw DriverException.unavailable("busy");
          }
        };

    assertThatThrownBy(() -> runtime.unprepare("uid-x")).hasMessageContaining("busy");

    assertThat(runtime.find("uid-x", LampDriver.NAME).orElseThrow().attachments())
        .singleElement()
        .satisfies(one -> assertThat(one.state()).isEqualTo(ClaimState.STOPPING));
    runtime.unprepare("uid-x");
    assertThat(driver.state()).isEmpty();
  }

  /** Attached by all drivers, or by none. */
  @Test
  void whatCannotBeRestoredForASandboxTakesBackWhatOtherDriversAttached() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claimOfAll("x", "a", LampDriver.NAME, OTHER));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    List<LampDriver> both = List.of(driver, other);
    LampDriver last = // in the order of claims
        runtime.claims().get(1).driver().equals(OTHER) ? other : driver;
    last.isSettling = true;
    last.fault =
        step -> {
          if (step.equals("settle")) {
            throw DriverException.unavailable("busy");
          }
        };
    runtime.detach("uid-x", "s1");

    assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
        .hasMessageContaining("busy");

    for (LampDriver one : both) {
      assertThat(runtime.find("uid-x", one.name()).orElseThrow().attachments())
          .noneMatch(attachment -> attachment.state() == ClaimState.DONE);
    }
  }

  // Listeners and answers.

  @Test
  void listenersHearWhatBecomesOfAClaim() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    DriverRuntime runtime = start();
    ClaimListener listener = new Telling(heard);
    runtime.addClaimListener(
        new ClaimListener() {
          @Override
          public void prepared(StoredClaim claim) {
            throw new IllegalStateException("a listener with a fault");
          }
        });
    runtime.addClaimListener(listener);
    runtime.prepare(claim("x", "a"));
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    driver.fault =
        step -> {
          if (step.equals("detach")) {
            throw DriverException.failed("stuck", null);
          }
        };
    assertThatThrownBy(() -> runtime.detach("uid-x", "s1")).isInstanceOf(ClaimException.class);
    driver.fault = step -> {};
    runtime.unprepare("uid-x");
    runtime.removeClaimListener(listener);
    runtime.prepare(claim("y", "b"));

    assertThat(heard)
        .containsExactly(
            "prepared uid-x",
            "attached uid-x to s1",
            "detach of uid-x failed",
            "detached uid-x from s1",
            "unprepared uid-x");
  }

  private record Telling(List<String> heard) implements ClaimListener {

    @Override
    public void prepared(StoredClaim claim) {
      heard.add("prepared " + claim.uid());
    }

    @Override
    public void attached(StoredClaim claim, StoredAttachment attachment) {
      heard.add("attached " + claim.uid() + " to " + attachment.sandbox().id());
    }

    @Override
    public void failed(String uid, String driver, String call, ClaimException failure) {
      heard.add(call + " of " + uid + " failed");
    }

    @Override
    public void detached(StoredClaim claim, Sandbox sandbox) {
      heard.add("detached " + claim.uid() + " from " + sandbox.id());
    }

    @Override
    public void unprepared(StoredClaim claim) {
      heard.add("unprepared " + claim.uid());
    }
  }

  @Test
  void editsThatAreKnownOnceAttachedTakeThePlaceOfThoseBefore() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a", "b"));
    driver.changedEdits =
        Map.of(
            new DeviceId(LampDriver.NAME, "node-1", "b"),
            new ContainerEdits(Map.of("NEW", "1"), List.of(), List.of()));
    runtime.attach("uid-x", sandbox("s1", "p1"), Deadline.after(LONG));

    for (DriverRuntime one : List.of(runtime, start())) {
      assertThat(one.editsFor("uid-x", null, "s1").environment()).containsOnlyKeys("LAMP_0", "NEW");
      assertThat(one.editsFor("uid-x", null).environment()).containsOnlyKeys("LAMP_0", "LAMP_1");
    }
  }

  @Test
  void aDriverSaysWhichConditionsMustHoldBeforeAClaimIsUsed() throws Exception {
    DriverRuntime runtime = start();

    assertThat(runtime.bind(claim("x", "a"), LampDriver.NAME, Deadline.after(LONG)))
        .extracting(Condition::type)
        .containsExactly("Bulb");
    assertThat(runtime.claims()).isEmpty();
    assertThatThrownBy(
            () -> runtime.bind(claim("x", "a"), "unknown.example.com", Deadline.after(LONG)))
        .hasMessageContaining("unknown.example.com");
  }

  // Home first, settings afterwards.

  @Test
  void detachDoesNotWaitForWhatIsRestoredAfterwards() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    CountDownLatch mayGoOn = new CountDownLatch(1);
    CountDownLatch isSettling = new CountDownLatch(1);
    driver.isSettling = true;
    driver.fault =
        step -> {
          if (step.equals("settle")) {
            isSettling.countDown();
            await(mayGoOn);
          }
        };

    runtime.detach("uid-x", "s1");
    await(isSettling);
    assertThat(runtime.claims().get(0).attachments().get(0).state()).isEqualTo(ClaimState.SETTLING);
    runtime.attach("uid-x", sandbox("s2", "p2")); // waits for bringing home alone
    assertThat(runtime.find("uid-x", LampDriver.NAME).orElseThrow().attachments()).hasSize(2);

    mayGoOn.countDown();
    runtime.unprepare("uid-x"); // waits for all
    assertThat(driver.state()).isEmpty();
    assertThat(runtime.claims()).isEmpty();
  }

  @Test
  void whatWasNotRestoredBeforeARestartIsRestoredAfterIt() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    driver.isSettling = true;
    driver.fault =
        step -> {
          if (step.equals("settle")) {
            throw DriverException.unavailable("no carrier");
          }
        };
    runtime.detach("uid-x", "s1");
    runtime.close();
    assertThat(ClaimStore.read(store).get(0).attachments().get(0).state())
        .isEqualTo(ClaimState.SETTLING);

    driver.fault = step -> {};
    DriverRuntime second = start();
    assertThat(second.claims().get(0).attachments()).isEmpty();
    assertThat(driver.state()).containsExactly("on-a");
    assertThat(driver.calls)
        .doesNotContain("resume x")
        .containsSubsequence("resume settling x 1", "settle x");
  }

  @Test
  void whatIsNotFoundIsKeptAndReportedUntilItAppears() throws Exception {
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    AtomicBoolean isHidden = new AtomicBoolean(true);
    driver.fault =
        step -> {
          if (step.equals("detach") && isHidden.get()) {
            throw DriverException.unavailable("device a is neither in the sandbox nor here");
          }
        };

    assertThatThrownBy(() -> runtime.unprepare("uid-x"))
        .hasMessageContaining("neither in the sandbox nor here");
    assertThat(runtime.health().problems()).anyMatch(one -> one.contains("is not undone yet"));
    isHidden.set(false);
    driver.offer("a", "b"); // devices have changed: it is tried at once
    runtime.rescan(LONG);
    runtime.rescan(LONG);
    for (int i = 0; i < 600 && driver.state().contains("lit-a"); i++) {
      Thread.sleep(100);
      runtime.rescan(LONG);
    }
    assertThat(driver.state()).containsExactly("on-a"); // detached; the caller unprepares again
    runtime.unprepare("uid-x");
    assertThat(driver.state()).isEmpty();
  }

  // Helpers.

  private interface Checked {
    void run() throws Exception;
  }

  private static void checked(Checked work) {
    try {
      work.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) throws DriverException {
    try {
      if (!latch.await(1, TimeUnit.MINUTES)) {
        throw DriverException.failed("waited too long", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DriverException.failed("interrupted", e);
    }
  }

  private static void awaitWhateverHappens(CountDownLatch latch) {
    boolean isInterrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
