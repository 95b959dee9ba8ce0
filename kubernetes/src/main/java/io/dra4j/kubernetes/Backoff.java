package io.dra4j.kubernetes;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between attempts: 0.8 s, doubled up to 30 s, each multiplied by a random factor between
 * one and two (client-go, tools/cache/reflector.go). Not thread-safe.
 */
final class Backoff {

  private static final Duration FIRST = Duration.ofMillis(800);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final Duration first;
  private final Duration longest;
  private Duration next;

  Backoff() {
    this(FIRST, LONGEST);
  }

  /** Creates a backoff with other pauses than client-go. */
  Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  /** The pause before the next attempt. */
  Duration pause() {
    Duration pause = next;
    next = next.multipliedBy(2).compareTo(longest) > 0 ? longest : next.multipliedBy(2);
    return pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() + 1));
  }

  /** Whether there was a failure since the last reset. */
  boolean isUsed() {
    return !next.equals(first);
  }

  /** Resets the pauses: the next failure counts as the first. */
  void reset() {
    next = first;
  }
}
