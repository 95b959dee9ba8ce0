package io.dra4j.common;

import io.dra4j.internal.Checks;
import java.io.Serial;

/**
 * The {@link Budget} of a computation is used up: its time is over or its caller cancelled. The
 * answer is unknown. Has no stack trace, because it reports the caller's limit, not an error of the
 * program.
 */
public final class BudgetExceededException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param reason {@code cancelled}, or the time that is over
   */
  public BudgetExceededException(String reason) {
    super(Checks.value("reason", reason), null, false, false);
  }

  /** {@return {@code cancelled}, or the limit, for example {@code no answer within 10000 ms}} */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
