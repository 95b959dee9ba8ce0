package io.dra4j.cel;

import io.dra4j.model.SelectorException;

/** Our own evaluator, which counts costs as cel-go does. */
final class NodeEngine implements CelEngine {

  private final FunctionLibrary library;
  private final AttributeNames names = new AttributeNames();

  NodeEngine(FunctionLibrary library) {
    this.library = library;
  }

  @Override
  public Program plan(CheckedExpression expression) throws SelectorException {
    if (expression.source().getContent().toString().indexOf('(') >= 0) {
      library.load(); // not deep in the stack of the planner: no class survives its end in <clinit>
    }
    return Planner.plan(expression, library, names);
  }

  @Override
  public Estimate estimate(CheckedExpression expression) {
    return CostEstimator.estimate(expression, library);
  }
}
