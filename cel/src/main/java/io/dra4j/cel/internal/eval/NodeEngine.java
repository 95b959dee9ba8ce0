package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.cost.CostEstimator;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.Estimate;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.selector.SelectorException;
import java.util.Set;

/** Our own evaluator, which counts costs as cel-go does. */
public final class NodeEngine implements CelEngine {

  private final FunctionLibrary library;
  private final Dialect dialect;
  private final AttributeNames names = new AttributeNames();

  /** Creates an engine that calls the functions of a library, by the rules of a dialect. */
  public NodeEngine(FunctionLibrary library, Dialect dialect) {
    this.library = library;
    this.dialect = dialect;
  }

  @Override
  public Program plan(CheckedExpression expression, Budget budget)
      throws SelectorException, BudgetExceededException {
    if (expression.source().getContent().toString().indexOf('(') >= 0) {
      library.load(); // not deep in the stack of the planner: no class survives its end in <clinit>
    }
    return Planner.plan(expression, library, names, Set.of(), dialect, budget);
  }

  @Override
  public Estimate estimate(CheckedExpression expression) {
    return CostEstimator.estimate(expression, library, dialect);
  }
}
