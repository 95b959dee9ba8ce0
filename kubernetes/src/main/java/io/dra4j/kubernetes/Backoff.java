package io.dra4j.kubernetes;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between attempts: 0.8 s, doubled up to 30 s, each between one and two times as long by
 * chance (client-go, tools/cache/reflector.go). Belongs to one thread.
 */
final class Backoff {

  private static final Duration FIRST = Duration.ofMillis(800);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private Duration next = FIRST;

  /** The pause before the next attempt. */
  Duration pause() {
    Duration pause = next;
    next = next.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : next.multipliedBy(2);
    return pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() + 1));
  }

  /** The next failure is the first one again. */
  void reset() {
    next = FIRST;
  }
}
