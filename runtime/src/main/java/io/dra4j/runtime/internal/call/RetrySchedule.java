package io.dra4j.runtime.internal.call;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * When to try again what could not be taken back: after a second, and after twice as long each
 * time, but after five minutes at most. Thread-safe.
 */
public final class RetrySchedule<K> {

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofMinutes(5);

  private record Retry(long dueNanos, Duration pause) {}

  private final LongSupplier clock;
  private final Map<K, Retry> retries = new HashMap<>();

  /**
   * Makes a schedule.
   *
   * @param clock gives the time in nanoseconds, as {@link System#nanoTime} does
   */
  public RetrySchedule(LongSupplier clock) {
    this.clock = clock;
  }

  public synchronized boolean isDue(K what) {
    Retry retry = retries.get(what);
    return retry == null || clock.getAsLong() - retry.dueNanos() >= 0;
  }

  /** Returns after which time it is to be tried again. */
  public synchronized Duration failed(K what) {
    Retry before = retries.get(what);
    Duration pause = before == null ? FIRST : before.pause().multipliedBy(2);
    if (pause.compareTo(MOST) > 0) {
      pause = MOST;
    }
    retries.put(what, new Retry(clock.getAsLong() + pause.toNanos(), pause));
    return pause;
  }

  /** Tries all again as soon as there is an occasion: the host has changed. */
  public synchronized void reset() {
    retries.clear();
  }

  public synchronized void keepOnly(Set<K> those) {
    retries.keySet().retainAll(those);
  }
}
