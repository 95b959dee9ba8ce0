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
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.DeviceDriver;
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

  @TempDir private Path folder;
  private Path store;
  private LampDriver driver;
  private LampDriver other;
  private @Nullable DriverRuntime runtime;

  @BeforeEach
  void makeDrivers() throws Exception {
    store = folder.resolve("store");
    driver = new LampDriver(Files.createDirectory(folder.resolve("lamps")), "a", "b");
    other = new LampDriver(OTHER, Files.createDirectory(folder.resolve("others")), "a");
  }

  @AfterEach
  void stop() {
    if (runtime != null) {
      runtime.close();
    }
  }

  private DriverRuntime start(DriverRuntime.Builder builder) throws Exception {
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
        .hasMessageContaining("does not run in this process");
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
