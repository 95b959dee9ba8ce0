package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.spi.DriverException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that wait for answers at the same time. */
@Timeout(60)
class ParallelCallsTest {

  @Test
  void answersAreInTheOrderOfTheCalls() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    List<String> answers =
        ParallelCalls.run(
            "test",
            List.of(
                caller -> {
                  await(second);
                  return "first";
                },
                caller -> {
                  caller.run(second::countDown);
                  return "second";
                }));
    assertThat(answers).containsExactly("first", "second");
  }

  /** A thread that continues would change links after the caller has undone everything. */
  @ParameterizedTest
  @ValueSource(
      classes = {DriverException.class, IllegalStateException.class, StackOverflowError.class})
  void whateverACallThrowsTheOthersHaveEnded(Class<? extends Throwable> kind) {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Thread> other = new CompletableFuture<>();
    assertThatThrownBy(
            () ->
                ParallelCalls.run(
                    "test",
                    List.<ParallelCalls.Call<String>>of(
                        caller -> {
                          other.complete(Thread.currentThread());
                          begun.countDown();
                          await(new CountDownLatch(1));
                          return "never";
                        },
                        caller -> {
                          await(begun);
                          if (kind == DriverException.class) {
                            throw DriverException.failed("no answer", null);
                          } else if (kind == IllegalStateException.class) {
                            throw new IllegalStateException("a bug");
                          }
                          throw new StackOverflowError();
                        })))
        .isInstanceOf(kind);
    assertThat(other.join().isInterrupted() || !other.join().isAlive()).isTrue();
  }

  private static void await(CountDownLatch latch) throws DriverException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DriverException.failed("interrupted", e);
    }
  }
}
