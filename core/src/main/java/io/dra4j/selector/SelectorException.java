package io.dra4j.selector;

import io.dra4j.internal.Checks;
import java.io.Serial;

/**
 * A selector expression that cannot be compiled, or cannot be evaluated on a device. Checked,
 * because callers that run expressions of users must handle invalid ones. Has no stack trace,
 * because it reports an error of the expression, not of the program.
 */
public final class SelectorException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /** Whether the next evaluation may succeed, as after a time limit. */
  private final boolean passing;

  /**
   * Creates the failure of an expression.
   *
   * @param message the mistake in the expression, for its author
   */
  public SelectorException(String message) {
    this(message, false);
  }

  private SelectorException(String message, boolean passing) {
    super(Checks.value("message", message), null, false, false);
    this.passing = passing;
  }

  /**
   * {@return the failure of an evaluation that was cut short for a reason outside the expression
   * and the device, such as a time limit} The next evaluation may succeed.
   *
   * @param message the reason
   */
  public static SelectorException passing(String message) {
    return new SelectorException(message, true);
  }

  /** {@return whether the evaluation was only cut short, so that the failure must not be cached} */
  public boolean isPassing() {
    return passing;
  }
}
