package io.dra4j.cel;

/**
 * What one evaluation may use.
 *
 * @param cost the cost in units of cel-go
 * @param nanos the time
 */
record Budget(long cost, long nanos) {

  /** {@code CELSelectorExpressionMaxCost} of the API, in any time. */
  static final Budget STANDARD = new Budget(CelSelector.MAX_COST, Long.MAX_VALUE);
}
