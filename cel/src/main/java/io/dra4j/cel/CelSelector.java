package io.dra4j.cel;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.Device;
import io.dra4j.model.SelectorException;
import io.dra4j.model.SelectorReads;

/** A selector of devices, ready to be evaluated. Immutable and thread-safe. */
public final class CelSelector implements CompiledSelector {

  /**
   * What an evaluation may cost, and be estimated to cost if the API server is to take an
   * expression.
   */
  public static final long MAX_COST = 1_000_000;

  private final Evaluations evaluations;
  private final CelEngine.Evaluator evaluator;
  private final long maxCost;
  private final SelectorReads reads;

  CelSelector(Evaluations evaluations, CelEngine.Evaluator evaluator, long maxCost) {
    this.evaluations = evaluations;
    this.evaluator = evaluator;
    this.maxCost = maxCost;
    this.reads = evaluator.reads().toSelectorReads();
  }

  /**
   * What an evaluation costs at most, as the API server of Kubernetes estimates it before it takes
   * an expression. It refuses what may cost more than 1,000,000.
   *
   * @return the cost in units of CEL, an unsigned number
   */
  public long maxCost() {
    return maxCost;
  }

  @Override
  public SelectorReads reads() {
    return reads;
  }

  @Override
  public boolean matches(String driver, Device device) throws SelectorException {
    Frame frame = evaluations.frame();
    return answer(evaluator.test(evaluations.view(driver, device), frame), frame);
  }

  /**
   * {@inheritDoc} The budget is looked at as often as the time limit of {@link
   * CelSelectors#create(CelEnvironment, java.time.Duration)}: in loops and in searches.
   */
  @Override
  public boolean matches(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    Frame frame = evaluations.frame(budget);
    int truth = evaluator.test(evaluations.view(driver, device), frame);
    frame.checkBudget();
    return answer(truth, frame);
  }

  private static boolean answer(int truth, Frame frame) throws SelectorException {
    if (truth == Node.ERROR) {
      throw frame.error().exception();
    }
    return truth == Node.TRUE;
  }

  /** What a selector says of a device. */
  public enum Answer {

    /** The device does not fulfil it. */
    NO,

    /** The device fulfils it. */
    YES,

    /** The evaluation failed; {@link #matches} tells why. */
    FAILED
  }

  /**
   * Evaluates the selector on a device, as fast as it gets, and without exception if it fails.
   *
   * @param device the device, prepared by the compiler that made this selector
   * @return the answer
   */
  public Answer test(CelDevice device) {
    return switch (evaluator.test(device.view(), evaluations.frame())) {
      case Node.TRUE -> Answer.YES;
      case Node.FALSE -> Answer.NO;
      default -> Answer.FAILED;
    };
  }

  /**
   * Evaluates the selector on a device, and says more than whether it matches.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @return the outcome
   */
  public CelEvaluation evaluate(String driver, Device device) {
    Frame frame = evaluations.frame();
    try {
      DeviceView view = evaluations.view(driver, device);
      int truth = evaluator.test(view, frame);
      return truth == Node.ERROR
          ? new CelEvaluation(false, frame.error().message(), frame.cost(), frame.isOverLimit())
          : new CelEvaluation(truth == Node.TRUE, "", frame.cost(), false);
    } catch (SelectorException e) {
      return new CelEvaluation(false, String.valueOf(e.getMessage()), CelEvaluation.NO_COST, false);
    }
  }
}
