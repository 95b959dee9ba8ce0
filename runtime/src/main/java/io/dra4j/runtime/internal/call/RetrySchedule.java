package io.dra4j.runtime.internal.call;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** Times of retries: after 1 second, then twice as long each time, up to 5 minutes. Thread-safe. */
public final class RetrySchedule<K> {

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofMinutes(5);

  private record Retry(long dueNanos, Duration pause) {}

  private final LongSupplier clock;
  private final Map<K, Retry> retries = new HashMap<>();

  /**
   * Creates a schedule.
   *
   * @param clock the time in nanoseconds, like {@link System#nanoTime}
   */
  public RetrySchedule(LongSupplier clock) {
    this.clock = clock;
  }

  public synchronized boolean isDue(K what) {
    Retry retry = retries.get(what);
    return retry == null || clock.getAsLong() - retry.dueNanos() >= 0;
  }

  /** Records a failure, and returns the delay before the next attempt. */
  public synchronized Duration failed(K what) {
    Retry before = retries.get(what);
    Duration pause = before == null ? FIRST : before.pause().multipliedBy(2);
    if (pause.compareTo(MOST) > 0) {
      pause = MOST;
    }
    retries.put(what, new Retry(clock.getAsLong() + pause.toNanos(), pause));
    return pause;
  }

  /** Makes all retries due immediately, because the host has changed. */
  public synchronized void reset() {
    retries.clear();
  }

  public synchronized void keepOnly(Set<K> those) {
    retries.keySet().retainAll(those);
  }
}
