package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.allocationOf;
import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.TopologyReader;
import io.dra4j.spi.TopologyReaders;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers, watchers and callers that do what they should not. */
class RuntimeUnderFailureTest {

  private static final String OTHER = "other.example.com";

  @TempDir private Path directory;
  private Path store;
  private LampDriver driver;
  private LampDriver other;
  private @Nullable DriverRuntime runtime;

  @BeforeEach
  void makeDrivers() throws Exception {
    store = directory.resolve("store");
    driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b");
    other = new LampDriver(OTHER, Files.createDirectory(directory.resolve("others")), "a");
  }

  @AfterEach
  void stop() {
    if (runtime != null) {
      runtime.close();
    }
  }

  private DriverRuntime start(RuntimeOptions builder) throws Exception {
    stop();
    DriverRuntime made = builder.build();
    runtime = made;
    made.start();
    return made;
  }

  @Test
  void anErrorOfADriverIsAFailureThatIsTakenBack() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    driver.fault =
        step -> {
          if (step.startsWith("end of")) {
            throw new NoClassDefFoundError("io/example/Missing");
          }
        };
    assertThatThrownBy(() -> runtime.prepare(claim("x", "a")))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("the driver has a bug");
    assertThat(driver.state()).isEmpty();
    assertThat(runtime.claims()).isEmpty();

