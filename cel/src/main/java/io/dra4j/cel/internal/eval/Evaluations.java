package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import org.jspecify.annotations.Nullable;

/** The state that the evaluations of all expressions of one compiler share. Thread-safe. */
public final class Evaluations {

  private final ThreadLocal<Frame> frames;

  /** That of one of the threads, which finds it faster here; if others see it, they leave it. */
  private @Nullable Frame usual;

  private final DeviceViews views;

  /** Creates the shared state of evaluations by the rules of Kubernetes up to 1.37. */
  public Evaluations(EvaluationLimit limit, long patternBytes, long viewBytes) {
    this(limit, patternBytes, viewBytes, Dialect.KUBERNETES);
  }

  /**
   * Creates the shared state of the evaluations of one compiler.
   *
   * @param limit the limit of each evaluation
   * @param patternBytes the memory for regular expressions
   * @param viewBytes the approximate memory for views of devices
   * @param dialect the rules by which costs are counted
   */
  public Evaluations(EvaluationLimit limit, long patternBytes, long viewBytes, Dialect dialect) {
    Patterns patterns = new Patterns(patternBytes, dialect.unicode());
    this.views = new DeviceViews(viewBytes, dialect.sparesFailures());
    this.frames = ThreadLocal.withInitial(() -> new Frame(limit, patterns, dialect));
  }

  /** Returns the frame of this thread. */
  public Frame frame() {
    Frame known = usual;
    return known != null && known.isOf(Thread.currentThread()) ? known : frameBeside(known);
  }

  private Frame frameBeside(@Nullable Frame ofOther) {
    Frame frame = frames.get();
    if (ofOther == null || ofOther.isOf(null)) {
      usual = frame;
    }
    return frame;
  }

  /**
   * Returns the view of a device.
   *
   * @throws SelectorException if it has an attribute without value or with an invalid version
   * @throws BudgetExceededException if it has very many attributes, and the budget of the caller
   *     does not allow it
   */
  public DeviceView view(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    return views.of(driver, device, budget);
  }

  /** Returns the view of a device, without a budget. */
  public DeviceView view(String driver, Device device) throws SelectorException {
    try {
      return views.of(driver, device, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }
}
