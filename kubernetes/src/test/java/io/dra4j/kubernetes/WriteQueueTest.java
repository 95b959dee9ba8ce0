package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.kubernetes.WriteQueue.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WriteQueueTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void keyThatFailsDoesNotHoldUpOthers() throws Exception {
    List<String> writes = new CopyOnWriteArrayList<>();
    BlockingQueue<String> done = new LinkedBlockingQueue<>();
    try (WriteQueue<String, Integer> queue =
        new WriteQueue<>(
            "test",
            (key, value) -> {
              writes.add(key + value);
              if (key.equals("failing")) {
                return Outcome.FAILED;
              }
              done.add(key + value);
              return Outcome.DONE;
            })) {
      queue.start();
      queue.put("failing", 0);
      for (int i = 0; i < 20; i++) {
        queue.put("other", i);
        String written = done.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(written).isEqualTo("other" + i);
      }
      // A pause of the failing key before each of the others would be twenty attempts.
      assertThat(writes.stream().filter(one -> one.startsWith("failing"))).hasSizeLessThan(5);
    }
  }

  @Test
  void lastValueOfAKeyThatFailedIsWritten() throws Exception {
    List<Integer> writes = new CopyOnWriteArrayList<>();
    AtomicInteger failures = new AtomicInteger(2);
    try (WriteQueue<String, Integer> queue =
        new WriteQueue<>(
            "test",
            (key, value) -> {
              writes.add(value);
              return failures.getAndDecrement() > 0 ? Outcome.CONFLICT : Outcome.DONE;
            })) {
      queue.start();
      queue.put("a", 1);
      queue.put("a", 2);
      assertThat(queue.awaitWritten(LIMIT)).isTrue();
      assertThat(writes.get(writes.size() - 1)).isEqualTo(2);
      assertThat(failures.get()).isNegative();
    }
  }

  @Test
  void writeThatFailsByADefectIsLeftOutAndTheNextOneIsWritten() throws Exception {
    List<Integer> writes = new CopyOnWriteArrayList<>();
    try (WriteQueue<String, Integer> queue =
        new WriteQueue<>(
            "test",
            (key, value) -> {
              if (value == 1) {
                throw new IllegalStateException("a codec of a test that fails");
              }
              writes.add(value);
              return Outcome.DONE;
            })) {
      queue.start();
      queue.put("a", 1);
      assertThat(queue.awaitWritten(LIMIT)).isTrue();
      queue.put("a", 2);
      assertThat(queue.awaitWritten(LIMIT)).isTrue();
      assertThat(writes).containsExactly(2);
    }
  }
}
