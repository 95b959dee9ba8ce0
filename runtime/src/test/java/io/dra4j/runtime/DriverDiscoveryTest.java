package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that are slow, or answer what they should not, beside one that does not. */
class DriverDiscoveryTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path directory;
  private LampDriver lamps;
  private Odd odd;
  private @Nullable DriverRuntime runtime;

  /** A driver that answers whatever a test wants. */
  @SuppressWarnings("NullAway") // it answers null where it must not
  private static final class Odd implements PreparingDriver {

    private @Nullable String name = "odd.example.com";
    private List<Device> devices = List.of(Device.named("one").build());
    private List<CounterSet> counters = List.of();
    private List<DeviceHealth> health = List.of();
    private Runnable before = () -> {};
    private Runnable beforeHealth = () -> {};
    private @Nullable Prepared prepared;

    @Override
    public String name() {
      return name;
    }

    @Override
    public List<Device> discover(HostInventory host) {
      before.run();
      return devices;
    }

    @Override
    public List<CounterSet> sharedCounters(HostInventory host) {
      return counters;
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) {
      return prepared;
    }

    @Override
    public List<DeviceHealth> health(HostInventory host) {
      beforeHealth.run();
      return health;
    }
  }

  @BeforeEach
  void makeDrivers() throws Exception {
    lamps = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b");
    odd = new Odd();
  }

  @AfterEach
  void stop() {
    if (runtime != null) {
      runtime.close();
    }
  }

  private RuntimeOptions both() {
    return runtime(directory.resolve("store"), odd, lamps);
  }

  private DriverRuntime start(RuntimeOptions builder) throws Exception {
    DriverRuntime made = builder.build();
    runtime = made;
    made.start();
    return made;
  }

  private static List<String> devices(DriverRuntime runtime, String driver) {
    return runtime.slices().stream()
        .filter(slice -> slice.driver().equals(driver))
        .flatMap(slice -> slice.devices().stream())
        .map(Device::name)
        .toList();
  }

  @Test
  void aDriverThatHangsHoldsUpNobodyElse() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    odd.before = () -> ignoringInterrupts(release);
    DriverRuntime runtime =
        start(both().callLimit(Duration.ofMillis(50)).stopLimit(Duration.ofMillis(50)));
    assertThat(devices(runtime, LampDriver.NAME)).containsExactly("a", "b");

    lamps.offer("a", "b", "c");
    assertThat(runtime.rescan(Duration.ofMillis(200))).isFalse(); // not all have answered
    while (devices(runtime, LampDriver.NAME).size() < 3) {
      assertThat(runtime.rescan(Duration.ofMillis(10))).isFalse();
    }
    runtime.prepare(claim("x", "c"));
    runtime.unprepare("uid-x");
    assertThat(runtime.health().problems())
        .contains("driver odd.example.com has not discovered its devices");
    CompletableFuture.runAsync(runtime::close).get(1, TimeUnit.MINUTES);
    release.countDown();
  }

  @Test
  void devicesAreOfferedAlsoIfTheirHealthIsNeverTold() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    odd.beforeHealth = () -> ignoringInterrupts(release);
    CompletableFuture<String> heard = new CompletableFuture<>();
    DriverRuntime made =
        both().callLimit(Duration.ofMillis(50)).stopLimit(Duration.ofMillis(50)).build();
    runtime = made;
    made.addListener(
        (driver, slices) -> {
          if (driver.equals("odd.example.com")) {
            heard.complete(slices.get(0).devices().get(0).name());
          }
        });
    made.start();

    assertThat(heard.get(1, TimeUnit.MINUTES)).isEqualTo("one");
    assertThat(devices(made, "odd.example.com")).containsExactly("one");
    assertThat(made.deviceHealth().get("odd.example.com")).isEmpty();
    assertThat(made.health().problems())
        .contains("driver odd.example.com has not reported the health of its devices yet");
    release.countDown();
  }

  @Test
  void claimsOfADriverAreServedThoughItsHealthIsNeverTold() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    odd.beforeHealth = () -> ignoringInterrupts(release);
    DriverRuntime runtime =
        start(both().callLimit(Duration.ofMillis(500)).stopLimit(Duration.ofMillis(50)));
    ResourceClaim claim = RuntimeFixture.claimOf("odd.example.com", "x", "one");
    odd.prepared =
        new Prepared(
            List.of(
                new PreparedDevice(
                    RuntimeFixture.allocationOf(claim).results().get(0).deviceId(),
                    null,
                    List.of("light"),
                    ContainerEdits.NONE,
                    "")));

    runtime.prepare(claim);
    runtime.unprepare("uid-x");

    assertThat(runtime.claims()).isEmpty();
    release.countDown();
  }

  @Test
  void healthThatIsAskedForInVainIsAProblemUntilItIsAnswered() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(2);
    odd.beforeHealth =
        () -> {
          asked.countDown();
          if (asked.getCount() == 0) {
            ignoringInterrupts(release);
          }
        };
    DriverRuntime runtime = start(both().callLimit(Duration.ofSeconds(1)));
    assertThat(runtime.health().problems()).isEmpty();

    assertThat(runtime.rescan(Duration.ZERO)).isFalse();
    asked.await();
    while (runtime.health().problems().isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(runtime.health().problems().get(0))
        .startsWith("health of odd.example.com ")
        .matches(".*(takes longer than 1000 ms|does not end)");

    release.countDown();
    assertThat(runtime.rescan(LONG)).isTrue();
    assertThat(runtime.health().problems()).isEmpty();
  }

  private static void ignoringInterrupts(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // as drivers do that are not well
      }
    }
  }

  @Test
  void aDriverThatTakesTooLongIsInterruptedAndToldAndComesBack() throws Exception {
    odd.before =
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted");
          }
        };
    DriverRuntime runtime = start(both().callLimit(Duration.ofMillis(50)));
    assertThat(runtime.health().problems())
        .anySatisfy(
            one ->
                assertThat(one)
                    .startsWith(
                        "driver odd.example.com could not discover its devices: discover of odd")
                    .contains("took longer than 50 ms"));

    odd.before = () -> {};
    assertThat(runtime.rescan(LONG)).isTrue();
    assertThat(runtime.health().problems()).isEmpty();
    assertThat(devices(runtime, "odd.example.com")).containsExactly("one");
  }

  @Test
  @SuppressWarnings("NullAway")
  void nullsAreToldAsBugsOfTheDriver() throws Exception {
    odd.devices = null;
    DriverRuntime runtime = start(both());
    assertProblem(
        runtime,
        "driver odd.example.com could not discover its devices: the driver has a bug: discover"
            + " threw java.lang.NullPointerException: discover answered null");

    odd.devices = Arrays.asList(Device.named("one").build(), null);
    assertThat(runtime.rescan(LONG)).isTrue();
    assertProblem(
        runtime,
        "driver odd.example.com could not discover its devices: the driver has a bug: discover"
            + " threw java.lang.NullPointerException: devices[1]");

    odd.devices = List.of(Device.named("one").build());
    odd.counters = null;
    assertThat(runtime.rescan(LONG)).isTrue();
    assertProblem(
        runtime,
        "driver odd.example.com could not discover its devices: the driver has a bug: discover"
            + " threw java.lang.NullPointerException: sharedCounters answered null");

    odd.counters = List.of();
    odd.health = null;
    assertThat(runtime.rescan(LONG)).isTrue();
    assertProblem(
        runtime,
        "driver odd.example.com could not report the health of its devices: the driver has a bug:"
            + " health returned null");
    assertThat(devices(runtime, "odd.example.com")).containsExactly("one");

    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> runtime.prepare(RuntimeFixture.claimOf("odd.example.com", "x", "one"))))
        .hasMessage(
            "claim default/x: driver odd.example.com: the driver has a bug: prepare returned null");
    assertThat(runtime.claims()).isEmpty();
    assertThat(devices(runtime, LampDriver.NAME)).containsExactly("a", "b");
  }

  private static void assertProblem(DriverRuntime runtime, String problem) {
    assertThat(runtime.health().problems()).contains(problem);
  }

  @Test
  void aDriverWithoutAProperNameIsRefused() {
    for (String name : Arrays.asList(null, "", "No_Name", "x".repeat(64))) {
      odd.name = name;
      assertThatIllegalArgumentException()
          .isThrownBy(this::both)
          .withMessageContaining("Odd has a bug")
          .withMessageEndingWith("found " + name);
    }
  }

  @Test
  void devicesThatTheApiServerWouldRefuseAreLeftOutAndTold() throws Exception {
    String longName = "n".repeat(70);
    Device.Builder crowded = Device.named("crowded");
    for (int i = 0; i < 33; i++) {
      crowded.attribute("a" + i, i);
    }
    List<Device> found = new ArrayList<>();
    found.add(Device.named("good").build());
    found.add(Device.named(longName).build());
    found.add(crowded.build());
    found.add(Device.named("wordy").attribute("text", "é".repeat(33)).build());
    found.add(
        Device.named("old")
            .attributes(Map.of("version", new DeviceAttribute.VersionValue("v1")))
            .build());
    found.add(Device.named("good").attribute("second", true).build());
    found.add(
        Device.named("drawing")
            .consumesCounters(
                List.of(
                    new DeviceCounterConsumption(
                        "big", Map.of("memory", Quantity.of(1)), List.of())))
            .build());
    odd.devices = found;
    Map<String, Quantity> many = new java.util.HashMap<>();
    for (int i = 0; i < 33; i++) {
      many.put("c" + i, Quantity.of(i));
    }
    odd.counters = List.of(new CounterSet("big", many));

    DriverRuntime runtime = start(both());

    assertThat(devices(runtime, "odd.example.com")).containsExactly("good");
    String driver = "driver odd.example.com: not offered: ";
    assertThat(runtime.health().problems())
        .containsExactly(
            driver + "counter set 'big' has 33 counters, at most 32 are allowed",
            driver
                + "device '"
                + longName
                + "' has a name that is not a DNS label of at most 63 bytes",
            driver + "device 'crowded' has 33 attributes and capacities, at most 32 are allowed",
            driver + "device 'wordy' has an attribute text of 66 bytes, at most 64 are allowed",
            driver
                + "device 'old' has an attribute version with 'v1', which is not a semantic"
                + " version",
            driver + "device 'good' has the name of another device",
            driver
                + "device 'drawing' draws on counter memory of counter set big, which the"
                + " driver does not publish");
    assertThat(runtime.health().isReady()).isTrue();

    odd.devices = List.of(Device.named("good").build());
    odd.counters = List.of();
    assertThat(runtime.rescan(LONG)).isTrue();
    assertThat(runtime.health().problems()).isEmpty();
  }

  @Test
  void aClaimedDeviceThatIsNotSeenSpoilsNotThePool() throws Exception {
    Map<String, Quantity> one = Map.of("memory", Quantity.of(1));
    CounterSet board = new CounterSet("board", one);
    Device good = Device.named("good").build();
    Device part =
        Device.named("part")
            .consumesCounters(List.of(new DeviceCounterConsumption("board", one, List.of())))
            .build();
    odd.devices = List.of(good, part);
    odd.counters = List.of(board);
    DriverRuntime first = start(both());
    ResourceClaim claim = RuntimeFixture.claimOf("odd.example.com", "x", "part");
    odd.prepared =
        new Prepared(
            List.of(
                new PreparedDevice(
                    RuntimeFixture.allocationOf(claim).results().get(0).deviceId(),
                    null,
                    List.of("light"),
                    ContainerEdits.NONE,
                    "")));
    first.prepare(claim);

    odd.devices = List.of(good);
    odd.counters = List.of(); // the board is in a pod, with its part
    assertThat(first.rescan(LONG)).isTrue();
    assertThat(devices(first, "odd.example.com")).containsExactly("good", "part");
    assertThat(first.slices().get(0).sharedCounters()).containsExactly(board);

    first.close();
    try (DriverRuntime restarted = start(both())) {
      assertThat(devices(restarted, "odd.example.com")).containsExactly("good", "part");
      assertThat(restarted.health().problems()).isEmpty();
    }
    try (Connection store =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("store"));
        Statement statement = store.createStatement()) { // as an earlier release leaves it
      assertThat(statement.executeUpdate("DELETE FROM meta WHERE key LIKE 'pool %'")).isEqualTo(1);
    }
    DriverRuntime second = start(both());
    assertThat(devices(second, "odd.example.com")).containsExactly("good");
    assertThat(second.health().problems())
        .containsExactly(
            "driver odd.example.com: not offered: device 'part' draws on counter memory of counter"
                + " set board, which the driver does not publish");
    odd.devices = List.of(good, part);
    odd.counters = List.of(board);
    second.unprepare("uid-x");
    assertThat(second.rescan(LONG)).isTrue();
    assertThat(devices(second, "odd.example.com")).containsExactly("good", "part");
  }

  @Test
  void manyThatAreLeftOutAreToldInFewLines() throws Exception {
    List<Device> found = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      found.add(Device.named((i % 2 == 0 ? "good-" : "BAD-") + i).build());
    }
    odd.devices = found;

    DriverRuntime runtime = start(both());

    assertThat(devices(runtime, "odd.example.com")).hasSize(5_000);
    assertThat(runtime.slices()).hasSize(40 + 1);
    assertThat(runtime.health().problems())
        .hasSize(9)
        .endsWith("driver odd.example.com: not offered: 4992 more");
  }
}
