package io.dra4j.cel.internal.explain;

import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.eval.Node;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;

/** Tests the proposal of a hint before use: it must compile and have a value on the device. */
final class HintTrial {

  private final SelectorExplainer.Interpreter interpreter;
  private final String driver;
  private final Device device;
  private final Budget budget;

  HintTrial(
      SelectorExplainer.Interpreter interpreter, String driver, Device device, Budget budget) {
    this.interpreter = interpreter;
    this.driver = driver;
    this.device = device;
    this.budget = budget;
  }

  /** Returns whether a condition compiles and is true or false on the device. */
  boolean works(String condition) {
    try {
      CelEngine.Evaluator evaluator =
          interpreter.engine().plan(interpreter.checker().check(condition, budget), budget);
      Frame frame = interpreter.evaluations().frame().withBudget(budget);
      try {
        return evaluator.test(interpreter.evaluations().view(driver, device, budget), frame)
            != Node.ERROR;
      } finally {
        frame.release();
      }
    } catch (SelectorException | BudgetExceededException e) {
      return false;
    }
  }
}
