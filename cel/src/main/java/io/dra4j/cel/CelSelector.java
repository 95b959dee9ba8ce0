package io.dra4j.cel;

import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.Evaluations;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.eval.Node;
import io.dra4j.cel.internal.explain.SelectorCosts;
import io.dra4j.cel.internal.explain.SelectorExplainer;
import io.dra4j.cel.internal.explain.UnknownAttributes;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.ExplanationBug;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Clause;
import io.dra4j.selector.SelectorExplanation.Verdict;
import io.dra4j.selector.SelectorReads;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** A selector of devices, ready to be evaluated. Immutable and thread-safe. */
public final class CelSelector implements CompiledSelector {

  /** The cost limit of Kubernetes for evaluations of a selector and for its estimate: 1,000,000. */
  public static final long MAX_COST = Limits.COST;

  private final String expression;
  private final ExpressionChecker checker;
  private final CelEngine engine;
  private final Evaluations evaluations;
  private final CelEngine.Evaluator evaluator;
  private final long maxCost;
  private final SelectorReads reads;

  CelSelector(
      String expression,
      CelEngine.Evaluator evaluator,
      long maxCost,
      ExpressionChecker checker,
      CelEngine engine,
      Evaluations evaluations) {
    this.expression = expression;
    this.checker = checker;
    this.engine = engine;
    this.evaluations = evaluations;
    this.evaluator = evaluator;
    this.maxCost = maxCost;
    this.reads = evaluator.reads().toSelectorReads();
  }

  /**
   * {@return the maximum cost of an evaluation, in units of CEL and unsigned, as the API server of
   * Kubernetes estimates it before it accepts an expression} It rejects a cost above 1,000,000.
   */
  public long maxCost() {
    return maxCost;
  }

  /** Returns the API server's verdict on a selector whose maximum cost is too high. */
  CelAdmission.OverLimit overLimit() {
    try {
      SelectorCosts.CostlyPart part = SelectorCosts.costliest(checkedAnew(), engine);
      return new CelAdmission.OverLimit(
          maxCost,
          MAX_COST,
          new CelAdmission.Part(part.text(), part.line(), part.column(), part.maxCost()),
          Optional.empty());
    } catch (RuntimeException e) {
      return new CelAdmission.OverLimit(
          maxCost,
          MAX_COST,
          new CelAdmission.Part(expression, 1, 1, maxCost),
          Optional.of(ExplanationBug.sentence(e)));
    }
  }

  /** Returns the names that the selector reads but no device of the slices has, in sentences. */
  List<String> unpublishedNames(Collection<ResourceSlice> slices, Budget budget)
      throws BudgetExceededException {
    try {
      CheckedExpression checked = checkedAnew();
      budget.check();
      return UnknownAttributes.of(checked, slices, budget);
    } catch (RuntimeException e) {
      return List.of(ExplanationBug.sentence(e));
    }
  }

  /** Returns the tree, which is checked again because it is large and seldom needed. */
  private CheckedExpression checkedAnew() {
    try {
      return checker.check(expression);
    } catch (SelectorException e) {
      throw new IllegalStateException("recompiling a selector that had compiled before failed", e);
    }
  }

  /** Returns the maximum memory of the selector in bytes. */
  int weight() {
    return evaluator.weight(expression);
  }

  @Override
  public OptionalLong estimate() {
    return OptionalLong.of(maxCost);
  }

  @Override
  public SelectorReads reads() {
    return reads;
  }

  @Override
  public boolean matches(String driver, Device device) throws SelectorException {
    Frame frame = evaluations.frame();
    return answer(evaluator.test(view(driver, device), frame), frame);
  }

  /**
   * {@inheritDoc} The budget is checked as often as the time limit of {@link
   * CelSelectors.Builder#timeLimit}: in loops and in searches.
   */
  @Override
  public boolean matches(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    DeviceView view =
        evaluations.view(
            Arguments.driver(driver), Arguments.device(device), Arguments.budget(budget));
    Frame frame = evaluations.frame().withBudget(budget);
    int truth;
    try {
      truth = evaluator.test(view, frame);
    } finally {
      frame.release();
    }
    frame.checkBudget();
    return answer(truth, frame);
  }

