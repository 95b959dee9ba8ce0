package io.dra4j.placement.internal.selection;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the GPUs with the fastest NVLink ring on a server whose GPUs have different links. Sets of
 * GPUs that NVLink connects are better than sets that it connects only in parts. Among equal rings
 * the best is the one with more links, then the one with nearer GPUs, then the one that leaves more
 * for others, then the one with the first devices. If the objective is to leave more for others,
 * that is compared first.
 *
 * <p>Examines all sets if there are at most 20,000 of them, as on a server with 16 GPUs. Otherwise
 * it grows a set from each GPU by the best next GPU, improves it by exchanges of one GPU, and
 * returns the best of these sets.
 */
public final class NvLinkRingSearch {

  private static final int MAX_SETS = 20_000;

  private final ServerModel kind;
  private final Objective objective;
  private final Budget budget;
  private final @Nullable ServerTree layout;
  private int[] chosen = {};
  private long freeGpus;
  private long freeNics;
  private boolean found;
  private boolean mayBeBetter;
  private boolean bestIsConnected;
  private double bestRing;
  private double bestSum;
  private long bestNearness;
  private long bestLeft;
  private long best;

  public NvLinkRingSearch(ServerModel kind, Objective objective, Budget budget) {
    this.kind = kind;
    this.objective = objective;
    this.budget = budget;
    this.layout = kind.layout().orElse(null);
  }

  /** The best set of a number of the given GPUs; empty if there are fewer. */
  public Optional<Long> best(long some, int count, long allFreeGpus, long allFreeNics)
      throws BudgetExceededException {
    freeGpus = allFreeGpus;
    freeNics = allFreeNics;
    found = false;
    mayBeBetter = sets(Long.bitCount(some), count) > MAX_SETS;
    if (mayBeBetter) {
      grow(some, count);
    } else {
      chosen = new int[count];
      look(some, 0, 0);
    }
    return found ? Optional.of(best) : Optional.empty();
  }

  /** Whether there were too many sets to examine all of them. */
  boolean mayBeBetter() {
    return mayBeBetter;
  }

  private static double sets(int of, int count) {
    double sets = 1;
    for (int i = 0; i < count; i++) {
      sets = sets * (of - i) / (i + 1);
    }
    return sets;
  }

  private void look(long from, long mask, int depth) throws BudgetExceededException {
    if (depth == chosen.length) {
      budget.spend(1);
      compare(mask);
      return;
    }
    long rest = from;
    while (Long.bitCount(rest) >= chosen.length - depth) {
      long first = Long.highestOneBit(rest);
      rest &= ~first;
      chosen[depth] = Long.numberOfLeadingZeros(first);
      look(rest, mask | first, depth + 1);
    }
  }

  /** Grows a set from each GPU, and exchanges single GPUs as long as the set gets better. */
  private void grow(long some, int count) throws BudgetExceededException {
    for (long starts = some; starts != 0; starts &= ~Long.highestOneBit(starts)) {
      long set = Long.highestOneBit(starts);
      while (Long.bitCount(set) < count) {
        if ((some & ~set) == 0) {
          return;
        }
        set = withBest(set, some & ~set);
      }
      long before;
      do {
        before = set;
        for (long rest = before; rest != 0; rest &= ~Long.highestOneBit(rest)) {
          long one = Long.highestOneBit(rest);
          set = withBest(set & ~one, one | (some & ~set));
        }
      } while (set != before);
      compare(set, false);
    }
  }

  /** A set with the best next GPU; the first one of equals. */
  private long withBest(long set, long others) throws BudgetExceededException {
    NvLinkRingSearch search = new NvLinkRingSearch(kind, objective, budget);
    search.freeGpus = freeGpus;
    search.freeNics = freeNics;
    for (long rest = others; rest != 0; rest &= ~Long.highestOneBit(rest)) {
      budget.spend(1);
      search.compare(set | Long.highestOneBit(rest), false);
    }
    return search.best;
  }

  private void compare(long mask, boolean listed) {
    if (!listed) {
      chosen = new int[Long.bitCount(mask)];
      long rest = mask;
      for (int i = 0; i < chosen.length; i++) {
        chosen[i] = Long.numberOfLeadingZeros(rest);
        rest &= ~Long.highestOneBit(rest);
      }
    }
    compare(mask);
  }

  /**
   * Compares a set with the best set so far. Sets come in the order of their devices, so that a
   * later set must be better.
   */
  private void compare(long mask) {
    boolean packs = objective == Objective.PACK;
    long left = packs ? left(mask) : 0;
    if (found && packs && left < bestLeft) {
      return;
    }
    boolean better = !found || (packs && left > bestLeft);
    double ring = kind.nvLinks.ring(chosen);
    if (!better && bestIsConnected && ring < bestRing) {
      return;
    }
    boolean isConnected = ring > 0 && kind.nvLinks.isConnected(chosen);
    if (!better
        && (isConnected
            ? bestIsConnected && ring < bestRing
            : bestIsConnected || ring < bestRing)) {
      return;
    }
    better |= isConnected != bestIsConnected || ring > bestRing;
    double sum = kind.nvLinks.sum(chosen);
    if (!better && sum < bestSum) {
      return;
    }
    better |= sum > bestSum;
    long nearness = nearness(mask);
    if (!better && nearness < bestNearness) {
      return;
    }
    better |= nearness > bestNearness;
    left = packs ? left : left(mask);
    if (better || left > bestLeft) {
      found = true;
      bestIsConnected = isConnected;
      bestRing = ring;
      bestSum = sum;
      bestNearness = nearness;
      bestLeft = left;
      best = mask;
    }
  }

  private long left(long mask) {
    return layout == null ? 0 : layout.potential(freeGpus & ~mask, freeNics);
  }

  /** The nearness of the chosen GPUs; with the objective to spread, the number of their groups. */
  private long nearness(long mask) {
    if (objective != Objective.SPREAD) {
      return kind.nearness(chosen);
    }
    return layout == null ? 0 : layout.cellsOf(mask, 0) + layout.span(mask, 0);
  }
}
