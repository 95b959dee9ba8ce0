package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.library.Estimate;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.selector.SelectorException;

/** Makes something that can be evaluated of expressions. */
public interface CelEngine {

  /** An expression that can be evaluated on devices. */
  interface Evaluator {

    /** Returns the value or an {@link EvalError}; the cost is in the frame, if it was counted. */
    Object evaluate(DeviceView device, Frame frame);

    /** Returns {@link Node#TRUE}, {@link Node#FALSE} or {@link Node#ERROR}. */
    int test(DeviceView device, Frame frame);

    /** What it reads of a device. */
    DeviceReads reads();

    /**
     * Returns how many bytes it takes, at most. Measured on selectors of 10 KiB: nodes of long
     * loops and searches take most, 62 bytes for a character.
     */
    default int weight(String expression) {
      return weight(expression.length());
    }

    /** The same of an expression of so many characters, or parts if these are more. */
    static int weight(int length) {
      return 1_000 + 72 * length;
    }
  }

  /**
   * Takes over a checked expression.
   *
   * @param budget how long the caller waits
   * @throws SelectorException if no program can be made of it
   * @throws BudgetExceededException if a look finds the budget used up
   */
  Evaluator plan(CheckedExpression expression, Budget budget)
      throws SelectorException, BudgetExceededException;

  /** Estimates what an evaluation costs, at least and at most. */
  Estimate estimate(CheckedExpression expression);
}
