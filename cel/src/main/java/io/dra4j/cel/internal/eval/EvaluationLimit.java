package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.Limits;

/**
 * What every evaluation of one compiler may use, for any caller. What the caller of a single
 * evaluation allows is an {@link io.dra4j.common.Budget}.
 *
 * @param cost the cost in units of cel-go
 * @param nanos the time
 */
public record EvaluationLimit(long cost, long nanos) {

  /** {@code CELSelectorExpressionMaxCost} of the API, in any time. */
  public static final EvaluationLimit STANDARD = new EvaluationLimit(Limits.COST, Long.MAX_VALUE);
}
