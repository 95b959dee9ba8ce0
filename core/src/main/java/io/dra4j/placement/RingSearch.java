package io.dra4j.placement;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the GPUs with the fastest ring by NVLink, where GPUs are connected differently: all
 * sets, at most 12,870 of them (8 of 16). Of equal rings the one with more links wins, then GPUs
 * that are nearer to each other, then what leaves more for others, then the first devices.
 */
final class RingSearch {

  private static final int MAX_SETS = 20_000;

  private final ServerKind kind;
  private final Budget budget;
  private final @Nullable ServerShape layout;
  private int[] chosen = {};
  private long freeGpus;
  private long freeNics;
  private boolean found;
  private double bestRing;
  private double bestSum;
  private long bestNearness;
  private long bestLeft;
  private long best;

  RingSearch(ServerKind kind, Budget budget) {
    this.kind = kind;
    this.budget = budget;
    this.layout = kind.layout().orElse(null);
  }

  /** The best set of so many of some GPUs; empty if there are none, or too many sets. */
  Optional<Long> best(long some, int count, long allFreeGpus, long allFreeNics)
      throws BudgetExceededException {
    if (sets(Long.bitCount(some), count) > MAX_SETS) {
      return Optional.empty();
    }
    freeGpus = allFreeGpus;
    freeNics = allFreeNics;
    chosen = new int[count];
    found = false;
    look(some, 0, 0);
    return found ? Optional.of(best) : Optional.empty();
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

  /** Sets come in the order of their devices, so that a later one has to be better. */
  private void compare(long mask) {
    double ring = kind.nvLinkRing(chosen);
    if (found && ring < bestRing) {
      return;
    }
    boolean better = !found || ring > bestRing;
    double sum = kind.nvLinkSum(chosen);
    if (!better && sum < bestSum) {
      return;
    }
    better |= sum > bestSum;
    long nearness = kind.nearness(chosen);
    if (!better && nearness < bestNearness) {
      return;
    }
    better |= nearness > bestNearness;
    long left = layout == null ? 0 : layout.potential(freeGpus & ~mask, freeNics);
    if (better || left > bestLeft) {
      found = true;
      bestRing = ring;
      bestSum = sum;
      bestNearness = nearness;
      bestLeft = left;
      best = mask;
    }
  }
}
