package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.claimOfAll;
import static io.dra4j.runtime.RuntimeFixture.reservedFor;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three and more troubles at the same time, and instances that wait for each other meanwhile. */
class SeveralTroublesTest {

  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private Path store;
  private Path lamps;
  private LampDriver driver;
  private final List<DriverRuntime> open = new ArrayList<>();

  @BeforeEach
  void makeDriver() throws Exception {
    store = directory.resolve("store");
    lamps = Files.createDirectory(directory.resolve("lamps"));
    driver = new LampDriver(lamps, "a", "b", "c");
  }

  @AfterEach
  void stop() {
    driver.fault = step -> {};
    open.forEach(DriverRuntime::close);
  }

  private DriverRuntime start(RuntimeOptions options) throws Exception {
    DriverRuntime made = options.build();
    open.add(made);
    made.start();
    return made;
  }

  private void sql(String text) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(text)).isPositive();
    }
  }

  private static boolean standsBy(DriverRuntime runtime) {
    return runtime.health().problems().stream().anyMatch(one -> one.startsWith("standby"));
  }

  /** Sandboxes whose namespaces are not there, as after each reboot. */
  @Test
  void anotherBootAnotherReleaseAndADamagedStepCostTheDamagedClaimAlone() throws Exception {
    DriverRuntime first = start(runtime(store, driver).bootId("boot-1"));
    first.prepare(claim("x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));
    first.prepare(claim("y", "b"));
    first.attach("uid-y", sandbox("s2", "p2"));
    first.prepare(claim("z", "c"));
    first.close();
    for (String lamp : driver.state()) { // of which the next kernel knows nothing
      Files.delete(lamps.resolve(lamp));
    }
    CrashBoundaryTest.upgrade(store);
    sql("UPDATE step SET checksum = 0 WHERE uid = 'uid-y' AND sandbox = 's2'");

    DriverRuntime second = start(runtime(store, driver).bootId("boot-2"));

    assertThat(second.health().isReady()).isFalse();
    assertThat(second.health().isLive()).isTrue();
    assertThat(second.health().problems())
        .allMatch(one -> one.contains("uid-y"))
        .anyMatch(one -> one.contains("is quarantined"));
    second.prepare(claim("x", "a"));
    second.prepare(claim("z", "c"));
    second.attach("uid-x", sandbox("s3", "p1"));
    assertThatThrownBy(() -> second.prepare(claim("y", "b"))).hasMessageContaining("is damaged");
    assertThatThrownBy(() -> second.prepare(claim("w", "b"))).isInstanceOf(ClaimException.class);
    second.forget("uid-y", LampDriver.NAME);
    second.prepare(claim("w", "b"));
    assertThat(second.health().isReady()).isTrue();
    assertThat(second.claims()).extracting(StoredClaim::boot).containsOnly("boot-2");
    assertThat(driver.state()).containsExactly("lit-a", "on-a", "on-b", "on-c");
  }

  /** The attach of the first instance listens to no interrupt, and the pod comes again. */
  @Test
  void ofTwoInstancesThatWaitOneTakesOverInTheMiddleOfAnAttach() throws Exception {
    CountDownLatch isWorking = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    driver.fault =
        step -> {
          if (step.equals("lit a")) {
            isWorking.countDown();
            while (mayGoOn.getCount() > 0) {
              Thread.onSpinWait();
            }
          }
        };
    DriverRuntime first = start(runtime(store, driver).stopLimit(Duration.ofMillis(50)));
    first.prepare(claim("x", "a"));
    CompletableFuture<Void> attaching =
        CompletableFuture.runAsync(
            () -> {
              try {
                first.attach("uid-x", sandbox("s1", "p1"));
              } catch (ClaimException | IllegalStateException e) {
                // it was closed meanwhile
              }
            });
    isWorking.await();
    LampDriver quiet = new LampDriver(lamps, "a", "b");
    DriverRuntime second = start(runtime(store, quiet).standby(LONG));
    DriverRuntime third = start(runtime(store, quiet).standby(LONG));
    first.close();
    assertThat(standsBy(second) && standsBy(third)).isTrue();
    assertThat(quiet.calls).isEmpty();

    mayGoOn.countDown();
    attaching.get(1, TimeUnit.MINUTES);
    while (standsBy(second) == standsBy(third)) {
      Thread.onSpinWait();
    }
    DriverRuntime active = standsBy(second) ? third : second;
    DriverRuntime waiting = standsBy(second) ? second : third;
    active.attach("uid-x", sandbox("s2", "p1"));
    assertThat(quiet.state()).containsExactly("lit-a", "on-a");
    assertThatThrownBy(() -> waiting.unprepare("uid-x")).hasMessageContaining("standby");

    active.close();
    while (standsBy(waiting)) {
      Thread.onSpinWait();
    }
    waiting.unprepare("uid-x");
    assertThat(quiet.state()).isEmpty();
  }

  @Test
  void anInstanceThatStandsByChangesNothingWhateverItIsAskedFor() throws Exception {
    DriverRuntime first = start(runtime(store, driver));
    first.prepare(reservedFor(claim("x", "a"), "p1"));
    LampDriver next = new LampDriver(lamps, "a", "b");
    DriverRuntime second = start(runtime(store, next).standby(LONG));

    assertThatThrownBy(() -> second.forget("uid-x", LampDriver.NAME))
        .hasMessageContaining("standby");
    assertThatThrownBy(() -> second.reserve("uid-x", List.of())).hasMessageContaining("standby");
    assertThatThrownBy(() -> second.release("uid-x")).hasMessageContaining("standby");
    assertThatThrownBy(() -> second.attach("uid-x", sandbox("s1", "p1")))
        .hasMessageContaining("standby");
    assertThatThrownBy(() -> second.detach("uid-x", "s1")).hasMessageContaining("standby");
    Synchronization outcome = second.synchronize(List.of(sandbox("s1", "p1")));

    assertThat(outcome.attached()).isEmpty();
    assertThat(next.calls).isEmpty();
    assertThat(first.claims().get(0).claim().claimed().reservedFor()).hasSize(1);
    assertThat(driver.state()).containsExactly("on-a");
  }

  @Test
  void aClaimOfTwoDriversThatIsDamagedForOneIsTakenBackByTheOther() throws Exception {
    LampDriver other =
        new LampDriver(
            "lamp.example.com.b", Files.createDirectory(directory.resolve("others")), "a", "b");
    DriverRuntime first = start(runtime(store, driver, other));
    first.prepare(claimOfAll("x", "a", LampDriver.NAME, other.name()));
    first.attach("uid-x", sandbox("s1", "p1"));
    first.close();
    sql("UPDATE step SET checksum = 0 WHERE uid = 'uid-x' AND driver = '" + other.name() + "'");

    DriverRuntime second = start(runtime(store, driver, other));
    second.unprepare("uid-x", LampDriver.NAME, Deadline.none());

    assertThat(driver.state()).isEmpty();
    assertThat(second.health().problems())
        .isNotEmpty()
        .allMatch(one -> one.contains(other.name()) || one.contains("uid-x"));
    assertThatThrownBy(() -> second.unprepare("uid-x", other.name(), Deadline.none()))
        .hasMessageContaining("is damaged");
    second.prepare(claim("y", "a"));
    assertThat(driver.state()).containsExactly("on-a");
  }

  @Test
  void aSandboxWhoseNetworkIsKnownLaterStaysAttachedAndKeepsWhatIsKnown() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.prepare(claim("x", "a"));
    Sandbox unknown = Sandbox.ofPod("s1", "p1").build();
    Sandbox host = Sandbox.ofPod("s1", "p1").hostNetwork().build();
    runtime.attach("uid-x", unknown);
    runtime.attach("uid-x", host);
    runtime.attach("uid-x", unknown);

    assertThat(driver.calls).containsExactly("prepare x", "attach x");
    assertThat(runtime.claims().get(0).attachments())
        .singleElement()
        .satisfies(one -> assertThat(one.sandbox().network()).isEqualTo(Sandbox.Network.HOST));
  }

  /** The node has another name after the reboot, and the next release another step. */
  @Test
  void aNodeThatIsRenamedByAnUpgradeWithARebootGivesEachDeviceOnce() throws Exception {
    DriverRuntime first = start(runtime(store, driver).bootId("boot-1"));
    first.prepare(claim("x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));
    first.close();
    CrashBoundaryTest.upgrade(store);
    driver.fault =
        step -> {
          if (step.equals("undo on a")) {
            throw DriverException.failed("a later release stored 'v2'", null);
          }
        };

    DriverRuntime second = start(runtime(store, driver).node("node-2").bootId("boot-2"));
    assertThat(second.claims()).hasSize(1);
    assertThat(second.slices().get(0).devices())
        .extracting(one -> one.name())
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(second.health().problems()).anyMatch(one -> one.contains("is not undone yet"));
    driver.fault = step -> {};
    second.unprepare("uid-x");
    assertThat(second.claims()).isEmpty();
    assertThat(driver.state()).isEmpty();
    assertThat(driver.calls).contains("after reboot: on a");
  }
}
