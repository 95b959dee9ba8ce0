package io.dra4j.node;

import io.dra4j.runtime.ClaimListener;
import io.dra4j.runtime.Deadline;
import io.dra4j.runtime.StoredClaim;
import java.util.concurrent.TimeUnit;

/**
 * Waits until devices are released: when a claim is unprepared, or at the end of a standby. The
 * wait is needed after a pod is deleted without a grace period: the scheduler gives its devices to
 * the next pod before the kubelet has unprepared its claims. Thread-safe.
 */
final class DeviceReleases implements ClaimListener {

  private long count;

  @Override
  public void unprepared(StoredClaim claim) {
    increment();
  }

  @Override
  public void recovered() {
    increment();
  }

  private synchronized void increment() {
    count++;
    notifyAll();
  }

  /** The number of releases so far. */
  synchronized long count() {
    return count;
  }

  /** Waits for a release after the count {@code seen}; returns whether there was one in time. */
  synchronized boolean awaitAfter(long seen, Deadline deadline) throws InterruptedException {
    while (count == seen) {
      if (deadline.hasPassed()) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, deadline.left().toNanos()));
    }
    return true;
  }
}
