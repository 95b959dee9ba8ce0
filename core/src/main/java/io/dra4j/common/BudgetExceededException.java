package io.dra4j.common;

import io.dra4j.internal.Checks;
import java.io.Serial;

/**
 * The {@link Budget} of a computation is used up: its time is over or its caller cancelled. Nothing
 * is known about the answer. Without stack trace, because it reports the caller's limit, not the
 * program.
 */
public final class BudgetExceededException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * An exceeded budget.
   *
   * @param reason {@code cancelled}, or which time is over
   */
  public BudgetExceededException(String reason) {
    super(Checks.value("reason", reason), null, false, false);
  }

  /**
   * Which limit it was.
   *
   * @return {@code cancelled} or, for example, {@code no answer within 10000 ms}
   */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
