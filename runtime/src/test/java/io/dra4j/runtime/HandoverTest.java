package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One instance takes the place of another, as in a rolling update. */
class HandoverTest {

  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private Path store;
  private Path lamps;

  @BeforeEach
  void makeDirectories() throws Exception {
    store = directory.resolve("store");
    lamps = Files.createDirectory(directory.resolve("lamps"));
  }

  @Test
  void withoutStandbyASecondInstanceIsRefused() throws Exception {
    try (DriverRuntime first = runtime(store, new LampDriver(lamps, "a")).build()) {
      first.start();
      assertThatThrownBy(() -> runtime(store, new LampDriver(lamps, "a")).build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is in use by process");
    }
  }

  @Test
  void aSecondInstanceIsReadyAndTakesOverWhenTheFirstLetsGo() throws Exception {
    LampDriver driver = new LampDriver(lamps, "a", "b");
    DriverRuntime first = runtime(store, driver).build();
    first.start();
    first.prepare(claim("x", "a"));
    first.attach("uid-x", sandbox("s1", "p1"));
    driver.offer("b"); // a is in the pod
    LampDriver next = new LampDriver(lamps, "b");
    try (DriverRuntime second = runtime(store, next).standby(LONG).build()) {
      second.start();

      assertThat(second.health().isReady()).isTrue();
      assertThat(second.health().isLive()).isTrue();
      assertThat(second.health().problems())
          .anyMatch(one -> one.startsWith("standby: ") && one.contains("is in use by process"));
      assertThat(second.slices().get(0).devices())
          .extracting(one -> one.name())
          .containsExactlyInAnyOrder("a", "b");
      assertThatThrownBy(() -> second.prepare(claim("y", "b")))
          .isInstanceOf(ClaimException.class)
          .hasMessageContaining("standby");
      assertThatThrownBy(() -> second.unprepare("uid-x")).hasMessageContaining("standby");
      assertThat(next.calls).isEmpty();

      first.close();
      awaitActive(second);
      assertThat(next.calls).containsExactly("resume x");
      second.prepare(claim("y", "b"));
      second.unprepare("uid-x");
      assertThat(second.health().problems()).isEmpty();
    }
    assertThat(new LampDriver(lamps, "a").state()).containsExactly("on-b");
  }

  /** What the first instance gives to pods meanwhile is not gone from the node. */
  @Test
  void aSecondInstanceOffersWhatTheFirstAttachesWhileItStandsBy() throws Exception {
    LampDriver driver = new LampDriver(lamps, "a", "b");
    LampDriver next = new LampDriver(lamps, "a", "b");
    try (DriverRuntime first = runtime(store, driver).build();
        DriverRuntime second = runtime(store, next).standby(LONG).build()) {
      first.start();
      second.start();
      first.prepare(claim("x", "a"));
      first.attach("uid-x", sandbox("s1", "p1"));
      next.offer("b"); // a is in the pod

      assertThat(second.rescan(LONG)).isTrue();

      assertThat(second.slices().get(0).devices())
          .extracting(one -> one.name())
          .containsExactlyInAnyOrder("a", "b");
      driver.offer("a", "b");
      first.unprepare("uid-x");
      assertThat(second.rescan(LONG)).isTrue();
      assertThat(second.claims()).isEmpty();
      assertThat(second.slices().get(0).devices())
          .extracting(one -> one.name())
          .containsExactly("b");
    }
  }

  @Test
  void listenerHearsWhenTheStoreIsTakenOver() throws Exception {
    DriverRuntime first = runtime(store, new LampDriver(lamps, "a")).build();
    List<String> heard = new CopyOnWriteArrayList<>();
    first.addClaimListener(listener(first, heard));
    first.start();
    assertThat(heard).containsExactly("prepared []");
    first.prepare(claim("x", "a"));
    try (DriverRuntime second = runtime(store, new LampDriver(lamps, "a")).standby(LONG).build()) {
      second.addClaimListener(listener(second, heard));
      second.start();
      assertThat(second.claims()).hasSize(1);
      assertThat(second.isPrepared(second.claims().get(0))).isFalse();
      first.close();
      awaitActive(second);
      for (int i = 0; i < 6_000 && heard.size() < 2; i++) {
        Thread.sleep(10);
      }
      assertThat(heard).containsExactly("prepared []", "prepared [uid-x]");
    }
  }

  private static ClaimListener listener(DriverRuntime runtime, List<String> heard) {
    return new ClaimListener() {
      @Override
      public void recovered() {
        heard.add(
            "prepared "
                + runtime.claims().stream()
                    .filter(runtime::isPrepared)
                    .map(StoredClaim::uid)
                    .toList());
      }
    };
  }

  private static void awaitActive(DriverRuntime runtime) throws InterruptedException {
    for (int i = 0; i < 6_000; i++) {
      if (runtime.health().problems().stream().noneMatch(one -> one.startsWith("standby"))) {
        return;
      }
      Thread.sleep(10);
    }
    throw new IllegalStateException("it still stands by");
  }

  @Test
  void anInstanceThatStandsByCanBeClosed() throws Exception {
    try (DriverRuntime first = runtime(store, new LampDriver(lamps, "a")).build()) {
      first.start();
      DriverRuntime second = runtime(store, new LampDriver(lamps, "a")).standby(LONG).build();
      second.start();
      second.close();
      first.prepare(claim("x", "a"));
    }
    ClaimStore.open(store).close();
  }

  @Test
  void anInstanceThatWaitsTooLongIsNotLive() throws Exception {
    try (DriverRuntime first = runtime(store, new LampDriver(lamps, "a")).build();
        DriverRuntime second =
            runtime(store, new LampDriver(lamps, "a")).standby(Duration.ofMillis(1)).build()) {
      first.start();
      second.start();
      assertThat(second.health().isLive()).isFalse();
      assertThat(second.health().problems())
          .anyMatch(one -> one.startsWith("standby for more than"));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DriverRuntime.builder().standby(Duration.ZERO));
  }

  @Test
  void aDriverThatStillWorksKeepsTheStoreUntilItHasEnded() throws Exception {
    LampDriver slow = new LampDriver(lamps, "a");
    CountDownLatch isWorking = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    AtomicReference<String> undone = new AtomicReference<>("");
    slow.fault =
        step -> {
          if (step.equals("lit a")) {
            isWorking.countDown();
            while (mayGoOn.getCount() > 0) {
              Thread.onSpinWait(); // listens to no interrupt
            }
          }
        };
    DriverRuntime first = runtime(store, slow).stopLimit(Duration.ofMillis(100)).build();
    first.start();
    first.prepare(claim("x", "a"));
    Thread caller =
        new Thread(
            () -> {
              try {
                first.attach("uid-x", sandbox("s1", "p1"));
              } catch (ClaimException | IllegalStateException e) {
                undone.set(String.valueOf(e.getMessage()));
              }
            });
    caller.start();
    isWorking.await();

    first.close();
    assertThatThrownBy(() -> ClaimStore.open(store)).hasMessageContaining("is in use");

    mayGoOn.countDown();
    caller.join();
    LampDriver next = new LampDriver(lamps, "a");
    try (DriverRuntime second = runtime(store, next).standby(LONG).build()) {
      second.start();
      awaitActive(second);
      second.unprepare("uid-x");
    }
    assertThat(next.state()).isEmpty();
  }

  /** Two hundred claims are prepared, attached and taken back while the instances change. */
  @Test
  void underLoadNoStepIsTakenTwiceAndNoneIsLost() throws Exception {
    int count = 200;
    String[] names = IntStream.range(0, count).mapToObj(i -> "l" + i).toArray(String[]::new);
    Map<String, AtomicInteger> taken = new ConcurrentHashMap<>();
    AtomicInteger undone = new AtomicInteger();
    LampDriver.Fault counting =
        step -> {
          if (step.startsWith("undo ")) {
            undone.incrementAndGet();
          } else if (step.startsWith("on ") || step.startsWith("lit ")) {
            taken.computeIfAbsent(step, one -> new AtomicInteger()).incrementAndGet();
          }
        };
    LampDriver old = new LampDriver(lamps, names);
    LampDriver young = new LampDriver(lamps, names);
    old.fault = counting;
    young.fault = counting;
    DriverRuntime first = runtime(store, old).build();
    first.start();
    DriverRuntime second = runtime(store, young).standby(LONG).build();
    second.start();
    AtomicReference<DriverRuntime> current = new AtomicReference<>(first);
    AtomicInteger attached = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (second) {
      List<Future<?>> calls =
          IntStream.range(0, count)
              .<Future<?>>mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            untilDone(
                                current,
                                one -> {
                                  one.prepare(claim("c" + i, "l" + i));
                                  one.attach("uid-c" + i, sandbox("s" + i, "p" + i));
                                });
                            attached.incrementAndGet();
                            return i;
                          }))
              .toList();
      while (attached.get() < count / 4) {
        Thread.sleep(1);
      }
      first.close();
      current.set(second);
      for (Future<?> call : calls) {
        call.get();
      }
      awaitActive(second);
      assertThat(second.claims()).hasSize(count);
      assertThat(young.state()).hasSize(2 * count);
      assertThat(taken).hasSize(2 * count);
      int steps = taken.values().stream().mapToInt(AtomicInteger::get).sum();
      assertThat(steps - undone.get()).isEqualTo(2 * count); // what was undone is taken again
      System.out.printf(
          "handover: %d claims, %d steps, %d undone, 0 lost%n", count, steps, undone.get());
      for (int i = 0; i < count; i++) {
        second.unprepare("uid-c" + i);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(young.state()).isEmpty();
    assertThat(ClaimStore.read(store)).isEmpty();
  }

  private interface Use {
    void of(DriverRuntime runtime) throws ClaimException;
  }

  /** As the kubelet does: it calls again, whichever instance answers then. */
  private static void untilDone(AtomicReference<DriverRuntime> current, Use use)
      throws InterruptedException {
    while (true) {
      try {
        use.of(Objects.requireNonNull(current.get()));
        return;
      } catch (ClaimException | IllegalStateException e) {
        Thread.sleep(5);
      }
    }
  }
}
