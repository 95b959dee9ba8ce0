package io.dra4j.kubernetes;

import java.time.Duration;

/**
 * Counts how often what was published is changed by others and published again. A few times that is
 * done at once; then there are pauses, so that two writers that never agree do not write without
 * end. Belongs to one thread.
 */
final class Dispute {

  /** So often what was deleted or changed is published again at once: the slices of a pool. */
  private static final int FREE = 10;

  /** Longer than the longest pause: after this time without a repair, the dispute is over. */
  private static final Duration QUIET = Duration.ofMinutes(2);

  private final Backoff backoff = new Backoff();
  private int repairs;
  private long lastRepair; // System.nanoTime()
  private boolean isPauseDue;

  /** Notes that something is published again; returns whether the dispute begins with that. */
  boolean repair() {
    long now = System.nanoTime();
    if (repairs > 0 && now - lastRepair > QUIET.toNanos()) {
      end();
    }
    lastRepair = now;
    repairs++;
    isPauseDue = repairs > FREE;
    return repairs == FREE + 1;
  }

  /** The pause before the next round: none but after a repair that was one too many. */
  Duration pause() {
    Duration pause = isPauseDue ? backoff.pause() : Duration.ZERO;
    isPauseDue = false;
    return pause;
  }

  /** Whether there were too many repairs, and the last one is not long ago. */
  boolean isOpen() {
    return repairs > FREE && System.nanoTime() - lastRepair <= QUIET.toNanos();
  }

  /** The next repair is the first one. */
  void end() {
    repairs = 0;
    isPauseDue = false;
    backoff.reset();
  }
}
