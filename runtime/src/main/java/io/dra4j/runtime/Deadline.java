package io.dra4j.runtime;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A moment by which a call must return, for example because the kubelet waits 45 seconds for one
 * call of {@code NodePrepareResources} with all its claims. It is created when the call arrives:
 *
 * <pre>{@code
 * Deadline deadline = Deadline.after(Duration.ofSeconds(45));
 * for (ResourceClaim claim : claims) {
 *   service.prepare(claim, "dra.net", deadline);
 * }
 * }</pre>
 *
 * <p>A driver is interrupted after two thirds of the time, which leaves time to undo its work.
 * Undoing is not interrupted by the deadline, even if it takes longer. Immutable.
 */
public final class Deadline {

  private static final Deadline NONE = new Deadline(null);
  private static final Duration LONG = Duration.ofDays(365);

  private final @Nullable Long nanos;

  private Deadline(@Nullable Long nanos) {
    this.nanos = nanos;
  }

  /**
   * {@return a deadline that begins now}
   *
   * @param limit the time until the deadline; if it is not more than 0, the deadline has passed
   */
  public static Deadline after(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    Duration bounded =
        limit.compareTo(LONG) > 0 ? LONG : limit.isNegative() ? Duration.ZERO : limit;
    return new Deadline(System.nanoTime() + bounded.toNanos());
  }

  /** {@return a deadline that never passes: only the limits of the runtime apply} */
  public static Deadline none() {
    return NONE;
  }

  /** {@return the time until the deadline; 0 if it has passed; a year if there is no deadline} */
  public Duration left() {
    Long end = nanos;
    if (end == null) {
      return LONG;
    }
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /** {@return whether the deadline has passed} */
  public boolean hasPassed() {
    return left().isZero();
  }

  /** The time limit for a driver's work that may have to be undone; 0 if it is too late. */
  Duration forDoing(Duration limit) {
    return atMost(limit, left().multipliedBy(2).dividedBy(3));
  }

  /**
   * The time limit for a driver to undo work at the request of a caller; 0 if it is too late.
   * Undoing a failed call has {@link #none}: it continues whether or not the caller still waits.
   */
  Duration forUndoing(Duration limit) {
    return atMost(limit, left());
  }

  private static Duration atMost(Duration limit, Duration left) {
    return limit.compareTo(left) < 0 ? limit : left;
  }

  /** {@return the remaining time in milliseconds, or that there is no deadline, for messages} */
  @Override
  public String toString() {
    return nanos == null ? "no deadline" : "deadline in " + left().toMillis() + " ms";
  }
}
