package io.dra4j.allocation;

import java.io.Serial;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** When a search must end although the answer is not known. */
final class SearchLimit {

  /** A look at the clock costs about as much as a cheap step. */
  private static final int STEPS_PER_LOOK = 16;

  private final long deadlineNanos;
  private final Duration timeout;
  private final BooleanSupplier cancelled;

  SearchLimit(Duration timeout, BooleanSupplier cancelled) {
    this.timeout = timeout;
    this.deadlineNanos = System.nanoTime() + saturatedNanos(timeout);
    this.cancelled = cancelled;
  }

  /**
   * Called on every step.
   *
   * @throws ExceededException if the caller cancelled or the deadline is over
   */
  void check(long step) throws ExceededException {
    if (cancelled.getAsBoolean()) {
      throw new ExceededException("cancelled");
    }
    if (step % STEPS_PER_LOOK == 0 && System.nanoTime() - deadlineNanos >= 0) {
      throw new ExceededException("no answer within " + timeout.toMillis() + " ms");
    }
  }

  private static long saturatedNanos(Duration timeout) {
    // Half of the range, so that adding the present does not overflow.
    return timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0
        ? Long.MAX_VALUE / 2
        : timeout.toNanos();
  }

  /** The search must end. Without stack trace: it is an answer, not a fault. */
  static final class ExceededException extends Exception {

    @Serial private static final long serialVersionUID = 1L;

    ExceededException(String reason) {
      super(reason, null, false, false);
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }
}
