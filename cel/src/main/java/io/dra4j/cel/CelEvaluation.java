package io.dra4j.cel;

import io.dra4j.common.PrintableText;
import java.util.OptionalLong;

/**
 * What the evaluation of a selector on a device gave: an answer, an error of the evaluation, or, if
 * it could not begin, an error of the device. Costs are counted as Kubernetes counts them.
 */
public sealed interface CelEvaluation {

  /**
   * Whether the device fulfils the selector.
   *
   * @return false if it does not, and if nothing was answered
   */
  default boolean matches() {
    return false;
  }

  /**
   * Why there is no answer.
   *
   * @return the error, or an empty text
   */
  default String error() {
    return "";
  }

  /**
   * Whether there is no answer.
   *
   * @return whether there is an error
   */
  default boolean failed() {
    return !(this instanceof Answered);
  }

  /**
   * Whether the evaluation ended because it cost too much.
   *
   * @return whether the limit of the compiler was exceeded
   */
  default boolean overLimit() {
    return false;
  }

  /**
   * What the evaluation cost.
   *
   * @return the cost in units of CEL, an unsigned number; empty if it did not begin
   */
  OptionalLong actualCost();

  /**
   * An evaluation that came to its end.
   *
   * @param matches whether the device fulfils the selector
   * @param cost what it cost in units of CEL, an unsigned number
   */
  record Answered(boolean matches, long cost) implements CelEvaluation {

    /** For people: {@code true, cost 4}. */
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
   * @param error why, in the words of Kubernetes
   * @param cost what it had cost by then in units of CEL, an unsigned number
   * @param overLimit whether it failed because it cost too much
   */
  record Failed(String error, long cost, boolean overLimit) implements CelEvaluation {

    /** For people: the error and the cost. */
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
   * An evaluation that could not begin, because the device is broken: it has an attribute without a
   * value, or one whose version is none.
   *
   * @param error what is wrong with the device
   */
  record NotBegun(String error) implements CelEvaluation {

    /** For people: the error. */
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
