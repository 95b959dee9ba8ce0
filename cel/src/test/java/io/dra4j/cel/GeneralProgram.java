package io.dra4j.cel;

import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.eval.AttributeNames;
import io.dra4j.cel.internal.eval.EvaluationLimit;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.eval.Planner;
import io.dra4j.cel.internal.eval.Program;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.library.StandardLibrary;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Unicode;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.Timestamps;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.selector.SelectorException;
import java.time.temporal.Temporal;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A program over any variables, for tests of the language itself. */
final class GeneralProgram {

  private final CheckedExpression expression;
  private final Dialect dialect;
  private final FunctionLibrary library;

  private GeneralProgram(CheckedExpression expression, Dialect dialect) {
    this.expression = expression;
    this.dialect = dialect;
    this.library = StandardLibrary.create(dialect);
  }

  /**
   * What an evaluation gave.
   *
   * @param value the value, or null if it failed
   * @param error the error, or null if it did not
   * @param cost what it cost
   * @param overLimit whether that was too much
   */
  record Outcome(@Nullable Object value, @Nullable String error, long cost, boolean overLimit) {}

  /**
   * Makes a program.
   *
   * @throws SelectorException if cel-go could not
   */
  static GeneralProgram plan(CheckedExpression expression, Dialect dialect)
      throws SelectorException {
    GeneralProgram program = new GeneralProgram(expression, dialect);
    program.plan(Set.of("device"));
    return program;
  }

  Outcome evaluate(Map<String, ?> variables) {
    Frame frame = new Frame(EvaluationLimit.STANDARD, new Patterns(Unicode.V15));
    try {
      Object result = plan(variables.keySet()).evaluate(variables, frame);
      boolean failed = result instanceof EvalError;
      return new Outcome(
          failed
              ? null
              : result instanceof Temporal timestamp ? Timestamps.instant(timestamp) : result,
          failed ? result.toString() : null,
          frame.cost(),
          frame.isOverLimit());
    } catch (SelectorException e) {
      return new Outcome(null, e.getMessage(), 0, false);
    }
  }

  private Program plan(Set<String> variables) throws SelectorException {
    try {
      return Planner.plan(
          expression, library, new AttributeNames(), variables, dialect, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }
}
