package io.dra4j.runtime.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttachQueueTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void podsTakeTurns() throws Exception {
    AttachQueue queue = new AttachQueue(1);
    List<String> order = new CopyOnWriteArrayList<>();
    AttachQueue.Place first = Objects.requireNonNull(queue.enter("big", LONG));
    List<Thread> threads = new ArrayList<>();
    for (String pod : List.of("big", "big", "big", "small", "other", "other")) {
      Thread thread =
          new Thread(
              () -> {
                try (AttachQueue.Place place = queue.enter(pod, LONG)) {
                  order.add(place == null ? "none" : pod);
                } catch (InterruptedException e) {
                  order.add("interrupted");
                }
              });
      threads.add(thread);
      thread.start();
      while (thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait(); // so that they come in this order
      }
    }
    first.close();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(order).containsExactly("big", "small", "other", "big", "other", "big");
  }

  @Test
  void onlySoManyAreIn() throws Exception {
    AttachQueue queue = new AttachQueue(2);
    AtomicInteger in = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String pod = "pod-" + i % 5;
      Thread thread =
          new Thread(
              () -> {
                try (AttachQueue.Place place = queue.enter(pod, LONG)) {
                  Objects.requireNonNull(place);
                  most.accumulateAndGet(in.incrementAndGet(), Math::max);
                  Thread.sleep(1);
                  in.decrementAndGet();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(most.get()).isLessThanOrEqualTo(2);
    assertThat(in.get()).isZero();
  }

  @Test
  void whoDoesNotGetAPlaceInTimeOrIsInterruptedLeavesNothing() throws Exception {
    AttachQueue queue = new AttachQueue(1);
    AttachQueue.Place first = Objects.requireNonNull(queue.enter("a", LONG));
    assertThat(queue.enter("b", Duration.ofMillis(1))).isNull();
    Thread waiting =
        new Thread(
            () -> {
              try {
                queue.enter("c", LONG);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    waiting.interrupt();
    waiting.join();
    first.close();
    try (AttachQueue.Place next = queue.enter("d", Duration.ofMillis(1))) {
      assertThat(next).isNotNull();
    }
  }
}
