package io.dra4j.model;

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
}
