package io.dra4j.common;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a long computation: a time limit, a way to cancel, or both. The computation checks
 * it often, and ends with a {@link BudgetExceededException} once it is used up:
 *
 * <pre>{@code
 * Budget budget = Budget.of(Duration.ofSeconds(10)).orUntil(shutdown::isRequested);
 * boolean fits = selector.matches(driver, device, budget);
 * }</pre>
 *
 * <p>The time runs from the call of {@link #of}, so create a budget for one call and pass it on to
 * everything that this call does. Thread-safe.
 */
public final class Budget {

  /** The number of units of {@link #spend} between two checks of the clock. */
  private static final int UNITS_PER_LOOK = 128;

  /** Half of the range of the clock, 146 years: adding the current time does not overflow. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private static final Budget UNLIMITED = new Budget(null, null);

  private final @Nullable Duration time;
  private final long deadlineNanos; // valid only if there is a time limit
  private final @Nullable BooleanSupplier cancelled;
  private int spent; // a race between threads merely moves the next check

  private Budget(@Nullable Duration time, @Nullable BooleanSupplier cancelled) {
    this(time, time == null ? 0 : System.nanoTime() + nanosOf(time), cancelled);
  }

  /** The time in nanoseconds; 0 for a negative time, which could overflow otherwise. */
  private static long nanosOf(Duration time) {
    return time.isNegative() ? 0 : time.toNanos();
  }

  private Budget(@Nullable Duration time, long deadlineNanos, @Nullable BooleanSupplier cancelled) {
    this.time = time;
    this.deadlineNanos = deadlineNanos;
    this.cancelled = cancelled;
  }

  /** {@return a budget that is never used up} */
  public static Budget unlimited() {
    return UNLIMITED;
  }

  /**
   * {@return a budget of time, which begins to run now}
   *
   * @param limit the time that the caller waits; a budget of 0 or less is used up at once
   */
  public static Budget of(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    return new Budget(limit.compareTo(LONGEST) > 0 ? LONGEST : limit, null);
  }

  /**
   * {@return this budget with a time limit that begins now, unless its own limit is earlier}
   *
   * @param limit the time from now; a budget of 0 or less is used up at once
   */
  public Budget atMost(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    Budget shorter = of(limit);
    return time != null && deadlineNanos - shorter.deadlineNanos <= 0
        ? this
        : new Budget(shorter.time, shorter.deadlineNanos, cancelled);
  }

  /**
   * {@return a budget for half of the time that is left of this one, so that time for a simpler
   * computation remains when it is used up; this budget if it has no time limit}
   */
  public Budget half() {
    return share(2);
  }

  /**
   * {@return a budget for an equal share of the time that is left of this one; this one if it has
   * no time limit} The first of several computations uses no more than its share, and the time that
   * it does not need is left to the others.
   *
   * @param parts the number of computations, at least 1
   * @throws IllegalArgumentException if {@code parts} is less than 1
   */
  public Budget share(int parts) {
    if (parts < 1) {
      throw new IllegalArgumentException("parts: expected 1 or more, found " + parts);
    }
    if (time == null || parts == 1) {
      return this;
    }
    long left = Math.max(0, deadlineNanos - System.nanoTime());
    return new Budget(time, deadlineNanos - (left - left / parts), cancelled);
  }

  /**
   * {@return a budget that ends when this one ends, or when it is cancelled}
   *
   * @param cancel called at each check; true ends the budget. Must be fast and thread-safe
   */
  public Budget orUntil(BooleanSupplier cancel) {
    Objects.requireNonNull(cancel, "cancel");
    BooleanSupplier before = cancelled;
    return new Budget(
        time,
        deadlineNanos,
        before == null ? cancel : () -> before.getAsBoolean() || cancel.getAsBoolean());
  }

  /** {@return whether it is never used up: there is neither a time limit nor a way to cancel} */
  public boolean isUnlimited() {
    return time == null && cancelled == null;
  }

  /**
   * Records finished work, and checks clock and cancellation from time to time. For loops whose
   * rounds are too short for a check in each of them.
   *
   * @param units the amount of work, in units of at most about 10 microseconds; less than 1 counts
   *     as none
   * @throws BudgetExceededException if a check finds that the budget is used up
   */
  public void spend(int units) throws BudgetExceededException {
    if (units < 1 || isUnlimited()) {
      return;
    }
    spent += Math.min(units, UNITS_PER_LOOK);
    if (spent >= UNITS_PER_LOOK) {
      spent = 0;
      check();
    }
  }

  /**
   * Checks clock and cancellation. Takes about 30 nanoseconds in addition to the caller's
   * cancellation.
   *
   * @throws BudgetExceededException if the budget is used up
   */
  public void check() throws BudgetExceededException {
    if (cancelled != null && cancelled.getAsBoolean()) {
      throw new BudgetExceededException("cancelled");
    }
    if (time != null && System.nanoTime() - deadlineNanos >= 0) {
      throw new BudgetExceededException("no answer within " + text(time));
    }
  }

  /** {@return whether {@link #check} would throw, for a caller that then continues another way} */
  public boolean isOver() {
    try {
      check();
      return false;
    } catch (BudgetExceededException e) {
      return true;
    }
  }

  /** The time in milliseconds, as users set it; very short in ISO 8601, very long in years. */
  private static String text(Duration time) {
    if (time.compareTo(LONGEST.negated()) < 0) {
      return "0 ms"; // the smallest duration stands for no time
    } else if (time.equals(LONGEST)) {
      return time.toDays() / 365 + " years";
    }
    return time.toMillis() == 0 && !time.isZero() ? time.toString() : time.toMillis() + " ms";
  }
}
