package io.dra4j.cel;

/**
 * What every evaluation of one compiler may use, whoever asks for it. What the caller of a single
 * evaluation allows is an {@link io.dra4j.model.Budget}.
 *
 * @param cost the cost in units of cel-go
 * @param nanos the time
 */
record EvaluationLimit(long cost, long nanos) {

  /** {@code CELSelectorExpressionMaxCost} of the API, in any time. */
  static final EvaluationLimit STANDARD = new EvaluationLimit(CelSelector.MAX_COST, Long.MAX_VALUE);
}
