package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.SelectorException;
import org.jspecify.annotations.Nullable;

/**
 * The values of the expression of a derived attribute for devices, cached with the slices. For one
 * thread: each search has its own instance, and all instances share the cache.
 */
public final class CachedAttribute {

  private final CompiledAttribute expression;
  private final Object key; // represents the expression in the cache of slices
  private final BoundedCache memory;

  CachedAttribute(CompiledAttribute expression, Object key, BoundedCache memory) {
    this.expression = expression;
    this.key = key;
    this.memory = memory;
  }

  /**
   * {@return the value for a device}
   *
   * @param candidate the device
   * @param budget the limit of the caller
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
