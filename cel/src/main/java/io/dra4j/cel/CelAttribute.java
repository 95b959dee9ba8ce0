package io.dra4j.cel;

import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.Evaluations;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.eval.ResultTypes;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.SelectorException;
import java.util.OptionalLong;

/** The expression of a derived attribute, ready to be evaluated. Immutable and thread-safe. */
final class CelAttribute implements CompiledAttribute {

  private final int weight;
  private final Evaluations evaluations;
  private final CelEngine.Evaluator evaluator;
  private final long maxCost;

  CelAttribute(
      String expression, Evaluations evaluations, CelEngine.Evaluator evaluator, long maxCost) {
    this.maxCost = maxCost;
    this.evaluations = evaluations;
    this.evaluator = evaluator;
    this.weight = evaluator.weight(expression);
  }

  /** Returns the maximum memory of the attribute in bytes. */
  int weight() {
    return weight;
  }

  @Override
  public OptionalLong estimate() {
    return OptionalLong.of(maxCost);
  }

  @Override
  public DeviceAttribute evaluate(String driver, Device device) throws SelectorException {
    return attribute(evaluator.evaluate(evaluations.view(driver, device), evaluations.frame()));
  }

  @Override
  public DeviceAttribute evaluate(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    DeviceView view = evaluations.view(driver, device, budget);
    Frame frame = evaluations.frame().withBudget(budget);
    Object result;
    try {
      result = evaluator.evaluate(view, frame);
    } finally {
      frame.release();
    }
    frame.checkBudget();
    return attribute(result);
  }

  private static DeviceAttribute attribute(Object result) throws SelectorException {
    if (result instanceof EvalError error) {
      throw error.exception();
    }
    return ResultTypes.toAttribute(result);
  }
}
