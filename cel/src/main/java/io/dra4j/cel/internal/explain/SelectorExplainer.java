package io.dra4j.cel.internal.explain;

import dev.cel.common.ast.CelExpr;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.Evaluations;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.eval.Node;
import io.dra4j.cel.internal.explain.SelectorParts.Join;
import io.dra4j.cel.internal.explain.SelectorParts.Part;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Clause;
import io.dra4j.selector.SelectorExplanation.Reading;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains why a selector matches a device or not. Evaluates each condition separately, which costs
 * about as much as one more evaluation of the whole.
 */
public final class SelectorExplainer {

  private final CheckedExpression checked;
  private final Interpreter interpreter;
  private final String driver;
  private final Device device;
  private final Budget budget;
  private final SelectorHints mistakes;
  private final List<CelExpr> undecided = new ArrayList<>(); // conditions that do not decide

  /** What checks and evaluates expressions. */
  public record Interpreter(ExpressionChecker checker, CelEngine engine, Evaluations evaluations) {}

  private SelectorExplainer(
      CheckedExpression checked,
      Interpreter interpreter,
      String driver,
      Device device,
      Budget budget)
      throws BudgetExceededException {
    this.checked = checked;
    this.interpreter = interpreter;
    this.driver = driver;
    this.device = device;
    this.budget = budget;
    this.mistakes =
        new SelectorHints(
            driver, device, new HintTrial(interpreter, driver, device, budget), budget);
  }

  /**
   * Explains the answer of a selector.
   *
   * @param answer the answer of the whole expression for the device, which is not evaluated again
   */
  public static SelectorExplanation explain(
      CheckedExpression checked,
      Interpreter interpreter,
      String driver,
      Device device,
      Clause answer,
      Budget budget)
      throws BudgetExceededException {
    SelectorExplainer explainer =
        new SelectorExplainer(checked, interpreter, driver, device, budget);
    Part parts = SelectorParts.of(checked);
    Clause marked = explainer.marked(explainer.clause(parts), parts, true);
    if (answer.verdict() != Verdict.TRUE) { // other probable mistakes
      explainer.undecided.forEach(tree -> explainer.mistakes.look(DeviceTerms.of(tree)));
    }
    // The whole may fail although its parts do not, because it exceeds the cost limit.
    Clause clause =
        Clause.of(marked.text(), answer.verdict(), answer.error())
            .withReadings(marked.readings())
            .withParts(answer.verdict() == marked.verdict() ? marked.parts() : List.of());
    return new SelectorExplanation(
        clause,
        clause.verdict() == Verdict.TRUE
            ? explainer.mistakes.sureHints()
            : explainer.mistakes.hints());
  }

  /** Explains why an expression does not compile, for a device. */
  public static SelectorExplanation refused(
      String expression,
      String error,
      Interpreter interpreter,
      String driver,
      Device device,
      Budget budget)
      throws BudgetExceededException {
    HintTrial trial = new HintTrial(interpreter, driver, device, budget);
    SelectorHints mistakes = new SelectorHints(driver, device, trial, budget);
    Optional<CelExpr> tree = interpreter.checker().parsed(expression);
    if (tree.isPresent()) {
      mistakes.look(DeviceTerms.of(tree.get()));
    }
    mistakes.lookForOperators(expression, interpreter.checker());
    return new SelectorExplanation(Clause.of(expression, Verdict.REFUSED, error), mistakes.hints());
  }

  private Clause clause(Part part) throws BudgetExceededException {
    if (part.parts().isEmpty()) {
      return condition(part);
    }
    List<Clause> clauses = new ArrayList<>();
    for (Part inner : part.parts()) {
      clauses.add(clause(inner));
    }
    Clause deciding = clauses.get(decisive(part.join(), clauses));
    return Clause.of(part.text(), deciding.verdict(), deciding.error())
        .deciding(false)
        .withReadings(readings(part.tree()))
        .withParts(clauses);
  }

  /** False wins in a conjunction, true in a disjunction, wherever it stands; then an error. */
  private static int decisive(Join join, List<Clause> clauses) {
    int error = -1;
    for (int i = 0; i < clauses.size(); i++) {
      Verdict verdict = clauses.get(i).verdict();
      if (verdict == wins(join)) {
        return i;
      } else if (verdict == Verdict.ERROR && error < 0) {
        error = i;
      }
    }
    return Math.max(0, error);
  }

  private static Verdict wins(Join join) {
    return join == Join.ALL ? Verdict.FALSE : Verdict.TRUE;
  }

  private Clause condition(Part part) throws BudgetExceededException {
    budget.check();
    Verdict verdict;
    String error = "";
    try {
      CelEngine.Evaluator evaluator = interpreter.engine().plan(checked.part(part.tree()), budget);
      DeviceView view = interpreter.evaluations().view(driver, device, budget);
      Frame frame = interpreter.evaluations().frame().withBudget(budget);
      int truth;
      try {
        truth = evaluator.test(view, frame);
      } finally {
        frame.release();
      }
      frame.checkBudget();
      verdict =
          truth == Node.ERROR ? Verdict.ERROR : truth == Node.TRUE ? Verdict.TRUE : Verdict.FALSE;
      if (truth == Node.ERROR) {
        error = frame.error().message();
      }
    } catch (SelectorException e) {
      verdict = Verdict.ERROR;
      error = String.valueOf(e.getMessage());
    }
    return Clause.of(part.text(), verdict, error)
        .deciding(false)
        .withReadings(readings(part.tree()));
  }

  private List<Reading> readings(CelExpr tree) {
    List<Reading> readings = new ArrayList<>();
    for (DeviceTerms.Term term : DeviceTerms.of(tree).terms()) {
      if (term.isValue()) {
        String value = mistakes.value(term);
        readings.add(new Reading(term.toString(), value == null ? "not there" : value));
      }
    }
    return readings;
  }

  /** Marks the clauses that decide, and looks for mistakes in them. */
  private Clause marked(Clause clause, Part part, boolean decides) {
    if (clause.parts().isEmpty()) {
      if (decides) {
        mistakes.look(DeviceTerms.of(part.tree()));
      } else {
        undecided.add(part.tree());
      }
    }
    int first = clause.parts().isEmpty() ? -1 : decisive(part.join(), clause.parts());
    boolean one =
        first >= 0
            && (clause.parts().get(first).verdict() == wins(part.join())
                || clause.parts().get(first).verdict() == Verdict.ERROR);
    List<Clause> parts = new ArrayList<>();
    for (int i = 0; i < clause.parts().size(); i++) {
      parts.add(
          marked(clause.parts().get(i), part.parts().get(i), decides && (!one || i == first)));
    }
    return clause.deciding(decides).withParts(parts);
  }
}
