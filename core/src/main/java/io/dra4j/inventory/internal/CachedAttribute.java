package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.SelectorException;
import org.jspecify.annotations.Nullable;

/**
 * The values that the expression of a derived attribute gives for devices, remembered with the
 * slices. For one thread: each search has its own, and all share what is remembered.
 */
public final class CachedAttribute {

  private final CompiledAttribute expression;
  private final Object key; // stands for the expression in the memory of slices
  private final BoundedCache memory;

  CachedAttribute(CompiledAttribute expression, Object key, BoundedCache memory) {
    this.expression = expression;
    this.key = key;
    this.memory = memory;
  }

  /**
   * Returns the value for a device.
   *
   * @param candidate the device
   * @param budget how long the caller waits
   * @return the value
   * @throws SelectorException if the expression fails on the device
   * @throws BudgetExceededException if the budget is used up before the expression has a value
   */
  public DeviceAttribute of(NodeDevice candidate, Budget budget)
      throws SelectorException, BudgetExceededException {
    PublishedSlice slice = candidate.published();
    @Nullable Object[] values = slice.memory.values(key, slice.size(), memory);
    Object known = values[candidate.position()];
    if (known == null) {
      known =
          expression.evaluate(
              slice.published.driver(),
              slice.published.devices().get(candidate.position()),
              budget);
      values[candidate.position()] = known;
    }
    return (DeviceAttribute) known;
  }
}
