package io.dra4j.allocation;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.QuantitySum;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is in use among the devices of one node. Immutable once made, and made once for each state
 * of the inventory, because it is asked for each device in each search.
 */
final class NodeState {

  final BitSet taken = new BitSet();
  final BitSet shared = new BitSet();
  private final DevicesInUse inUse;
  private final @Nullable QuantitySum[] @Nullable []
      consumed; // by ordinal, then as Candidate.capacityNames

  // Made for the first device that draws from the pool, as in the reference.
  private final Map<Pool, CounterBalance> counters = new ConcurrentHashMap<>();
  private final Map<Pool, Map<String, CompatibilityGroups>> groups = new ConcurrentHashMap<>();

  /**
   * Looks up what is in use.
   *
   * @throws BudgetExceededException if that takes longer than the caller waits
   */
  NodeState(NodePools pools, DevicesInUse inUse, boolean sharing, Budget budget)
      throws BudgetExceededException {
    this.inUse = inUse;
    this.consumed = new QuantitySum[pools.candidates.length][];
    for (Candidate candidate : pools.candidates) {
      budget.spend(1);
      taken.set(candidate.ordinal, inUse.isTaken(candidate.id, sharing));
      if (inUse.isShared(candidate.id, sharing)) {
        shared.set(candidate.ordinal);
        consumed[candidate.ordinal] = amounts(candidate, inUse.consumed(candidate.id, sharing));
      }
    }
  }

  private static @Nullable QuantitySum[] amounts(
      Candidate candidate, Map<String, QuantitySum> consumed) {
    @Nullable QuantitySum[] amounts = new QuantitySum[candidate.capacityNames.length];
    for (int i = 0; i < amounts.length; i++) {
      amounts[i] = consumed.get(candidate.capacityNames[i]);
    }
    return amounts;
  }

  /**
   * What existing shares consume, as {@link Candidate#capacityNames}; null where nothing. Not to be
   * changed.
   */
  @Nullable QuantitySum @Nullable [] consumed(Candidate candidate) {
    return consumed[candidate.ordinal];
  }

  /** What the counters of the pool have left for new devices. */
  CounterBalance counters(Pool pool, Budget budget) throws BudgetExceededException {
    CounterBalance known = counters.get(pool);
    if (known == null) {
      known = new CounterBalance(pool, inUse, budget);
      counters.put(pool, known); // threads that make it twice make the same
    }
    return known;
  }

  /** The compatibility groups of the allocated devices of the pool, by counter set. */
  Map<String, CompatibilityGroups> compatibilityGroups(Pool pool, Budget budget)
      throws BudgetExceededException {
    Map<String, CompatibilityGroups> known = groups.get(pool);
    if (known == null) {
      known = CompatibilityGroups.ofAllocated(pool, inUse, budget);
      groups.put(pool, known);
    }
    return known;
  }
}
