package io.dra4j.cel.internal.value;

import java.io.Serial;

/**
 * An evaluation that must not go on, whatever the expression would make of an error: it became too
 * costly or took too long, or cel-go would panic.
 */
public final class EvaluationAborted extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  final boolean passing; // whether the same evaluation may end otherwise next time

  /** Ends an evaluation for a reason that also ends each later evaluation. */
  public EvaluationAborted(String message) {
    this(message, false);
  }

  private EvaluationAborted(String message, boolean passing) {
    super(message, null, false, false);
    this.passing = passing;
  }

  /** An evaluation that its caller does not wait for any longer. */
  public static EvaluationAborted interrupted(String reason) {
    return new EvaluationAborted("operation interrupted: " + reason, true);
  }
}
