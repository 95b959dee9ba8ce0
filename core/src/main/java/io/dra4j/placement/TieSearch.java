package io.dra4j.placement;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.placement.Wish.Slot;
import io.dra4j.placement.Wish.Tie;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at sets one by one, where requests want different devices, are tied in ways that are no
 * level of the tree, or paths make no tree. After a number of steps it takes the best set found so
 * far.
 */
final class TieSearch {

  private static final int MAX_STEPS = 20_000;

  private final Wish wish;
  private final ServerKind kind;
  private final Objective objective;
  private final Budget budget;
  private final @Nullable ServerShape layout;
  private final List<int[]> ofGpus = new ArrayList<>(); // the values of each tie
  private final List<int[]> ofNics = new ArrayList<>();
  private final int[] tied; // the value of each tie so far, -1 for none
  private final long[] chosen; // by slot
  private final boolean readable;
  private int steps;
  private @Nullable PathType within;
  private long @Nullable [] best;
  private long bestFirst;
  private long bestSecond;

  TieSearch(Wish wish, ServerKind kind, Objective objective, Budget budget) {
    this.wish = wish;
    this.kind = kind;
    this.objective = objective;
    this.budget = budget;
    this.layout = kind.layout().orElse(null);
    this.chosen = new long[wish.slots.size()];
    boolean all = true;
    for (Tie tie : wish.ties) {
      Map<DeviceAttribute, Integer> numbers = new HashMap<>();
      int[] gpus = wish.values(tie.attribute(), true, numbers);
      int[] nics = wish.values(tie.attribute(), false, numbers);
      all &= gpus != null && nics != null;
      ofGpus.add(gpus == null ? new int[0] : gpus);
      ofNics.add(nics == null ? new int[0] : nics);
    }
    this.readable = all;
    this.tied = new int[wish.ties.size()];
    Arrays.fill(tied, -1);
  }

  Optional<long[]> best(@Nullable PathType farthest) throws BudgetExceededException {
    if (!readable) {
      return Optional.empty();
    }
    within = farthest;
    look(0, 0, 0, 0, 0);
    return Optional.ofNullable(best);
  }

  private void look(int slot, int count, int from, long gpus, long nics)
      throws BudgetExceededException {
    if (steps >= MAX_STEPS) {
      return;
    }
    steps++;
    budget.spend(4);
    if (slot == wish.slots.size()) {
      compare(gpus, nics);
      return;
    }
    Slot here = wish.slots.get(slot);
    if (count == here.count) {
      look(slot + 1, 0, 0, gpus, nics);
      return;
    }
    int size = here.gpu ? kind.gpus() : kind.nics();
    for (int device = from; device < size; device++) {
      long bit = ServerShape.bit(device);
      if ((here.some & bit) == 0 || ((here.gpu ? gpus : nics) & bit) != 0) {
        continue;
      }
      int[] before = tied.clone();
      if (tie(here, device)) {
        chosen[slot] |= bit;
        look(
            slot,
            count + 1,
            device + 1,
            here.gpu ? gpus | bit : gpus,
            here.gpu ? nics : nics | bit);
        chosen[slot] &= ~bit;
      }
      System.arraycopy(before, 0, tied, 0, tied.length);
    }
  }

  /** Whether a device has the values that the ties of its slot have so far. */
  private boolean tie(Slot slot, int device) {
    for (int i = 0; i < tied.length; i++) {
      if (wish.ties.get(i).slots().contains(slot)) {
        int value = (slot.gpu ? ofGpus : ofNics).get(i)[device];
        if (value < 0 || (tied[i] >= 0 && tied[i] != value)) {
          return false;
        }
        tied[i] = value;
      }
    }
    return true;
  }

  private void compare(long gpus, long nics) {
    long[][] weights = new long[Long.bitCount(gpus)][Long.bitCount(nics)];
    int pairs = Math.min(Long.bitCount(gpus), Long.bitCount(nics));
    int row = 0;
    int near = 0;
    for (int gpu = 0; gpu < kind.gpus(); gpu++) {
      if ((gpus & ServerShape.bit(gpu)) == 0) {
        continue;
      }
      int column = 0;
      for (int nic = 0; nic < kind.nics(); nic++) {
        if ((nics & ServerShape.bit(nic)) == 0) {
          continue;
        }
        PathType type = kind.type(gpu, nic);
        boolean passes = within == null || Scorer.isWithin(type, within);
        weights[row][column++] =
            passes
                ? (Math.round(kind.rate(gpu, nic) * 1_000) << ServerShape.RATE_SHIFT)
                    + ServerShape.unit(type)
                : 0;
      }
      row++;
    }
    long value = 0;
    if (pairs > 0) {
      int[] matched = Hungarian.match(weights);
      value = Hungarian.weight(weights, matched);
      for (int i = 0; i < matched.length; i++) {
        near += matched[i] >= 0 && weights[i][matched[i]] > 0 ? 1 : 0;
      }
    }
    if (within != null && near < pairs) {
      return;
    }
    long left = layout == null ? 0 : layout.potential(wish.freeGpus & ~gpus, wish.freeNics & ~nics);
    long first = objective == Objective.PACK ? left : value;
    long second = objective == Objective.PACK ? value : left;
    if (best == null || first > bestFirst || (first == bestFirst && second > bestSecond)) {
      bestFirst = first;
      bestSecond = second;
      best = chosen.clone();
    }
  }
}
