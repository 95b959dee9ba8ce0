package io.dra4j.runtime;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A moment by which a call must have been answered, such as the 45 seconds that the kubelet gives
 * one call of {@code NodePrepareResources} with all its claims. It is made when the call comes in:
 *
 * <pre>{@code
 * Deadline deadline = Deadline.after(Duration.ofSeconds(45));
 * for (ResourceClaim claim : claims) {
 *   service.prepare(claim, "dra.net", deadline);
 * }
 * }</pre>
 *
 * <p>A driver is interrupted when two thirds of the time are over, so that there is time to undo
 * what it did; undoing is not cut short where it takes longer than that. Immutable.
 */
public final class Deadline {

  private static final Deadline NONE = new Deadline(null);
  private static final Duration LONG = Duration.ofDays(365);

  private final @Nullable Long nanos;

  private Deadline(@Nullable Long nanos) {
    this.nanos = nanos;
  }

  /**
   * A deadline from now on.
   *
   * @param limit how much time there is; none if it is not more than 0
   * @return the deadline
   */
  public static Deadline after(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    Duration bounded =
        limit.compareTo(LONG) > 0 ? LONG : limit.isNegative() ? Duration.ZERO : limit;
    return new Deadline(System.nanoTime() + bounded.toNanos());
  }

  /**
   * No deadline: the limits of the runtime count alone.
   *
   * @return a deadline that does not come
   */
  public static Deadline none() {
    return NONE;
  }

  /**
   * The time that is left.
   *
   * @return how much time there is until the deadline; 0 if it has passed; a year if there is none
   */
  public Duration left() {
    Long end = nanos;
    if (end == null) {
      return LONG;
    }
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /**
   * Says whether the deadline has passed.
   *
   * @return whether no time is left
   */
  public boolean hasPassed() {
    return left().isZero();
  }

  /** How long a driver may do something that may have to be undone; 0 if it is too late. */
  Duration forDoing(Duration limit) {
    return atMost(limit, left().multipliedBy(2).dividedBy(3));
  }

  /**
   * How long a driver may undo something that the caller asks for; 0 if it is too late. What undoes
   * a failure has {@link #none}: it is done whether or not the caller still waits.
   */
  Duration forUndoing(Duration limit) {
    return atMost(limit, left());
  }

  private static Duration atMost(Duration limit, Duration left) {
    return limit.compareTo(left) < 0 ? limit : left;
  }

  /**
   * The form for messages.
   *
   * @return how much time is left
   */
  @Override
  public String toString() {
    return nanos == null ? "no deadline" : "deadline in " + left().toMillis() + " ms";
  }
}
