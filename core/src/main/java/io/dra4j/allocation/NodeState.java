package io.dra4j.allocation;

import io.dra4j.model.Quantity;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is in use among the devices of one node. Immutable once made, and made once for each state
 * of the inventory, because it is asked for each device in each search.
 */
final class NodeState {

  final BitSet taken = new BitSet();
  final BitSet shared = new BitSet();
  private final @Nullable Quantity[] @Nullable []
      consumed; // by ordinal, then as Candidate.capacityNames
  private final Map<Pool, CounterBalance> counters = new HashMap<>();
  private final Map<Pool, Map<String, CompatibilityGroups>> groups = new HashMap<>();

  NodeState(NodePools pools, DevicesInUse inUse, boolean sharing) {
    this.consumed = new Quantity[pools.candidates.length][];
    for (Candidate candidate : pools.candidates) {
      taken.set(candidate.ordinal, inUse.isTaken(candidate.id, sharing));
      if (inUse.isShared(candidate.id, sharing)) {
        shared.set(candidate.ordinal);
        consumed[candidate.ordinal] = amounts(candidate, inUse.consumed(candidate.id, sharing));
      }
    }
    for (Pool pool : pools.pools) {
      if (!pool.counterSets.isEmpty()) {
        counters.put(pool, new CounterBalance(pool, inUse));
        groups.put(pool, CompatibilityGroups.ofAllocated(pool, inUse));
      }
    }
  }

  private static @Nullable Quantity[] amounts(Candidate candidate, Map<String, Quantity> consumed) {
    @Nullable Quantity[] amounts = new Quantity[candidate.capacityNames.length];
    for (int i = 0; i < amounts.length; i++) {
      amounts[i] = consumed.get(candidate.capacityNames[i]);
    }
    return amounts;
  }

  /** What existing shares consume, as {@link Candidate#capacityNames}; null where nothing. */
  @Nullable Quantity @Nullable [] consumed(Candidate candidate) {
    return consumed[candidate.ordinal];
  }

  /** What the counters of the pool have left for new devices. */
  CounterBalance counters(Pool pool) {
    return Objects.requireNonNull(counters.get(pool), "pool without counters");
  }

  /** The compatibility groups of the allocated devices of the pool, by counter set. */
  Map<String, CompatibilityGroups> compatibilityGroups(Pool pool) {
    return groups.getOrDefault(pool, Map.of());
  }
}