    driver.fault = step -> {};
    runtime.prepare(claim("x", "a"));
    driver.fault =
        step -> {
          if (step.startsWith("end of")) {
            throw new StackOverflowError();
          }
        };
    assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class);
    assertThat(driver.state()).containsExactly("on-a");
    runtime.unprepare("uid-x");
    runtime.close();
    assertThat(ClaimStore.read(store)).isEmpty();
  }

  @Test
  void aDriverThatDoesNotRunIsToldAndTheOthersGoOn() throws Exception {
    ResourceClaim mine = claim("x", "a");
    AllocationResult.Builder both = allocationOf(mine).toBuilder();
    allocationOf(RuntimeFixture.claimOf(OTHER, "x", "a")).results().forEach(both::result);
    DriverRuntime first = start(runtime(store, driver, other));
    first.prepare(mine.toBuilder().allocation(both.build()).build());

    DriverRuntime second = start(runtime(store, driver));
    assertThatThrownBy(() -> second.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining(OTHER)
        .hasMessageContaining("is not running in this process");
    assertThat(driver.state()).containsExactly("on-a");
    assertThatThrownBy(() -> second.unprepare("uid-x")).isInstanceOf(ClaimException.class);
    assertThat(driver.state()).isEmpty();

    start(runtime(store, driver, other)).unprepare("uid-x");
    assertThat(other.state()).isEmpty();
  }

  @Test
  void callsForOneSandboxDoNotOverlap() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.prepare(claim("x", "a"));
    runtime.prepare(claim("y", "b"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    CountDownLatch detaching = new CountDownLatch(1);
    CountDownLatch attaching = new CountDownLatch(1);
    AtomicReference<Boolean> overlapped = new AtomicReference<>();
    driver.fault =
        step -> {
          if (step.equals("detach")) {
            detaching.countDown();
            overlapped.set(awaited(attaching, 300));
          } else if (step.equals("lit b")) {
            attaching.countDown();
          }
        };
    CompletableFuture<Void> unprepare =
        CompletableFuture.runAsync(() -> checked(() -> runtime.unprepare("uid-x")));
    assertThat(awaited(detaching, 60_000)).isTrue();

    runtime.attach("uid-y", sandbox("s1", "p1"));

    unprepare.get(1, TimeUnit.MINUTES);
    assertThat(overlapped.get()).isFalse();
    assertThat(driver.state()).containsExactly("lit-b", "on-b");
  }

  @Test
  void whatIsPreparedIsNotAllocatedToOthers() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.prepare(claim("x", "a"));
    ResourceClaim wish =
        ResourceClaim.named("y")
            .request("light", request -> request.deviceClass("lamp").count(2))
            .build();

    assertThat(runtime.allocate(wish)).isInstanceOf(AllocationOutcome.Unallocatable.class);
    runtime.unprepare("uid-x");
    assertThat(runtime.allocate(wish)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  void claimsThatHadOneNameAfterEachOtherHoldWhatEachHas() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.prepare(claim("x", "a"));
    ResourceClaim again = wish("x", 1);
    again =
        again.toBuilder()
            .metadata(again.metadata().toBuilder().namespace("default").uid("another").build())
            .build();
    assertThat(runtime.allocate(again)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(runtime.allocate(wish("y", 1))).isInstanceOf(AllocationOutcome.Unallocatable.class);
    runtime.release("another");
    assertThat(runtime.allocate(wish("y", 1))).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  void aWholeDeviceIsNotPreparedBesideAShareOfIt() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.prepare(share("x", "a", "1"));
    runtime.prepare(share("z", "a", "2"));
    assertThatThrownBy(() -> runtime.prepare(claim("y", "a")))
        .hasMessageContaining("claim default/x (uid-x) has device lamp.example.com/node-1/a");
    runtime.unprepare("uid-x");
    runtime.unprepare("uid-z");
    runtime.prepare(claim("y", "a"));
    assertThatThrownBy(() -> runtime.prepare(share("x", "a", "1")))
        .hasMessageContaining("claim default/y (uid-y) has device lamp.example.com/node-1/a");
    assertThat(runtime.allocate(wish("w", 1))).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  void aDeviceThatCanBeSharedNoLongerIsNotAllocatedBesideItsShares() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.prepare(share("x", "a", "1"));
    AllocationOutcome outcome = runtime.allocate(wish("y", 1));
    assertThat(outcome.toString()).contains("lamp.example.com/node-1/b");
    assertThat(runtime.allocate(wish("z", 1))).isInstanceOf(AllocationOutcome.Unallocatable.class);
  }

  @Test
  void claimsThatGotEachOthersDevicesKeepNobodyElseFromAllocating() throws Exception {
    ResourceClaim whole = claim("x", "a");
    ResourceClaim part = share("y", "a", "1");
    try (ClaimStore before = ClaimStore.open(store)) { // as a process wrote it that did not compare
      before.putAllocation(whole);
      before.putAllocation(part);
    }
    DriverRuntime runtime = start(runtime(store, driver));
    assertThat(runtime.allocate(wish("z", 1)).toString()).contains("lamp.example.com/node-1/b");
  }

  private static ResourceClaim share(String name, String lamp, String id) {
    ResourceClaim whole = claim(name, lamp);
    return whole.toBuilder()
        .allocation(
            AllocationResult.builder()
                .result(allocationOf(whole).results().get(0).toBuilder().shareId(id).build())
                .build())
        .build();
  }

  @Test
  void whatIsHeldStaysHeldWhenTheNodeGetsAnotherName() throws Exception {
    DriverRuntime first = start(runtime(store, driver));
    first.prepare(claim("x", "a"));
    ResourceClaim y = allocated(first.allocate(wish("y", 1)));

    DriverRuntime second = start(runtime(store, driver).node("node-2"));
    assertThat(second.allocate(wish("z", 1))).isInstanceOf(AllocationOutcome.Unallocatable.class);
    AllocationResult.Builder renamed = AllocationResult.builder();
    allocationOf(claim("z", "a"))
        .results()
        .forEach(one -> renamed.result(one.toBuilder().pool("node-2").build()));
    assertThatThrownBy(
            () -> second.prepare(claim("z", "a").toBuilder().allocation(renamed.build()).build()))
        .hasMessageContaining("claim default/x (uid-x) has device");

    second.release(RuntimeFixture.uidOf(y));
    second.unprepare("uid-x");
    assertThat(second.allocate(wish("z", 2))).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  void whatAnInterruptedCallerBeganIsTakenBackUninterrupted() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    CountDownLatch preparing = new CountDownLatch(1);
    AtomicReference<Boolean> undoneInterrupted = new AtomicReference<>();
    driver.fault =
        step -> {
          if (step.startsWith("end of")) {
            preparing.countDown();
            awaited(new CountDownLatch(1), 60_000);
            throw DriverException.failed("interrupted", null);
          } else if (step.startsWith("undo")) {
            undoneInterrupted.set(Thread.currentThread().isInterrupted());
          }
        };
    Thread caller =
        new Thread(
            () ->
                assertThatThrownBy(() -> runtime.prepare(claim("x", "a")))
                    .isInstanceOf(ClaimException.class)
                    .hasMessageContaining("interrupted"));
    caller.start();
    assertThat(preparing.await(1, TimeUnit.MINUTES)).isTrue();
    caller.interrupt();
    caller.join();

    runtime.unprepare("uid-x"); // waits for the call
    assertThat(undoneInterrupted.get()).isFalse();
    assertThat(driver.calls).containsExactly("prepare x", "unprepare x");
  }

  @Test
  void whatAnotherDriverAttachedIsTakenBackUninterrupted() throws Exception {
    ResourceClaim mine = claim("x", "a");
    AllocationResult.Builder both = allocationOf(mine).toBuilder();
    allocationOf(RuntimeFixture.claimOf(OTHER, "x", "a")).results().forEach(both::result);
    DriverRuntime runtime = start(runtime(store, driver, other));
    runtime.prepare(mine.toBuilder().allocation(both.build()).build());
    AtomicInteger attached = new AtomicInteger();
    LampDriver.Fault fault =
        step -> {
          if (step.startsWith("end of") && attached.incrementAndGet() == 2) {
            Thread.currentThread().interrupt(); // as it is after an interrupted call
            throw DriverException.failed("interrupted", null);
          } else if (step.equals("detach") && Thread.currentThread().isInterrupted()) {
            throw DriverException.failed("cannot detach while interrupted", null);
          }
        };
    driver.fault = fault; // the first of the two attaches, the second fails
    other.fault = fault;

    assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
        .isInstanceOf(ClaimException.class)
        .hasMessageEndingWith("interrupted");
    assertThat(driver.calls).endsWith("detach x");
    assertThat(other.calls).endsWith("detach x");
    assertThat(driver.state()).containsExactly("on-a");
    assertThat(other.state()).containsExactly("on-a");
  }

  @Test
  void whatAFailedCallLeftIsTakenBackThoughTheHostRests() throws Exception {
    Duration hour = Duration.ofHours(1);
    DriverRuntime runtime =
        start(runtime(store, driver).discovery(Duration.ofMillis(1), hour, hour));
    runtime.prepare(claim("x", "a"));
    AtomicInteger failures = new AtomicInteger();
    CountDownLatch isTakenBack = new CountDownLatch(1);
    driver.fault =
        step -> {
          if (step.equals("unprepare")) {
            if (failures.incrementAndGet() <= 2) {
              throw DriverException.failed("the lamp is hot", null);
            }
            isTakenBack.countDown();
          }
        };

    assertThatThrownBy(() -> runtime.unprepare("uid-x")).hasMessageContaining("the lamp is hot");

    assertThat(isTakenBack.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway")
  void nullsOfCallersAreNamed() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    Map<Checked, String> calls =
        Map.ofEntries(
            Map.entry(() -> runtime.allocate(null), "claim"),
            Map.entry(() -> runtime.prepare(null), "claim"),
            Map.entry(() -> runtime.attach(null, sandbox("s1", "p1")), "uid"),
            Map.entry(() -> runtime.attach("uid-x", null), "sandbox"),
            Map.entry(() -> runtime.detach(null, "s1"), "uid"),
            Map.entry(() -> runtime.detach("uid-x", null), "sandboxId"),
            Map.entry(() -> runtime.unprepare(null), "uid"),
            Map.entry(() -> runtime.release(null), "uid"),
            Map.entry(() -> runtime.editsFor(null, null), "uid"),
            Map.entry(() -> runtime.addListener(null), "listener"),
            Map.entry(() -> runtime.rescan(null), "wait"),
            Map.entry(() -> runtime.serve(null), "address"),
            Map.entry(() -> DriverRuntime.builder().host(null), "host"),
            Map.entry(() -> DriverRuntime.builder().node(null), "node"));
    calls.forEach(
        (call, name) ->
            assertThatThrownBy(call::run)
                .isInstanceOf(NullPointerException.class)
                .hasMessage(name));
  }

  @Test
  void aClosedRuntimeThatIsStartedSaysThatItIsClosed() throws Exception {
    DriverRuntime closed = runtime(store, driver).build();
    closed.close();
    assertThatIllegalStateException()
        .isThrownBy(closed::start)
        .withMessage("the runtime is closed");
  }

  @Test
  void aWatcherThatThrowsKeepsNobodyFromReadingTheHost() throws Exception {
    AtomicInteger watched = new AtomicInteger();
    AtomicReference<HostWatcher.Listener> heard = new AtomicReference<>();
    HostWatcher watcher =
        new HostWatcher() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public Watch watch(Host host, Listener listener) {
            if (watched.incrementAndGet() > 1) {
              throw new IllegalStateException("broken");
            }
            heard.set(listener);
            return () -> {};
          }
        };
    DriverRuntime runtime = start(runtime(store, driver).watchers(List.of(watcher)));
    requireNonNull(heard.get()).lost("the test says so");

    assertThat(runtime.rescan(Duration.ofMinutes(1))).isTrue();
    assertThat(runtime.rescan(Duration.ofMinutes(1))).isTrue();
    assertThat(watched.get()).isBetween(2, 10);
  }

  @Test
  void aHostThatCannotBeReadIsTold() throws Exception {
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    TopologyReader reader =
        new TopologyReader() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public void read(Host host, HostInventory.Builder inventory) {
            RuntimeException now = failure.get();
            if (now != null) {
              throw now;
            }
          }
        };
    DriverRuntime runtime = start(runtime(store, driver).readers(TopologyReaders.of(reader)));
    failure.set(new IllegalStateException("no sysfs"));
    driver.offer("a", "b", "c");
    assertThat(runtime.rescan(Duration.ofMinutes(1))).isFalse();
    assertThat(runtime.health().problems())
        .singleElement()
        .asString()
        .contains("the host cannot be read")
        .contains("no sysfs");
    assertThat(runtime.slices().get(0).devices()).hasSize(2);

    failure.set(null);
    assertThat(runtime.rescan(Duration.ofMinutes(1))).isTrue();
    assertThat(runtime.health().problems()).isEmpty();
    assertThat(runtime.slices().get(0).devices()).hasSize(3);
  }

  @Test
  void aDeviceThatIsBeingAttachedStaysAsItWasPublished() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.prepare(claim("x", "a"));
    List<ResourceSlice> before = runtime.slices();
    AtomicReference<List<ResourceSlice>> meanwhile = new AtomicReference<>(List.of());
    driver.fault =
        step -> {
          if (step.equals("end of attach")) {
            driver.color = "not to be seen";
            checked(() -> assertThat(runtime.rescan(Duration.ofMinutes(1))).isTrue());
            meanwhile.set(runtime.slices());
          }
        };
    runtime.attach("uid-x", sandbox("s1", "p1"));

    assertThat(meanwhile.get())
        .singleElement()
        .satisfies(now -> assertThat(now.devices()).startsWith(before.get(0).devices().get(0)));
  }

  @Test
  void theNextRuntimeOfARegistryHasGaugesOfItsOwn() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    start(runtime(store, driver).metrics(registry)).prepare(claim("x", "a"));
    start(runtime(store, driver).metrics(registry)).prepare(claim("y", "b"));

    assertThat(registry.get("dra4j.claims").tag("state", "prepared").gauge().value()).isEqualTo(2);
    assertThat(registry.get("dra4j.devices").gauge().value()).isEqualTo(2);
    stop();
    assertThat(registry.find("dra4j.claims").gauges()).isEmpty();
  }

  @Test
  void aClosedRuntimeServesNobody() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    runtime.close();

    assertThatIllegalStateException()
        .isThrownBy(
            () -> runtime.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  @Test
  void aDriverThatDiscoversForEverDoesNotKeepTheRuntimeFromClosing() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    DeviceDriver hangs =
        new DeviceDriver() {
          @Override
          public String name() {
            return "hangs.example.com";
          }

          @Override
          public List<Device> discover(HostInventory host) {
            if (calls.incrementAndGet() > 1) {
              hanging.countDown();
              boolean released = awaited(new CountDownLatch(1), 3_600_000);
              throw new IllegalStateException("released: " + released);
            }
            return List.of();
          }
        };
    DriverRuntime runtime = start(runtime(store, hangs).stopLimit(Duration.ofMillis(100)));
    assertThat(runtime.rescan(Duration.ofMillis(1))).isFalse();
    assertThat(awaited(hanging, 60_000)).isTrue();

    CompletableFuture.runAsync(runtime::close).get(1, TimeUnit.MINUTES);

    ClaimStore.open(store).close();
  }

  @Test
  void aReleasedClaimIsNotPreparedWithDevicesThatAnotherGot() throws Exception {
    DriverRuntime first = start(runtime(store, driver));
    ResourceClaim stale = allocated(first.allocate(wish("x", 2)));
    first.release(RuntimeFixture.uidOf(stale));
    ResourceClaim next = allocated(first.allocate(wish("y", 1)));

    DriverRuntime second = start(runtime(store, driver));
    for (int i = 0; i < 2; i++) { // allocated, then prepared
      assertThatThrownBy(() -> second.prepare(stale))
          .isInstanceOf(ClaimException.class)
          .hasMessageContaining("claim default/x: its allocation is not current: claim default/y")
          .hasMessageContaining("lamp.example.com/node-1/a");
      second.prepare(next);
    }
    DriverRuntime third = start(runtime(store, driver));
    assertThatThrownBy(() -> third.prepare(stale)).isInstanceOf(ClaimException.class);
    assertThat(driver.state()).containsExactly("on-a");

    third.release(RuntimeFixture.uidOf(next));
    assertThat(allocated(third.allocate(wish("x", 1)))).isNotEqualTo(stale);
    assertThatThrownBy(() -> third.prepare(stale))
        .hasMessageContaining("this host has allocated other devices to it since");
  }

  @Test
  void twoClaimsAreNeverPreparedWithOneDevice() throws Exception {
    DriverRuntime runtime = start(runtime(store, driver));
    CountDownLatch preparing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    driver.fault =
        step -> {
          preparing.countDown();
          if (!awaited(go, 60_000)) {
            throw new IllegalStateException("nobody let it go on");
          }
        };
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(() -> checked(() -> runtime.prepare(claim("x", "a"))));
    assertThat(awaited(preparing, 60_000)).isTrue();

    assertThatThrownBy(() -> runtime.prepare(claim("y", "b", "a")))
        .hasMessageContaining("claim default/x is being prepared with device");
    assertThat(runtime.allocate(wish("z", 2))).isInstanceOf(AllocationOutcome.Unallocatable.class);
    go.countDown();
    first.get(1, TimeUnit.MINUTES);
    assertThatThrownBy(() -> runtime.prepare(claim("y", "b", "a")))
        .hasMessageContaining("claim default/x (uid-x) has device");
    runtime.unprepare("uid-x");
    assertThat(runtime.prepare(claim("y", "b", "a"))).hasSize(2);
  }

  @Test
  void parametersThatTheApiServerWouldRefuseAreRejected() throws Exception {
    DeviceClass broken =
        DeviceClass.named("broken").toBuilder().config(LampDriver.NAME, "{,}").build();
    DriverRuntime runtime = start(runtime(store, driver).deviceClasses(List.of(broken)));
    ResourceClaim.Builder wish = wish("x", 1).toBuilder();

    assertRejected(
        runtime,
        wish("x", 1).toBuilder().config(LampDriver.NAME, "{\"a\": ").build(),
        "config[0].opaque.parameters: invalid JSON");
    assertRejected(
        runtime,
        wish("x", 1).toBuilder().config(LampDriver.NAME, "{} {}").build(),
        "config[0].opaque.parameters: invalid JSON");
    assertRejected(
        runtime,
        wish("x", 1).toBuilder().config(LampDriver.NAME, "[1]").build(),
        "config[0].opaque.parameters: expected a JSON object, found [1]");
    assertRejected(
        runtime,
        wish("x", 1).toBuilder().config(LampDriver.NAME, "").build(),
        "config[0].opaque.parameters: expected a JSON object, found nothing");
    assertRejected(
        runtime,
        wish("x", 1).toBuilder()
            .config(LampDriver.NAME, "{\"a\": \"" + "x".repeat(10_240) + "\"}")
            .build(),
        "config[0].opaque.parameters: has 10249 bytes, at most 10240 are allowed");
    assertRejected(
        runtime,
        wish("x", 1).toBuilder()
            .config(LampDriver.NAME, "{}")
            .config(LampDriver.NAME, "{}", "light", "lihgt")
            .build(),
        "config[1].requests: the claim has no request 'lihgt'");
    assertRejected(
        runtime,
        wish("x", 1).toBuilder().config("Not a driver", "{}").build(),
        "config[0].opaque.driver: 'Not a driver' is not a DNS subdomain of at most 63 bytes");
    assertRejected(
        runtime,
        ResourceClaim.named("x").request("r", one -> one.deviceClass("broken")).build(),
        "class broken: config[0].opaque.parameters: invalid JSON");
    assertThat(runtime.allocate(wish.config(LampDriver.NAME, "{}", "light").build()))
        .isInstanceOf(AllocationOutcome.Allocated.class);
  }

  private static void assertRejected(DriverRuntime runtime, ResourceClaim claim, String error)
      throws ClaimException {
    assertThat(runtime.allocate(claim))
        .isInstanceOfSatisfying(
            AllocationOutcome.Rejected.class,
            rejected -> assertThat(rejected.error()).startsWith("claim default/x: " + error));
  }

  @Test
  void claimsOfDriversThatDoNotRunAreTold() throws Exception {
    start(runtime(store, driver, other)).prepare(RuntimeFixture.claimOf(OTHER, "x", "a"));

    DriverRuntime second = start(runtime(store, driver));

    assertThat(second.health())
        .isEqualTo(
            new RuntimeHealth(
                true,
                true,
                List.of(
                    "claim default/x (uid-x) has devices of driver other.example.com, which is"
                        + " not running in this process")));
  }

  @Test
  void aDriverThatDoesNotTakeUpWhatIsAttachedHoldsUpNobodyElse() throws Exception {
    DriverRuntime first = start(runtime(store, driver, other));
    first.prepare(RuntimeFixture.claimOf(OTHER, "x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));
    first.close();
    CountDownLatch release = new CountDownLatch(1);
    other.resuming =
        () -> {
          while (release.getCount() > 0) {
            awaited(release, 10); // whoever interrupts it
            Thread.interrupted();
          }
        };

    DriverRuntime second =
        start(
            runtime(store, driver, other)
                .callLimit(Duration.ofMillis(50))
                .stopLimit(Duration.ofMillis(50)));

    second.prepare(claim("y", "a"));
    assertThat(driver.state()).containsExactly("on-a");
    assertThatThrownBy(() -> second.unprepare("uid-x"))
        .hasMessageContaining("the driver is still resuming the claims of an earlier process");
    assertThat(second.health().isReady()).isFalse();
    release.countDown();
    while (!second.health().isReady()) {
      assertThat(second.rescan(Duration.ofMinutes(1))).isTrue();
    }
    second.unprepare("uid-x");
    assertThat(other.calls).endsWith("resume x", "detach x", "unprepare x");
  }

  private static ResourceClaim wish(String name, int lamps) {
    return ResourceClaim.named(name)
        .request("light", request -> request.deviceClass("lamp").count(lamps))
        .build();
  }

  private static ResourceClaim allocated(AllocationOutcome outcome) {
    return ((AllocationOutcome.Allocated) outcome).allocations().get(0).allocatedClaim();
  }

  private interface Checked {
    void run() throws Exception;
  }

  private static void checked(Checked work) {
    try {
      work.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static boolean awaited(CountDownLatch latch, long millis) {
    try {
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
