package io.dra4j.selector;

import io.dra4j.internal.Checks;
import java.io.Serial;

/**
 * A selector expression that cannot be compiled, or not be evaluated on a device. Checked, because
 * callers that run expressions of others must handle broken ones; without stack trace, because it
 * reports the expression, not the program.
 */
public final class SelectorException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /** Whether the failure may be gone the next time, as that of a time limit. */
  private final boolean passing;

  /**
   * A failed expression.
   *
   * @param message what is wrong with the expression, for its author
   */
  public SelectorException(String message) {
    this(message, false);
  }

  private SelectorException(String message, boolean passing) {
    super(Checks.value("message", message), null, false, false);
    this.passing = passing;
  }

  /**
   * Makes the failure of an evaluation that was cut short by what the expression and the device
   * have no part in, such as a limit of time: asked again, the expression may answer.
   *
   * @param message what cut it short
   * @return the failure
   */
  public static SelectorException passing(String message) {
    return new SelectorException(message, true);
  }

  /**
   * Returns whether the expression may answer when it is asked again about the same device, so that
   * it must not be cached as the answer.
   *
   * @return whether the evaluation was only cut short
   */
  public boolean isPassing() {
    return passing;
  }
}
