package io.dra4j.cel.internal.library;

import org.jspecify.annotations.Nullable;

/**
 * The maximum cost of a call.
 *
 * @param cost the cost without its arguments
 * @param resultSize the size of its result, if known
 */
public record CallEstimate(Estimate cost, @Nullable Estimate resultSize) {

  /** One unit, and a result of unknown size. */
  public static final CallEstimate ONE = new CallEstimate(Estimate.ONE);

  /** Creates an estimate of a call whose result has an unknown size. */
  public CallEstimate(Estimate cost) {
    this(cost, null);
  }
}
