package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.allocationOf;
import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.claimOf;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static io.dra4j.runtime.RuntimeFixture.uidOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.testkit.FakeClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverRuntimeTest {

  @TempDir Path directory;
  private Path lamps;
  private LampDriver driver;
  private DriverRuntime runtime;

  @BeforeEach
  void start() throws Exception {
    lamps = Files.createDirectory(directory.resolve("lamps"));
    driver = new LampDriver(lamps, "a", "b", "c");
    runtime = runtime(directory.resolve("store"), driver).build();
    runtime.start();
  }

  @AfterEach
  void stop() {
    runtime.close();
  }

  private void restart() throws Exception {
    runtime.close();
    driver = new LampDriver(lamps, "a", "b", "c");
    runtime = runtime(directory.resolve("store"), driver).build();
    runtime.start();
  }

  @Test
  void whatTheDriverOffersIsInSlices() {
    assertThat(runtime.slices())
        .singleElement()
        .satisfies(
            slice -> {
              assertThat(slice.pool().name()).isEqualTo("node-1");
              assertThat(slice.devices()).extracting(Device::name).containsExactly("a", "b", "c");
            });
  }

  @Test
  void aClaimIsPreparedAttachedDetachedAndUnprepared() throws Exception {
    runtime.prepare(claim("x", "a", "b"));
    assertThat(driver.state()).containsExactly("on-a", "on-b");

    List<AllocatedDeviceStatus> statuses = runtime.attach("uid-x", sandbox("s1", "p1"));
    assertThat(statuses).extracting(AllocatedDeviceStatus::device).containsExactly("a", "b");
    assertThat(driver.state()).containsExactly("lit-a", "lit-b", "on-a", "on-b");

    runtime.detach("uid-x", "s1");
    assertThat(driver.state()).containsExactly("on-a", "on-b");

    runtime.unprepare("uid-x");
    assertThat(driver.state()).isEmpty();
    assertThat(runtime.claims()).isEmpty();
  }

  @Test
  void unprepareDetachesFirst() throws Exception {
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));

    runtime.unprepare("uid-x");

    assertThat(driver.calls).endsWith("detach x", "unprepare x");
    assertThat(driver.state()).isEmpty();
  }

  @Test
  void repeatedCallsAreAnsweredWithoutTheDriver() throws Exception {
    var first = runtime.prepare(claim("x", "a"));
    var statuses = runtime.attach("uid-x", sandbox("s1", "p1"));
    driver.calls.clear();

    assertThat(runtime.prepare(claim("x", "a"))).isEqualTo(first);
    assertThat(runtime.attach("uid-x", sandbox("s1", "p1"))).isEqualTo(statuses);
    assertThat(driver.calls).isEmpty();
  }

  @Test
  void unknownClaimsAndSandboxesAreNothingToTakeBack() throws Exception {
    runtime.prepare(claim("x", "a"));
    driver.calls.clear();

    runtime.unprepare("nobody");
    runtime.detach("uid-x", "nowhere");
    runtime.release("nobody");

    assertThat(driver.calls).isEmpty();
  }

  @Test
  void aPreparedClaimIsNotPreparedWithOtherDevices() throws Exception {
    runtime.prepare(claim("x", "a"));

    assertThatThrownBy(() -> runtime.prepare(claim("x", "b")))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("is prepared with other devices");
  }

  @Test
  void aClaimOfTheSameNameAndAnotherUidIsAnotherClaim() throws Exception {
    runtime.prepare(claim("x", "a"));
    ResourceClaim again =
        claim("x", "b").toBuilder()
            .metadata(new ObjectMeta("x", "default", "uid-new", Map.of(), Map.of()))
            .build();

    runtime.prepare(again);
    runtime.unprepare("uid-x");

    assertThat(driver.state()).containsExactly("on-b");
  }

  @Test
  void afterARestartClaimsAreAsTheyWere() throws Exception {
    var prepared = runtime.prepare(claim("x", "a"));
    var statuses = runtime.attach("uid-x", sandbox("s1", "p1"));

    restart();

    assertThat(driver.calls).containsExactly("resume x");
    assertThat(runtime.prepare(claim("x", "a"))).isEqualTo(prepared);
    assertThat(runtime.attach("uid-x", sandbox("s1", "p1"))).isEqualTo(statuses);
    runtime.unprepare("uid-x");
    assertThat(driver.state()).isEmpty();
  }

  @Test
  void aFailedPrepareIsTakenBack() {
    driver.fault = failingAt("on b");

    ClaimException thrown =
        catchThrowableOfType(ClaimException.class, () -> runtime.prepare(claim("x", "a", "b")));

    assertThat(thrown).hasMessage("claim default/x: driver lamp.example.com: no on b");
    assertThat(driver.state()).isEmpty();
    assertThat(runtime.claims()).isEmpty();
  }

  @Test
  void aFailedAttachIsTakenBack() throws Exception {
    runtime.prepare(claim("x", "a", "b"));
    driver.fault = failingAt("end of attach");

    assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class);

    assertThat(driver.state()).containsExactly("on-a", "on-b");
    assertThat(runtime.claims().get(0).attachments()).isEmpty();
  }

  @Test
  void whatADriverMustNotThrowIsAFailureToo() throws Exception {
    runtime.prepare(claim("x", "a"));
    driver.fault =
        step -> {
          if (step.equals("end of attach")) {
            throw new IllegalStateException("oops");
          }
        };

    assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("the driver has a bug", "oops");
    assertThat(driver.state()).containsExactly("on-a");
  }

  @Test
  void ifOneDriverCannotAttachTheOthersDetach() throws Exception {
    runtime.close();
    Path more = Files.createDirectory(directory.resolve("more"));
    LampDriver second = new LampDriver("lamp2.example.com", more, "z");
    runtime = runtime(directory.resolve("store"), driver, second).build();
    runtime.start();
    ResourceClaim both =
        claim("x", "a")
            .withAllocation(
                allocationOf(claim("x", "a")).toBuilder()
                    .result(allocationOf(claimOf(second.name(), "x", "z")).results().get(0))
                    .build());
    runtime.prepare(both);
    second.fault = failingAt("end of attach");
    driver.fault = failingAt("nothing");

    assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class);

    assertThat(driver.state()).containsExactly("on-a");
    assertThat(second.state()).containsExactly("on-z");
  }

  @Test
  void aDetachThatFailsIsTriedAgainByItself() throws Exception {
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    driver.fault = failingAt("undo lit a");
    assertThatThrownBy(() -> runtime.detach("uid-x", "s1")).isInstanceOf(ClaimException.class);
    assertThat(runtime.health().problems()).anyMatch(one -> one.contains("is not undone yet"));

    driver.fault = step -> {};
    assertThat(runtime.rescan(Duration.ofSeconds(30))).isTrue();
    runtime.detach("uid-x", "s1"); // waits for the one that runs by itself, if it does

    assertThat(driver.state()).containsExactly("on-a");
    assertThat(runtime.health().problems()).isEmpty();
  }

  @Test
  void aDetachThatFailedIsTriedAgainAfterARestart() throws Exception {
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    driver.fault = failingAt("undo lit a");
    assertThatThrownBy(() -> runtime.detach("uid-x", "s1")).isInstanceOf(ClaimException.class);

    restart();

    assertThat(driver.state()).containsExactly("on-a");
    assertThat(driver.calls).containsExactly("detach x");
  }

  @Test
  void aNewSandboxOfTheSamePodTakesTheClaimOver() throws Exception {
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    driver.calls.clear();

    runtime.attach("uid-x", sandbox("s2", "p1"));

    assertThat(driver.calls).containsExactly("detach x", "attach x");
    assertThat(runtime.claims().get(0).attachments())
        .extracting(one -> one.sandbox().id())
        .containsExactly("s2");
  }

  @Test
  void aClaimThatIsNotPreparedIsNotAttached() {
    assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class)
        .hasMessage("claim uid-x: it is not prepared");
  }

  @Test
  void aDeviceThatIsNotThereIsNamed() {
    ClaimException thrown =
        catchThrowableOfType(ClaimException.class, () -> runtime.prepare(claim("x", "nope")));

    assertThat(thrown.device()).isEqualTo("nope");
    assertThat(thrown.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE);
  }

  @Test
  void aCallThatTakesTooLongIsInterruptedAndTakenBack() throws Exception {
    runtime.close();
    runtime = runtime(directory.resolve("store"), driver).callLimit(Duration.ofMillis(50)).build();
    runtime.start();
    driver.fault =
        step -> {
          if (step.equals("end of prepare")) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw DriverException.failed("interrupted", e);
            }
          }
        };

    assertThatThrownBy(() -> runtime.prepare(claim("x", "a")))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("took longer than 50 ms");
    assertThat(driver.state()).isEmpty();
  }

  @Test
  void callsForOneClaimDoNotOverlap() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<String> order = new CopyOnWriteArrayList<>();
    driver.fault =
        step -> {
          if (step.equals("end of prepare")) {
            inside.countDown();
            await(go);
            order.add("prepared");
          } else if (step.equals("unprepare")) {
            order.add("unprepare");
          }
        };
    Thread first = new Thread(() -> quietly(() -> runtime.prepare(claim("x", "a"))));
    first.start();
    await(inside);
    Thread second = new Thread(() -> quietly(() -> runtime.unprepare("uid-x")));
    second.start();
    go.countDown();
    first.join();
    second.join();

    assertThat(order).containsExactly("prepared", "unprepare");
  }

  @Test
  void devicesOfPreparedClaimsStayInTheirSlicesWhenTheyCannotBeSeen() throws Exception {
    runtime.prepare(claim("x", "b"));
    List<ResourceSlice> before = runtime.slices();

    driver.offer("a", "c");
    assertThat(runtime.rescan(Duration.ofSeconds(30))).isTrue();

    assertThat(runtime.slices()).isEqualTo(before);
    runtime.unprepare("uid-x");
    assertThat(runtime.rescan(Duration.ofSeconds(30))).isTrue();
    assertThat(runtime.slices().get(0).devices())
        .extracting(Device::name)
        .containsExactly("a", "c");
  }

  @Test
  void listenersHearOfChangesOnly() throws Exception {
    List<String> heard = new ArrayList<>();
    runtime.addListener((name, slices) -> heard.add(name + " " + slices.get(0).devices().size()));

    assertThat(runtime.rescan(Duration.ofSeconds(30))).isTrue();
    assertThat(heard).isEmpty();
    driver.offer("a");
    assertThat(runtime.rescan(Duration.ofSeconds(30))).isTrue();
    assertThat(heard).containsExactly("lamp.example.com 1");
  }

  @Test
  void aContainerGetsWhatItsRequestGot() throws Exception {
    runtime.prepare(claim("x", "a", "b"));

    assertThat(runtime.editsFor("uid-x", null).environment())
        .isEqualTo(Map.of("LAMP_0", "a", "LAMP_1", "b"));
    assertThat(runtime.editsFor("uid-x", "light").environment()).hasSize(2);
    assertThat(runtime.editsFor("uid-x", "other").environment()).isEmpty();
    assertThat(runtime.editsFor("nobody", null).environment()).isEmpty();
  }

  @Test
  void claimsAreAllocatedHere() throws Exception {
    ResourceClaim pending =
        ResourceClaim.named("x")
            .request("light", request -> request.deviceClass("lamp").count(2))
            .build();

    ResourceClaim allocated = allocated(runtime.allocate(pending));
    runtime.prepare(allocated);

    assertThat(driver.state()).containsExactly("on-a", "on-b");
    assertThat(allocated(runtime.allocate(pending))).isEqualTo(allocated);
  }

  @Test
  void whatIsAllocatedIsHeldOverARestart() throws Exception {
    ResourceClaim first =
        ResourceClaim.named("x")
            .request("light", request -> request.deviceClass("lamp").count(2))
            .build();
    ResourceClaim second =
        ResourceClaim.named("y")
            .request("light", request -> request.deviceClass("lamp").count(2))
            .build();
    ResourceClaim allocated = allocated(runtime.allocate(first));

    restart();

    assertThat(runtime.allocate(second)).isInstanceOf(AllocationOutcome.Unallocatable.class);
    runtime.release(uidOf(allocated));
    assertThat(runtime.allocate(second)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  /** The store does not keep blanks and escapes of parameters. */
  @Test
  void aClaimWithParametersGetsTheSameDevicesAfterARestart() throws Exception {
    ResourceClaim pending =
        ResourceClaim.named("x")
            .request("light", request -> request.deviceClass("lamp"))
            .config(LampDriver.NAME, "{\"color\": \"\\u0072ed\", \"level\" : 2}")
            .build();
    ResourceClaim other =
        ResourceClaim.named("x")
            .request("light", request -> request.deviceClass("lamp"))
            .config(LampDriver.NAME, "{\"color\": \"red\", \"level\" : 3}")
            .build();
    List<DeviceId> first = devicesOf(runtime.allocate(pending));

    restart();

    assertThat(devicesOf(runtime.allocate(pending))).isEqualTo(first);
    assertThat(runtime.allocate(other).toString()).contains("is allocated with another spec");
  }

  private static List<DeviceId> devicesOf(AllocationOutcome outcome) {
    return RuntimeFixture.allocationOf(allocated(outcome)).results().stream()
        .map(DeviceRequestAllocationResult::deviceId)
        .toList();
  }

  @Test
  void aSecondRuntimeOnTheStoreIsRefused() {
    assertThatThrownBy(() -> runtime(directory.resolve("store"), driver).build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is in use by process " + ProcessHandle.current().pid());
  }

  @Test
  void theStoreOfARunningRuntimeCanBeRead() throws Exception {
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));

    assertThat(ClaimStore.read(directory.resolve("store"))).isEqualTo(runtime.claims());
    assertThatThrownBy(() -> ClaimStore.read(directory.resolve("none")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("none does not exist");
  }

  @Test
  void aClockThatJumpsChangesNothing() throws Exception {
    runtime.close();
    FakeClock clock = FakeClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    runtime =
        runtime(directory.resolve("store"), driver)
            .host(Host.captured(directory.resolve("root")).withClock(clock))
            .build();
    runtime.start();
    runtime.prepare(claim("x", "a"));

    for (Duration jump : List.of(Duration.ofDays(-3650), Duration.ofDays(7300))) {
      clock.advance(jump);
      driver.offer("a", "b");
      assertThat(runtime.rescan(Duration.ofSeconds(30))).isTrue();
      assertThat(runtime.slices().get(0).devices()).hasSize(2);
      driver.offer("a", "b", "c");
      assertThat(runtime.rescan(Duration.ofSeconds(30))).isTrue();
      runtime.attach("uid-x", sandbox("s1", "p1"));
      runtime.detach("uid-x", "s1");
    }

    assertThat(runtime.health()).isEqualTo(new RuntimeHealth(true, true, List.of()));
    runtime.unprepare("uid-x");
    assertThat(driver.state()).isEmpty();
  }

  @Test
  void aRuntimeThatRunsIsReady() {
    assertThat(runtime.health()).isEqualTo(new RuntimeHealth(true, true, List.of()));
  }

  @Test
  void aClosedRuntimeRefusesCalls() {
    runtime.close();

    assertThatThrownBy(() -> runtime.unprepare("x"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the runtime is not running: call start() first");
    assertThat(runtime.health().isReady()).isFalse();
  }

  private static ResourceClaim allocated(AllocationOutcome outcome) {
    return ((AllocationOutcome.Allocated) outcome).allocations().get(0).allocatedClaim();
  }

  private static LampDriver.Fault failingAt(String where) {
    return step -> {
      if (step.equals(where)) {
        throw DriverException.failed("no " + step, null);
      }
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private interface Call {
    void run() throws Exception;
  }

  private static void quietly(Call call) {
    try {
      call.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
