package io.dra4j.selector;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import java.util.OptionalLong;

/** The expression of a derived attribute, ready to be evaluated. Immutable and thread-safe. */
@FunctionalInterface
public interface CompiledAttribute {

  /**
   * {@return the value of the attribute for a device, the same each time}
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @throws SelectorException if the expression cannot be evaluated on this device
   */
  DeviceAttribute evaluate(String driver, Device device) throws SelectorException;

  /**
   * {@return the value of the attribute for a device, within a budget} Implementations whose
   * evaluation can take more than a few milliseconds check the budget while they evaluate. The
   * default checks it once, before the evaluation.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @param budget the limit of the caller
   * @throws SelectorException if the expression cannot be evaluated on this device
   * @throws BudgetExceededException if the budget is used up before the value is known
   */
  default DeviceAttribute evaluate(String driver, Device device, Budget budget)
      throws SelectorException, BudgetExceededException {
    budget.check();
    return evaluate(driver, device);
  }

  /**
   * {@return the maximum cost of an evaluation in units of CEL, an unsigned number, as the API
   * server of Kubernetes estimates it before it accepts an expression; absent if it was not
   * estimated}
   */
  default OptionalLong estimate() {
    return OptionalLong.empty();
  }
}
