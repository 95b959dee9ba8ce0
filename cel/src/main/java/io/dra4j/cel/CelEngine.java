package io.dra4j.cel;

import io.dra4j.model.SelectorException;

/** Makes something that can be evaluated of expressions. */
interface CelEngine {

  /** An expression that can be evaluated on devices. */
  interface Evaluator {

    /** Returns the value or an {@link EvalError}; the cost is in the frame, if it was counted. */
    Object evaluate(DeviceView device, Frame frame);

    /** Returns {@link Node#TRUE}, {@link Node#FALSE} or {@link Node#ERROR}. */
    int test(DeviceView device, Frame frame);

    /** What it reads of a device. */
    DeviceReads reads();
  }

  /**
   * Takes over a checked expression.
   *
   * @throws SelectorException if no program can be made of it
   */
  Evaluator plan(CheckedExpression expression) throws SelectorException;
}
