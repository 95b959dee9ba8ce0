package io.dra4j.cel;

/**
 * What the evaluation of a selector on a device gave.
 *
 * @param matches whether the device fulfils it; false if the evaluation failed
 * @param error why it failed, or an empty text
 * @param cost what it cost in units of CEL, counted as Kubernetes counts, an unsigned number;
 *     {@link #NO_COST} if it could not begin
 * @param overLimit whether it failed because it cost too much
 */
public record CelEvaluation(boolean matches, String error, long cost, boolean overLimit) {

  /** The cost of an evaluation that could not begin, because the device is broken. */
  public static final long NO_COST = Long.MIN_VALUE;

  /**
   * Whether the evaluation failed.
   *
   * @return whether there is an error
   */
  public boolean failed() {
    return !error.isEmpty();
  }
}
