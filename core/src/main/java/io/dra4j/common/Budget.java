package io.dra4j.common;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long the caller of a long computation is willing to wait: a time limit, a way to cancel, or
 * both. The computation looks at it often, and ends with a {@link BudgetExceededException} once it
 * is used up:
 *
 * <pre>{@code
 * Budget budget = Budget.of(Duration.ofSeconds(10)).orUntil(shutdown::isRequested);
 * boolean fits = selector.matches(driver, device, budget);
 * }</pre>
 *
 * <p>The time runs from {@link #of} on, so that a budget is made for one call and handed down to
 * everything that this call does. May be used by several threads.
 */
public final class Budget {

  /** How many units of {@link #spend} pass between two looks at the clock. */
  private static final int UNITS_PER_LOOK = 128;

  /** Half of what the clock can count, 146 years: adding the present does not overflow. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

  private static final Budget UNLIMITED = new Budget(null, null);

  private final @Nullable Duration time;
  private final long deadlineNanos; // where there is a time
  private final @Nullable BooleanSupplier cancelled;
  private int spent; // a race between threads merely moves the next look

  private Budget(@Nullable Duration time, @Nullable BooleanSupplier cancelled) {
    this(time, time == null ? 0 : System.nanoTime() + nanosOf(time), cancelled);
  }

  /** Negative times, too, end now, so that those which no clock counts do not overflow. */
  private static long nanosOf(Duration time) {
    return time.isNegative() ? 0 : time.toNanos();
  }

  private Budget(@Nullable Duration time, long deadlineNanos, @Nullable BooleanSupplier cancelled) {
    this.time = time;
    this.deadlineNanos = deadlineNanos;
    this.cancelled = cancelled;
  }

  /**
   * A budget that is never used up.
   *
   * @return the budget
   */
  public static Budget unlimited() {
    return UNLIMITED;
  }

  /**
   * A budget of time, which begins to run now.
   *
   * @param limit how long the caller waits; 0 or less is used up at once
   * @return the budget
   */
  public static Budget of(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    return new Budget(limit.compareTo(LONGEST) > 0 ? LONGEST : limit, null);
  }

  /**
   * The same budget, of which no more than some time from now on may be used.
   *
   * @param limit how long from now on; 0 or less is used up at once
   * @return a budget that ends when this one does, or when the time is over
   */
  public Budget atMost(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    Budget shorter = of(limit);
    return time != null && deadlineNanos - shorter.deadlineNanos <= 0
        ? this
        : new Budget(shorter.time, shorter.deadlineNanos, cancelled);
  }

  /**
   * Returns a budget for half of the time that is left of this one, so that there is time to fall
   * back on something simpler when it is over.
   *
   * @return a budget that ends half-way; this one if it has no time limit
   */
  public Budget half() {
    return share(2);
  }

  /**
   * Returns a budget for an equal share of the time that is left of this one: the first of several
   * computations takes no more than its share, and what it does not need is left to the others.
   *
   * @param parts how many computations there are, at least 1
   * @return a budget that ends with the first share; this one if it has no time limit
   * @throws IllegalArgumentException if there are fewer parts than 1
   */
  public Budget share(int parts) {
    if (parts < 1) {
      throw new IllegalArgumentException("parts: want 1 or more, got " + parts);
    }
    if (time == null || parts == 1) {
      return this;
    }
    long left = Math.max(0, deadlineNanos - System.nanoTime());
    return new Budget(time, deadlineNanos - (left - left / parts), cancelled);
  }

  /**
   * The same budget, which the caller can also end.
   *
   * @param cancel asked at each look; once it gives true, the budget is used up. Must be fast, and
   *     safe for use by the threads that compute
   * @return a budget that ends as soon as this one does, or when it is cancelled
   */
  public Budget orUntil(BooleanSupplier cancel) {
    Objects.requireNonNull(cancel, "cancel");
    BooleanSupplier before = cancelled;
    return new Budget(
        time,
        deadlineNanos,
        before == null ? cancel : () -> before.getAsBoolean() || cancel.getAsBoolean());
  }

  /**
   * Whether the budget can never be used up, so that it need not be checked.
   *
   * @return whether there is neither a time limit nor a way to cancel
   */
  public boolean isUnlimited() {
    return time == null && cancelled == null;
  }

  /**
   * Notes work that was done, and looks at clock and cancellation from time to time: for loops
   * whose rounds are too short to look in each of them.
   *
   * @param units how much work, in units of at most about 10 microseconds; less than 1 is none
   * @throws BudgetExceededException if a look finds the budget used up
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
   * Looks at clock and cancellation. Takes some 30 nanoseconds, and what the caller's cancellation
   * takes.
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

  /**
   * Returns whether the budget is used up now, for those who go on in another way then.
   *
   * @return whether {@link #check} would throw
   */
  public boolean isOver() {
    try {
      check();
      return false;
    } catch (BudgetExceededException e) {
      return true;
    }
  }

  /** In milliseconds, which is what users set limits in; those of none or too many as they are. */
  private static String text(Duration time) {
    if (time.compareTo(LONGEST.negated()) < 0) {
      return "0 ms"; // the least duration there is means none
    } else if (time.equals(LONGEST)) {
      return time.toDays() / 365 + " years";
    }
    return time.toMillis() == 0 && !time.isZero() ? time.toString() : time.toMillis() + " ms";
  }
}
