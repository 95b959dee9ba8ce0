package io.dra4j.cel.internal.explain;

import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.Evaluations;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.eval.Node;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;

/**
 * Tests the proposal of a hint before the hint is given: it must compile, and have a value on the
 * device.
 */
final class HintTrial {

  private final ExpressionChecker checker;
  private final CelEngine engine;
  private final Evaluations evaluations;
  private final String driver;
  private final Device device;
  private final Budget budget;

  HintTrial(
      ExpressionChecker checker,
      CelEngine engine,
      Evaluations evaluations,
      String driver,
      Device device,
      Budget budget) {
    this.checker = checker;
    this.engine = engine;
    this.evaluations = evaluations;
    this.driver = driver;
    this.device = device;
    this.budget = budget;
  }

  /** Returns whether a condition compiles and is true or false on the device. */
  boolean works(String condition) {
    try {
      CelEngine.Evaluator evaluator = engine.plan(checker.check(condition, budget), budget);
      Frame frame = evaluations.frame().withBudget(budget);
      try {
        return evaluator.test(evaluations.view(driver, device, budget), frame) != Node.ERROR;
      } finally {
        frame.release();
      }
    } catch (SelectorException | BudgetExceededException e) {
      return false;
    }
  }
}
