package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.Device;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.TopologyReader;
import io.dra4j.spi.TopologyReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers, readers and watchers in Kotlin or Scala throw checked exceptions undeclared. */
class UndeclaredExceptionsTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private Path store;
  private LampDriver lamps;

  /** Reads nothing, or throws. */
  private record Reader(Runnable reading) implements TopologyReader {

    @Override
    public String name() {
      return "odd";
    }

    @Override
    public void read(Host host, HostInventory.Builder inventory) {
      reading.run();
    }
  }

  /** A watch that does something when it is closed. */
  private record Watcher(Runnable closing) implements HostWatcher {

    @Override
    public String name() {
      return "odd";
    }

    @Override
    public Watch watch(Host host, Listener listener) {
      return closing::run;
    }
  }

  @BeforeEach
  void makeDriver() throws Exception {
    store = directory.resolve("store");
    lamps = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b");
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> RuntimeException undeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static void fail() {
    throw UndeclaredExceptionsTest.<RuntimeException>undeclared(new IOException("no light"));
  }

  @Test
  void whatADriverHadBegunIsTakenBack() throws Exception {
    try (DriverRuntime runtime = runtime(store, lamps).build()) {
      runtime.start();
      lamps.fault = UndeclaredExceptionsTest::failAtTheEnd;
      assertThatThrownBy(() -> runtime.prepare(claim("x", "a")))
          .isInstanceOf(ClaimException.class)
          .hasMessageEndingWith(
              "the driver has a bug: prepare threw java.io.IOException: no light");
      assertThat(lamps.state()).isEmpty();
      assertThat(runtime.claims()).isEmpty();

      lamps.fault = step -> {};
      runtime.prepare(claim("x", "a"));
      lamps.fault = UndeclaredExceptionsTest::failAtTheEnd;
      assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s1", "p1")))
          .isInstanceOf(ClaimException.class);
      assertThat(lamps.state()).containsExactly("on-a");
      runtime.unprepare("uid-x");
    }
    assertThat(ClaimStore.read(store)).isEmpty();
  }

  private static void failAtTheEnd(String step) {
    if (step.startsWith("end of")) {
      fail();
    }
  }

  @Test
  void discoveryGoesOn() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    Runnable once =
        () -> {
          if (isBroken.get()) {
            fail();
          }
        };
    RuntimeOptions builder = runtime(store, lamps);
    try (DriverRuntime runtime = builder.readers(TopologyReaders.of(new Reader(once))).build()) {
      runtime.addListener((driver, slices) -> once.run());
      runtime.start();
      assertThat(runtime.health().problems())
          .contains(
              "driver lamp.example.com could not discover its devices: the host cannot be read:"
                  + " java.io.IOException: no light");
      isBroken.set(false);
      assertThat(runtime.rescan(LONG)).isTrue();
      isBroken.set(true);
      assertThat(runtime.rescan(LONG)).isFalse();
      assertThat(runtime.health().isLive()).isTrue();
      isBroken.set(false);
      lamps.offer("c");
      assertThat(runtime.rescan(LONG)).isTrue();
      assertThat(runtime.slices().get(0).devices()).extracting(Device::name).containsExactly("c");
      assertThat(runtime.health().problems()).isEmpty();
    }
  }

  @Test
  void aWatchThatCannotBeClosedDoesNotKeepTheStore() throws Exception {
    RuntimeOptions builder =
        runtime(store, lamps).watchers(List.of(new Watcher(UndeclaredExceptionsTest::fail)));
    for (int i = 0; i < 2; i++) {
      try (DriverRuntime runtime = builder.build()) {
        runtime.start();
      }
    }
    assertThat(ClaimStore.read(store)).isEmpty();
  }

  @Test
  void aRuntimeWhoseFirstReadingTakesLongIsLive() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Reader slow =
        new Reader(
            () -> {
              reading.countDown();
              try {
                release.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    try (DriverRuntime runtime = runtime(store, lamps).readers(TopologyReaders.of(slow)).build()) {
      CompletableFuture<Void> starting = CompletableFuture.runAsync(runtime::start);
      assertThat(reading.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(runtime.health().isLive()).isTrue();
      assertThat(runtime.health().problems())
          .containsExactly("driver lamp.example.com has not discovered its devices");
      release.countDown();
      starting.get(1, TimeUnit.MINUTES);
      assertThat(runtime.health().isReady()).isTrue();
    }
  }
}
