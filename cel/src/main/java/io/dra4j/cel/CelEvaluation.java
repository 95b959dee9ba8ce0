package io.dra4j.cel;

/**
 * What the evaluation of a selector on a device gave.
 *
 * @param matches whether the device fulfils it; false if the evaluation failed
 * @param error why it failed, or an empty text
 * @param cost what it cost in units of CEL, counted as Kubernetes counts; −1 if it could not begin
 * @param overLimit whether it failed because it cost too much
 */
public record CelEvaluation(boolean matches, String error, long cost, boolean overLimit) {

  /**
   * Whether the evaluation failed.
   *
   * @return whether there is an error
   */
  public boolean failed() {
    return !error.isEmpty();
  }
}
