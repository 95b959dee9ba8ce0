package io.dra4j.runtime.internal.call;

import java.time.Duration;

/**
 * When to read the host again: some time after the last change, so that one burst is one scan; not
 * too soon after the scan before, so that a host that never rests does not keep a processor busy;
 * and from time to time in any case. It counts in {@link System#nanoTime}, which does not jump. Not
 * thread-safe.
 */
public final class ScanSchedule {

  private final long quiet;
  private final long longestWait;
  private final long pause;
  private final long period;
  private long lastScan;
  private boolean isPending;
  private long firstChange;
  private long lastChange;

  /**
   * A schedule whose first scan is due at once.
   *
   * @param quiet how long nothing must change
   * @param pause how long after a scan at least
   * @param period how long after a scan at most
   * @param now the time
   */
  public ScanSchedule(Duration quiet, Duration pause, Duration period, long now) {
    this.quiet = quiet.toNanos();
    this.longestWait = 10 * this.quiet;
    this.pause = pause.toNanos();
    this.period = period.toNanos();
    this.lastScan = now - this.period;
    this.isPending = false;
  }

  public void changed(long now) {
    if (!isPending) {
      firstChange = now;
    }
    isPending = true;
    lastChange = now;
  }

  /** How long until a scan is due; 0 or less if it is. */
  public long nanosUntilDue(long now) {
    long periodic = lastScan + period - now;
    if (!isPending) {
      return periodic;
    }
    long calm = Math.min(lastChange + quiet - now, firstChange + longestWait - now);
    return Math.min(periodic, Math.max(calm, lastScan + pause - now));
  }

  /** A scan begins: what changes from now on is for the next one. */
  public void scanning(long now) {
    lastScan = now;
    isPending = false;
  }
}
