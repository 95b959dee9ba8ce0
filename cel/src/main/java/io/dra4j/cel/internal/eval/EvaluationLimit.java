package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.Limits;

/**
 * The limits of every evaluation of one compiler, for any caller. The limit of a single caller is a
 * {@link io.dra4j.common.Budget}.
 *
 * @param cost the cost in units of cel-go
 * @param nanos the time
 */
public record EvaluationLimit(long cost, long nanos) {

  /** {@code CELSelectorExpressionMaxCost} of the API, in any time. */
  public static final EvaluationLimit STANDARD = new EvaluationLimit(Limits.COST, Long.MAX_VALUE);
}
