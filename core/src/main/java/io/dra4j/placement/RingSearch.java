package io.dra4j.placement;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks for the GPUs with the fastest ring by NVLink, where GPUs are connected differently: all
 * sets, at most 12,870 of them (8 of 16). Of equal rings the one with more links wins, then what
 * leaves more for others, then the first devices.
 */
final class RingSearch {

  private static final int MAX_SETS = 20_000;

  private final ServerKind kind;
  private final Budget budget;
  private boolean found;
  private double bestRing;
  private double bestSum;
  private long bestLeft;
  private long best;

  RingSearch(ServerKind kind, Budget budget) {
    this.kind = kind;
    this.budget = budget;
  }

  Optional<Long> best(long some, int count, long freeGpus, long freeNics)
      throws BudgetExceededException {
    if (sets(Long.bitCount(some), count) > MAX_SETS) {
      return Optional.empty();
    }
    look(some, 0, count, freeGpus, freeNics);
    return found ? Optional.of(best) : Optional.empty();
  }

  private static double sets(int of, int count) {
    double sets = 1;
    for (int i = 0; i < count; i++) {
      sets = sets * (of - i) / (i + 1);
    }
    return sets;
  }

  private void look(long from, long chosen, int count, long freeGpus, long freeNics)
      throws BudgetExceededException {
    if (count > 0) {
      long rest = from;
      while (Long.bitCount(rest) >= count) {
        long first = Long.highestOneBit(rest);
        rest &= ~first;
        look(rest, chosen | first, count - 1, freeGpus, freeNics);
      }
      return;
    }
    budget.spend(1);
    List<Integer> gpus = new ArrayList<>();
    for (int i = 0; i < kind.gpus(); i++) {
      if ((chosen & ServerShape.bit(i)) != 0) {
        gpus.add(i);
      }
    }
    double ring = kind.nvLinkRing(gpus);
    double sum = kind.nvLinkSum(gpus);
    long left =
        kind.layout().map(shape -> shape.potential(freeGpus & ~chosen, freeNics)).orElse(0L);
    if (!found
        || ring > bestRing
        || (ring == bestRing && sum > bestSum)
        || (ring == bestRing && sum == bestSum && left > bestLeft)) {
      found = true;
      bestRing = ring;
      bestSum = sum;
      bestLeft = left;
      best = chosen;
    }
  }
}
