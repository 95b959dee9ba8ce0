package io.dra4j.kubernetes;

import java.time.Duration;

/**
 * Counts the repairs of published slices that other writers have changed. The first repairs happen
 * immediately. After that there are pauses, so that two writers that disagree do not write all the
 * time. Not thread-safe.
 */
final class Dispute {

  /** The number of repairs without a pause: a pool may have several slices. */
  private static final int FREE = 10;

  /** The time without a repair after which a dispute is over; longer than the longest pause. */
  private static final Duration QUIET = Duration.ofMinutes(2);

  private final Backoff backoff = new Backoff();
  private int repairs;
  private long lastRepair; // System.nanoTime()
  private boolean isPauseDue;

  /** Records a repair. Returns whether the dispute begins with it. */
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

  /** The pause before the next round; zero unless there were too many repairs. */
  Duration pause() {
    Duration pause = isPauseDue ? backoff.pause() : Duration.ZERO;
    isPauseDue = false;
    return pause;
  }

  /** Whether there were too many repairs, and the last one is not long ago. */
  boolean isOpen() {
    return repairs > FREE && System.nanoTime() - lastRepair <= QUIET.toNanos();
  }

  /** Ends the dispute: the next repair counts as the first. */
  void end() {
    repairs = 0;
    isPauseDue = false;
    backoff.reset();
  }
}
