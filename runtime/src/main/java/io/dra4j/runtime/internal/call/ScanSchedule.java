package io.dra4j.runtime.internal.call;

import java.time.Duration;

/**
 * The times of scans of the host. A scan is due some time after the last change, so that a burst of
 * changes causes one scan. It is not due too soon after the previous scan, so that constant changes
 * do not keep a processor busy. Without changes, it is due at regular intervals. Times are those of
 * {@link System#nanoTime}, which does not jump. Not thread-safe.
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
   * Creates a schedule whose first scan is due immediately.
   *
   * @param quiet the time without changes before a scan
   * @param pause the shortest time after a scan
   * @param period the longest time after a scan
   * @param now the current time
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

  /** Returns the time until a scan is due; 0 or less if it is due now. */
  public long nanosUntilDue(long now) {
    long periodic = lastScan + period - now;
    if (!isPending) {
      return periodic;
    }
    long calm = Math.min(lastChange + quiet - now, firstChange + longestWait - now);
    return Math.min(periodic, Math.max(calm, lastScan + pause - now));
  }

  /** Records the start of a scan: later changes cause the next one. */
  public void scanning(long now) {
    lastScan = now;
    isPending = false;
  }
}
