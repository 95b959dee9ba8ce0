package io.dra4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CallRunnerTest {

  private final CallRunner runner = new CallRunner();

  @Test
  void callsRunOnThreadsOfItsOwnWhileItRuns() throws Exception {
    assertThatIllegalStateException().isThrownBy(() -> runner.run("x", () -> 1));
    runner.start();

    assertThat(runner.run("x", Thread::currentThread)).isNotSameAs(Thread.currentThread());
    assertThat(runner.runHere(Thread::currentThread)).isSameAs(Thread.currentThread());
    assertThatIllegalStateException().isThrownBy(runner::start);
    assertThat(runner.stop(Duration.ofSeconds(30))).isTrue();
    assertThat(runner.stop(Duration.ofSeconds(30))).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> runner.run("x", () -> 1));
  }

  /** What is to be tried again after a bug is not left to the next process. */
  @Test
  void aBugIsNotTakenForARuntimeThatStops() throws Exception {
    assertThatThrownBy(() -> runner.run("x", () -> 1))
        .isInstanceOf(CallRunner.NotRunningException.class);
    runner.start();

    assertThatThrownBy(
            () ->
                runner.run(
                    "x",
                    () -> {
                      throw new IllegalStateException("a bug");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .isNotInstanceOf(CallRunner.NotRunningException.class);
    runner.stop(Duration.ofSeconds(30));
    assertThatThrownBy(() -> runner.runHere(() -> 1))
        .isInstanceOf(CallRunner.NotRunningException.class);
  }

  @Test
  void stoppingWaitsForCalls() throws Exception {
    runner.start();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Integer> call =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return runner.run(
                    "x",
                    () -> {
                      begun.countDown();
                      awaitQuietly(end);
                      return 1;
                    });
              } catch (ClaimException e) {
                return 0;
              }
            },
            CallRunnerTest::onThread);
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    CompletableFuture<Boolean> stop =
        CompletableFuture.supplyAsync(
            () -> runner.stop(Duration.ofMinutes(5)), CallRunnerTest::onThread);
    while (runner.phase() != CallRunner.Phase.STOPPING) {
      Thread.onSpinWait();
    }
    assertThat(stop).isNotDone();

    end.countDown();

    assertThat(stop.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(call.get(1, TimeUnit.MINUTES)).isEqualTo(1);
  }

  @Test
  void callsOfInterruptedThreadsAreNotWaitedForOnceTheyHaveEnded() throws Exception {
    runner.start();
    for (int i = 0; i < 200; i++) {
      Thread.currentThread().interrupt();
      try {
        assertThat(runner.run("x", () -> 1)).isEqualTo(1);
      } catch (ClaimException e) {
        assertThat(e).hasMessage("claim x: interrupted");
      }
      assertThat(Thread.interrupted()).isTrue();
    }

    CompletableFuture<Boolean> stop =
        CompletableFuture.supplyAsync(
            () -> runner.stop(Duration.ofHours(1)), CallRunnerTest::onThread);

    assertThat(stop.get(1, TimeUnit.MINUTES)).isTrue();
  }

  /**
   * One for each: the common pool may have a single one, and its tasks wait for each other here.
   */
  private static void onThread(Runnable task) {
    new Thread(task).start();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
