package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.reservedFor;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two troubles at the same time: a reboot, a downgrade, damage, a close, a device that is lost. */
class TroublesTogetherTest {

  @TempDir private Path directory;
  private Path store;
  private LampDriver driver;
  private @Nullable DriverRuntime started;

  @BeforeEach
  void makeDriver() throws Exception {
    store = directory.resolve("store");
    driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b", "c");
  }

  @AfterEach
  void stop() {
    driver.fault = step -> {};
    if (started != null) {
      started.close();
    }
  }

  private DriverRuntime boot(String id) throws Exception {
    if (started != null) {
      started.close();
    }
    driver.calls.clear();
    DriverRuntime made = runtime(store, driver).bootId(id).build();
    started = made;
    made.start();
    return made;
  }

  private void close() {
    DriverRuntime running = started;
    if (running != null) {
      running.close();
    }
    started = null;
  }

  private void failing(String step, DriverException failure) {
    driver.fault =
        now -> {
          if (now.equals(step)) {
            throw failure;
          }
        };
  }

  private void sql(String text) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(text)).isPositive();
    }
  }

  private static List<String> problems(DriverRuntime runtime) {
    return runtime.health().problems();
  }

  // A reboot and something else.

  @Test
  void whatWasBeingRestoredBeforeARebootIsUndoneAsOfThatBoot() throws Exception {
    driver.isSettling = true;
    DriverRuntime first = boot("boot-1");
    first.prepare(claim("x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));
    failing("settle", DriverException.failed("no carrier", null));
    first.detach("uid-x", "s1");
    close();
    driver.fault = step -> {};

    DriverRuntime second = boot("boot-2");

    assertThat(driver.calls)
        .containsExactly("settle x", "after reboot: lit a", "unprepare x", "after reboot: on a");
    assertThat(second.claims()).isEmpty();
    assertThat(problems(second)).isEmpty();
  }

  @Test
  void aDamagedClaimOfTheBootBeforeStaysDamagedUntilItIsForgotten() throws Exception {
    DriverRuntime first = boot("boot-1");
    first.prepare(claim("x", "a"));
    first.prepare(claim("y", "b"));
    close();
    sql("UPDATE step SET checksum = 0 WHERE uid = 'uid-x'");

    DriverRuntime second = boot("boot-2");

    assertThat(second.claims()).extracting(StoredClaim::uid).containsExactly("uid-x");
    assertThat(second.health().isReady()).isFalse();
    assertThatThrownBy(() -> second.prepare(claim("x", "a"))).hasMessageContaining("is damaged");
    assertThatThrownBy(() -> second.unprepare("uid-x")).hasMessageContaining("is damaged");
    second.forget("uid-x", LampDriver.NAME);
    second.prepare(claim("x", "a"));
    assertThat(second.health().isReady()).isTrue();
    assertThat(second.claims().get(0).boot()).isEqualTo("boot-2");
  }

  @Test
  void aDeviceThatWasLostInAPodIsNotMissedAfterAReboot() throws Exception {
    DriverRuntime first = boot("boot-1");
    first.prepare(claim("x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));
    failing("detach", DriverException.unavailable("device a is neither in the sandbox nor here"));
    assertThatThrownBy(() -> first.detach("uid-x", "s1")).hasMessageContaining("neither in the");
    assertThatThrownBy(() -> first.prepare(claim("y", "a"))).hasMessageContaining("uid-x");
    close();
    driver.fault = step -> {};

    DriverRuntime second = boot("boot-2");

    assertThat(second.claims()).isEmpty();
    second.prepare(claim("y", "a"));
    assertThat(driver.state()).containsExactly("on-a");
  }

  // Another release and something else.

  @Test
  void aStepOfALaterReleaseKeepsTheClaimAndTheLaterReleaseTakesItBack() throws Exception {
    boot("boot-1").prepare(claim("x", "a"));
    failing("undo on a", DriverException.failed("a later release stored 'v999'", null));

    DriverRuntime earlier = boot("boot-1");
    assertThatThrownBy(() -> earlier.unprepare("uid-x"))
        .hasMessageContaining("a later release stored 'v999'");
    assertThat(earlier.health().isReady()).isTrue();
    assertThat(problems(earlier)).anyMatch(one -> one.contains("uid-x"));
    assertThat(earlier.claims().get(0).steps()).containsExactly(new Step("on a", "on-a"));
    assertThatThrownBy(() -> earlier.prepare(claim("y", "a"))).hasMessageContaining("uid-x");
    driver.fault = step -> {};

    assertThat(boot("boot-1").claims()).isEmpty();
    assertThat(driver.state()).isEmpty();
  }

  @Test
  void aDriverThatLeavesStepsBehindHasNotUnprepared() throws Exception {
    DriverRuntime runtime =
        DriverRuntimes.forgetful(store, driver); // its unprepare returns and undoes nothing
    started = runtime;
    runtime.start();
    runtime.prepare(claim("x", "a"));

    assertThatThrownBy(() -> runtime.unprepare("uid-x"))
        .hasMessageContaining("the driver has a bug: unprepare left 1 steps, the newest 'on a'");
    assertThat(runtime.claims()).hasSize(1);

    assertThat(boot("boot-1").claims()).isEmpty();
    assertThat(driver.state()).isEmpty();
  }

  // A close and something else.

  @Test
  void aCloseWhileSandboxesAreBroughtInLineLosesNone() throws Exception {
    DriverRuntime runtime = boot("boot-1");
    for (String lamp : List.of("a", "b", "c")) {
      runtime.prepare(reservedFor(claim(lamp, lamp), "p-" + lamp));
    }
    CountDownLatch attaching = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    driver.fault =
        step -> {
          if (step.equals("end of attach")) {
            attaching.countDown();
            await(closing);
          }
        };
    List<Sandbox> sandboxes =
        List.of(sandbox("s-a", "p-a"), sandbox("s-b", "p-b"), sandbox("s-c", "p-c"));
    CompletableFuture<Object> synchronizing =
        CompletableFuture.supplyAsync(() -> result(() -> runtime.synchronize(sandboxes)));
    await(attaching);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(runtime::close);
    closing.countDown();
    closed.get(1, TimeUnit.MINUTES);
    synchronizing.get(1, TimeUnit.MINUTES);
    driver.fault = step -> {};

    DriverRuntime next = boot("boot-1");
    assertThat(next.synchronize(sandboxes).failures()).isEmpty();
    assertThat(driver.state()).containsExactly("lit-a", "lit-b", "lit-c", "on-a", "on-b", "on-c");
    for (String lamp : List.of("a", "b", "c")) {
      next.unprepare("uid-" + lamp);
    }
    assertThat(driver.state()).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Answer {
    Object get() throws Exception;
  }

  private static Object result(Answer answer) {
    try {
      return answer.get();
    } catch (Exception e) { // a closed runtime refuses what has not begun
      return e;
    }
  }

  @Test
  void manyThatCloseAtOnceCloseOnce() throws Exception {
    DriverRuntime runtime = boot("boot-1");
    runtime.prepare(claim("x", "a"));
    List<CompletableFuture<Void>> closes =
        List.of(
            CompletableFuture.runAsync(runtime::close),
            CompletableFuture.runAsync(runtime::close),
            CompletableFuture.runAsync(runtime::close));
    for (CompletableFuture<Void> one : closes) {
      one.get(1, TimeUnit.MINUTES);
    }
    assertThat(ClaimStore.read(store)).hasSize(1);
  }

  // Facts and consumers.

  @Test
  void factsOfASandboxThatAreToldLaterOutliveARestart() throws Exception {
    DriverRuntime first = boot("boot-1");
    first.prepare(claim("x", "a"));
    first.attach("uid-x", Sandbox.ofPod("s1", "p1").build());
    first.synchronize(List.of(sandbox("s1", "p1")));

    DriverRuntime second = boot("boot-1");
    assertThat(second.claims().get(0).attachments().get(0).sandbox())
        .isEqualTo(sandbox("s1", "p1"));
    second.synchronize(List.of(Sandbox.ofPod("s1", "").build()));
    assertThat(second.claims().get(0).attachments().get(0).sandbox())
        .isEqualTo(sandbox("s1", "p1"));
    assertThat(driver.calls).containsExactly("resume x");
  }

  @Test
  void aSandboxOfTwoThatIsDamagedDoesNotKeepTheOtherAttached() throws Exception {
    DriverRuntime first = boot("boot-1");
    first.prepare(reservedFor(claim("x", "a"), "p1", "p2"));
    first.attach("uid-x", sandbox("s1", "p1"));
    first.attach("uid-x", sandbox("s2", "p2"));
    close();
    sql("UPDATE attachment SET checksum = 0 WHERE sandbox = 's1'");

    DriverRuntime second = boot("boot-1");
    assertThatThrownBy(() -> second.detach("uid-x", "s2")).hasMessageContaining("is damaged");
    assertThat(driver.calls).contains("detach x");
    assertThatThrownBy(() -> second.unprepare("uid-x")).hasMessageContaining("is damaged");
  }

  @Test
  void aClaimIsReservedForFewerPodsWhileItIsInTheSandboxOfAnother() throws Exception {
    DriverRuntime first = boot("boot-1");
    first.prepare(reservedFor(claim("x", "a"), "p1", "p2"));
    first.attach("uid-x", sandbox("s2", "p2"));
    first.reserve("uid-x", List.of(new ResourceClaimConsumerReference("", "pods", "p1", "p1")));

    DriverRuntime second = boot("boot-1");
    assertThat(second.claims().get(0).claim().claimed().reservedFor()).hasSize(1);
    assertThat(second.claims().get(0).attachments()).hasSize(1);
    second.detach("uid-x", "s2");
    second.attach("uid-x", sandbox("s1", "p1"));
    assertThat(driver.state()).containsExactly("lit-a", "on-a");
  }
}
