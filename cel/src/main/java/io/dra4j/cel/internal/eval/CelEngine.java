package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.library.Estimate;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.selector.SelectorException;

/** Converts expressions to evaluators. */
public interface CelEngine {

  /** An expression that can be evaluated on devices. */
  interface Evaluator {

    /** Returns the value or an {@link EvalError}; the cost is in the frame, if it was counted. */
    Object evaluate(DeviceView device, Frame frame);

    /** Returns {@link Node#TRUE}, {@link Node#FALSE} or {@link Node#ERROR}. */
    int test(DeviceView device, Frame frame);

    /** Returns the facts of a device that it reads. */
    DeviceReads reads();

    /**
     * Returns the maximum memory in bytes. Measured on selectors of 10 KiB: nodes of long loops and
     * searches take most, 62 bytes for a character.
     */
    default int weight(String expression) {
      return weight(expression.length());
    }

    /** Returns the maximum memory for a number of characters, or of parts if there are more. */
    static int weight(int length) {
      return 1_000 + 72 * length;
    }
  }

  /**
   * Plans a checked expression.
   *
   * @param budget the time that the caller allows
   * @throws SelectorException if it cannot be planned
   * @throws BudgetExceededException if a check finds that the budget has expired
   */
  Evaluator plan(CheckedExpression expression, Budget budget)
      throws SelectorException, BudgetExceededException;

  /** Estimates what an evaluation costs, at least and at most. */
  Estimate estimate(CheckedExpression expression);
}
