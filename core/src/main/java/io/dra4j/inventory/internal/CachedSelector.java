package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.SliceCache.Bits;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import org.jspecify.annotations.Nullable;

/**
 * The results of a selector for devices, cached with the slices. They survive every change that
 * does not affect their slice. For one thread: each search has its own instance, and all instances
 * share the cache.
 */
public final class CachedSelector {

  private static final long[] NONE = {};

  private final CompiledSelector selector;
  private final EquivalentDevices
      equivalents; // also represents the selector in the cache of slices
  private final BoundedCache memory;
  private @Nullable PublishedSlice slice; // the last one used, and its bits
  private long[] words = NONE;

  CachedSelector(CompiledSelector selector, EquivalentDevices equivalents, BoundedCache memory) {
    this.selector = selector;
    this.equivalents = equivalents;
    this.memory = memory;
  }

  /**
   * {@return whether the selector matches a device}
   *
   * @param candidate the device
   * @param budget the limit of the caller
   * @throws SelectorException if the selector fails on the device
   * @throws BudgetExceededException if the budget is used up before the selector has a result
   */
  public boolean matches(NodeDevice candidate, Budget budget)
      throws SelectorException, BudgetExceededException {
    return matches(candidate.published(), candidate.position(), budget);
  }

  boolean matches(PublishedSlice of, int position, Budget budget)
      throws SelectorException, BudgetExceededException {
    if (of != slice) {
      slice = of;
      words = of.memory.bits(equivalents, of.size(), memory);
    }
    long known = Bits.get(words, position);
    if (known == Bits.YES || known == Bits.NO) {
      return known == Bits.YES;
    }
    boolean answer =
        equivalents.matches(selector, of, position, budget); // a failure is not cached here
    Bits.set(words, position, answer ? Bits.YES : Bits.NO);
    return answer;
  }
}
