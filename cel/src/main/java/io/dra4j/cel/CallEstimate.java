package io.dra4j.cel;

import org.jspecify.annotations.Nullable;

/**
 * What a call costs at worst.
 *
 * @param cost without that of its arguments
 * @param resultSize the size of its result, if known
 */
record CallEstimate(Estimate cost, @Nullable Estimate resultSize) {

  static final CallEstimate ONE = new CallEstimate(Estimate.ONE);

  CallEstimate(Estimate cost) {
    this(cost, null);
  }
}
