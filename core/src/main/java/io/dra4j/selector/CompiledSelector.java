package io.dra4j.selector;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.util.OptionalLong;

/** A condition on devices, ready to be evaluated. Immutable and thread-safe. */
@FunctionalInterface
public interface CompiledSelector {

  /**
   * {@return whether a device fulfils the condition, the same answer each time}
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @throws SelectorException if the condition cannot be evaluated on this device, for example
   *     because it reads an attribute that the device does not have
   */
  boolean matches(String driver, Device device) throws SelectorException;

  /**
   * {@return whether a device fulfils the condition, within a budget} Implementations whose
   * evaluation can take more than a few milliseconds check the budget while they evaluate. The
   * default checks it once, before the evaluation.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @param budget the limit of the caller
   * @throws SelectorException if the condition cannot be evaluated on this device
   * @throws BudgetExceededException if the budget is used up before the answer is known
   */
  default boolean matches(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    budget.check();
    return matches(driver, device);
  }

  /**
   * {@return the parts of a device that the condition reads, in addition to its driver; by default
   * everything} The answer depends on them alone. A device with an attribute without a value, or
   * with an invalid version, never counts as equal to another device.
   */
  default SelectorReads reads() {
    return SelectorReads.ofEverything();
  }

  /**
   * {@return the maximum cost of an evaluation in units of CEL, an unsigned number, as the API
   * server of Kubernetes estimates it before it accepts an expression; absent if it was not
   * estimated}
   */
  default OptionalLong estimate() {
    return OptionalLong.empty();
  }

  /**
   * Explains the answer for a device. Takes some hundred times as long as the answer alone.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @param budget the limit of the caller
   * @return the parts of the condition with their verdicts on the device; by default the condition
   *     as a whole, with an empty text
   * @throws BudgetExceededException if the budget is used up before the answer is known
   */
  default SelectorExplanation explain(String driver, Device device, Budget budget)
      throws BudgetExceededException {
    try {
      return SelectorExplanation.of(
          "", matches(driver, device, budget) ? Verdict.TRUE : Verdict.FALSE, "");
    } catch (SelectorException e) {
      return SelectorExplanation.of("", Verdict.ERROR, String.valueOf(e.getMessage()));
    }
  }
}
