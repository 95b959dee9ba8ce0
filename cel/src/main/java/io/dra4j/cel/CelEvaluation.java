package io.dra4j.cel;

import io.dra4j.common.PrintableText;
import java.util.OptionalLong;

/**
 * The outcome of the evaluation of a selector on a device: an answer, an error of the evaluation,
 * or an error of the device if the evaluation could not begin. Costs are counted as Kubernetes
 * counts them.
 */
public sealed interface CelEvaluation {

  /** {@return whether the device fulfils the selector; false if there is no answer} */
  default boolean matches() {
    return false;
  }

  /** {@return the error because of which there is no answer, or an empty string} */
  default String error() {
    return "";
  }

  /** {@return whether there is an error instead of an answer} */
  default boolean failed() {
    return !(this instanceof Answered);
  }

  /** {@return whether the evaluation ended because it exceeded the cost limit of the compiler} */
  default boolean overLimit() {
    return false;
  }

  /** {@return the cost of the evaluation in units of CEL, unsigned; empty if it did not begin} */
  OptionalLong actualCost();

  /**
   * An evaluation that completed.
   *
   * @param matches whether the device fulfils the selector
   * @param cost the cost in units of CEL, an unsigned number
   */
  record Answered(boolean matches, long cost) implements CelEvaluation {

    /** Returns the outcome for people: {@code true, cost 4}. */
    @Override
    public String toString() {
      return matches + ", cost " + Long.toUnsignedString(cost);
    }

    @Override
    public OptionalLong actualCost() {
      return OptionalLong.of(cost);
    }
  }

  /**
   * An evaluation that failed, for example on an attribute that the device does not have.
   *
   * @param error the reason, in the words of Kubernetes
   * @param cost the cost until the failure in units of CEL, an unsigned number
   * @param overLimit whether it failed because it exceeded the cost limit
   */
  record Failed(String error, long cost, boolean overLimit) implements CelEvaluation {

    /** Returns the outcome for people: the error and the cost. */
    @Override
    public String toString() {
      return "error: " + PrintableText.of(error) + ", cost " + Long.toUnsignedString(cost);
    }

    @Override
    public OptionalLong actualCost() {
      return OptionalLong.of(cost);
    }
  }

  /**
   * An evaluation that could not begin because the device is invalid: it has an attribute without a
   * value, or with an invalid version.
   *
   * @param error the problem of the device
   */
  record NotBegun(String error) implements CelEvaluation {

    /** Returns the outcome for people: the error. */
    @Override
    public String toString() {
      return "not begun: " + PrintableText.of(error);
    }

    @Override
    public OptionalLong actualCost() {
      return OptionalLong.empty();
    }
  }
}
