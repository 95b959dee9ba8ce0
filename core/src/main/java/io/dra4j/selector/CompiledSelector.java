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
   * Whether a device fulfils the condition. Gives the same answer each time.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @return whether it does
   * @throws SelectorException if the condition cannot be evaluated on this device, for example
   *     because it reads an attribute that the device does not have
   */
  boolean matches(String driver, Device device) throws SelectorException;

  /**
   * Whether a device fulfils the condition, unless that takes longer than the caller waits.
   * Implementations whose evaluation can take more than a few milliseconds look at the budget while
   * they evaluate; by default it is looked at once, before.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @param budget how long the caller waits
   * @return whether it does
   * @throws SelectorException if the condition cannot be evaluated on this device
   * @throws BudgetExceededException if the budget is used up before the answer is known
   */
  default boolean matches(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    budget.check();
    return matches(driver, device);
  }

  /**
   * What the answer depends on, besides the driver. A device with an attribute that has no value or
   * a broken version is like no other, whatever this says.
   *
   * @return what it reads; by default everything
   */
  default SelectorReads reads() {
    return SelectorReads.ofEverything();
  }

  /**
   * The most that an evaluation can cost, as the API server of Kubernetes estimates it before it
   * takes an expression.
   *
   * @return the cost in units of CEL, an unsigned number; absent if it was not estimated
   */
  default OptionalLong estimate() {
    return OptionalLong.empty();
  }

  /**
   * Says why a device fulfils the condition or does not. Made for people: it takes some hundred
   * times as long as the answer alone.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @param budget how long the caller waits
   * @return the parts of the condition with what they say of the device; by default the condition
   *     as a whole, whose text is empty
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