  private DeviceView view(String driver, Device device) throws SelectorException {
    return evaluations.view(Arguments.driver(driver), Arguments.device(device));
  }

  private static boolean answer(int truth, Frame frame) throws SelectorException {
    if (truth == Node.ERROR) {
      throw frame.error().exception();
    }
    return truth == Node.TRUE;
  }

  /** The answer of a selector for a device. */
  public enum Answer {

    /** The device does not fulfil the selector. */
    NO,

    /** The device fulfils the selector. */
    YES,

    /** The evaluation failed; {@link #matches} throws the reason. */
    FAILED
  }

  /**
   * {@return the selector's answer for a device} This is the fastest way; failures do not throw.
   *
   * @param device the device; a device of another compiler is read again each time, which is slower
   */
  public Answer test(CelDevice device) {
    Objects.requireNonNull(device, "device");
    return switch (evaluator.test(device.view(evaluations), evaluations.frame())) {
      case Node.TRUE -> Answer.YES;
      case Node.FALSE -> Answer.NO;
      default -> Answer.FAILED;
    };
  }

  /**
   * {@return the outcome of an evaluation on a device: the answer, and the cost or the error}
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   */
  public CelEvaluation evaluate(String driver, Device device) {
    try {
      return evaluate(driver, device, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }

  /**
   * {@return the outcome of an evaluation on a device: the answer, and the cost or the error}
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @param budget the time that the caller allows
   * @throws BudgetExceededException if the budget expires before the answer is known
   */
  public CelEvaluation evaluate(String driver, Device device, Budget budget)
      throws BudgetExceededException {
    Frame frame = evaluations.frame().withBudget(Arguments.budget(budget));
    try {
      DeviceView view = view(driver, device);
      int truth = evaluator.test(view, frame);
      frame.checkBudget();
      return truth == Node.ERROR
          ? new CelEvaluation.Failed(frame.error().message(), frame.cost(), frame.isOverLimit())
          : new CelEvaluation.Answered(truth == Node.TRUE, frame.cost());
    } catch (SelectorException e) {
      return new CelEvaluation.NotBegun(String.valueOf(e.getMessage()));
    } finally {
      frame.release();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Conditions joined by {@code &&} and {@code ||}, also inside of {@code cel.bind}, are
   * evaluated one by one, each as long as the time limit of the compiler allows; hints compare the
   * names and literals of the expression with the attributes and capacities of the device. If the
   * explanation fails because of a bug, there is only the answer with a hint about the failure.
   */
  @Override
  public SelectorExplanation explain(String driver, Device device, Budget budget)
      throws BudgetExceededException {
    Clause answer = answer(driver, device, budget);
    return explained(
        answer,
        () ->
            SelectorExplainer.explain(
                checkedAnew(),
                new SelectorExplainer.Interpreter(checker, engine, evaluations),
                driver,
                device,
                answer,
                budget));
  }

  private Clause answer(String driver, Device device, Budget budget)
      throws BudgetExceededException {
    try {
      boolean matches = matches(driver, device, budget);
      return Clause.of(expression, matches ? Verdict.TRUE : Verdict.FALSE, "");
    } catch (SelectorException e) {
      return Clause.of(expression, Verdict.ERROR, String.valueOf(e.getMessage()));
    }
  }

  /** Explains a known answer. */
  @FunctionalInterface
  interface Explaining {
    SelectorExplanation explain() throws BudgetExceededException;
  }

  /** Returns an explained answer, or only the answer if the explanation fails because of a bug. */
  static SelectorExplanation explained(Clause answer, Explaining explaining)
      throws BudgetExceededException {
    try {
      return explaining.explain();
    } catch (RuntimeException e) {
      return new SelectorExplanation(answer, List.of(ExplanationBug.sentence(e)));
    }
  }

  /**
   * {@return why a device fulfils the selector or not: the answers of its parts, and probable
   * mistakes} There is no time limit, unlike in {@link #explain(String, Device, Budget)}.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   */
  public SelectorExplanation explain(String driver, Device device) {
    try {
      return explain(driver, device, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }
}
