package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.SliceCache.Bits;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import org.jspecify.annotations.Nullable;

/**
 * What a selector says of devices. Remembered with the slices, so that it survives every change
 * that does not touch them. For one thread: each search has its own, and all share what is
 * remembered.
 */
public final class CachedSelector {

  private static final long[] NONE = {};

  private final CompiledSelector selector;
  private final EquivalentDevices
      equivalents; // also stands for the selector in the memory of slices
  private final BoundedCache memory;
  private @Nullable PublishedSlice slice; // the one asked about last, and its bits
  private long[] words = NONE;

  CachedSelector(CompiledSelector selector, EquivalentDevices equivalents, BoundedCache memory) {
    this.selector = selector;
    this.equivalents = equivalents;
    this.memory = memory;
  }

  /**
   * Returns whether the selector matches a device.
   *
   * @param candidate the device
   * @param budget how long the caller waits
   * @return whether it matches
   * @throws SelectorException if the selector fails on the device
   * @throws BudgetExceededException if the budget is used up before the selector has answered
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
        equivalents.matches(selector, of, position, budget); // a failure is not kept here
    Bits.set(words, position, answer ? Bits.YES : Bits.NO);
    return answer;
  }
}
