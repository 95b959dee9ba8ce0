package io.dra4j.placement.internal.selection;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Slot;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Tie;
import io.dra4j.placement.internal.server.Hungarian;
import io.dra4j.placement.internal.server.ServerModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Moves the devices of a set to other requests, as long as pairs within claims, and then pairs
 * within tied requests, get more bandwidth. The bandwidth of a set as a whole does not depend on
 * claims. Swaps one, two or three pairs of devices at once, until no swap is better or the steps
 * are used up.
 */
final class PairSwapSearch {

  private static final int MAX_STEPS = 2_000;

  /** The number of cells of tables of pairs that count as one step. */
  private static final int CELLS_OF_STEP = 1_024;

  private final DeviceSetRequest wanted;
  private final ServerModel kind;
  private final Budget budget;
  private final int[][] devices;
  private final List<List<Slot>> claims = new ArrayList<>();
  private final List<List<Slot>> tied = new ArrayList<>();
  private int steps;

  private PairSwapSearch(
      DeviceSetRequest wanted, ServerModel kind, Budget budget, int[][] devices) {
    this.wanted = wanted;
    this.kind = kind;
    this.budget = budget;
    this.devices = new int[devices.length][];
    Arrays.setAll(this.devices, i -> devices[i].clone());
    for (Slot slot : wanted.slots) {
      boolean isNext =
          !claims.isEmpty() && claims.get(claims.size() - 1).get(0).claim == slot.claim;
      (isNext ? claims.get(claims.size() - 1) : added(claims)).add(slot);
    }
    for (Tie tie : wanted.ties) {
      if (!tie.distinct() && !claims.contains(tie.slots())) {
        tied.add(tie.slots());
      }
    }
  }

  private static List<Slot> added(List<List<Slot>> groups) {
    groups.add(new ArrayList<>());
    return groups.get(groups.size() - 1);
  }

  /** {@return a better division among slots by the same rules; does not change {@code devices}} */
  static int[][] of(DeviceSetRequest wanted, ServerModel kind, int[][] devices, Budget budget)
      throws BudgetExceededException {
    PairSwapSearch uncrossing = new PairSwapSearch(wanted, kind, budget, devices);
    if (uncrossing.claims.size() + uncrossing.tied.size() > 1) {
      uncrossing.improve();
    }
    return uncrossing.devices;
  }

  private void improve() throws BudgetExceededException {
    long[] before = values();
    while (steps < MAX_STEPS
        && (improves(before, 1) || improves(before, 2) || improves(before, 3))) {
      before = values();
    }
    for (int[] own : devices) {
      Arrays.sort(own);
    }
  }

  /** Makes a number of swaps if the result is better. */
  private boolean improves(long[] before, int changes) throws BudgetExceededException {
    for (int i = 0; i < devices.length; i++) {
      for (int j = i + 1; j < devices.length; j++) {
        if (wanted.slots.get(i).gpu == wanted.slots.get(j).gpu
            && improves(wanted.slots.get(i), wanted.slots.get(j), before, changes)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean improves(Slot one, Slot other, long[] before, int changes)
      throws BudgetExceededException {
    int[] own = devices[one.place];
    int[] others = devices[other.place];
    for (int i = 0; i < own.length; i++) {
      for (int j = 0; j < others.length; j++) {
        if (steps < MAX_STEPS && has(one, others[j]) && has(other, own[i])) {
          swap(own, i, others, j);
          if (changes > 1 ? improves(before, changes - 1) : isBetter(before)) {
            return true;
          }
          swap(own, i, others, j);
        }
      }
    }
    return false;
  }

  private boolean isBetter(long[] before) throws BudgetExceededException {
    steps++;
    budget.spend(10);
    return keepsTies() && Arrays.compare(values(), before) > 0;
  }

  /** The bandwidths of the pairs within claims, and of the pairs within ties. */
  private long[] values() {
    return new long[] {value(claims), value(tied)};
  }

  private static boolean has(Slot slot, int device) {
    return Arrays.binarySearch(slot.devices, device) >= 0;
  }

  private static void swap(int[] own, int i, int[] others, int j) {
    int device = own[i];
    own[i] = others[j];
    others[j] = device;
  }

  private long value(List<List<Slot>> groups) {
    long sum = 0;
    for (List<Slot> group : groups) {
      sum += value(chosen(group, true), chosen(group, false));
    }
    return sum;
  }

  private int[] chosen(List<Slot> group, boolean gpu) {
    return group.stream()
        .filter(slot -> slot.gpu == gpu)
        .flatMapToInt(slot -> Arrays.stream(devices[slot.place]))
        .toArray();
  }

  private long value(int[] gpus, int[] nics) {
    if (gpus.length == 0 || nics.length == 0) {
      return 0;
    }
    long[][] weights = new long[gpus.length][nics.length];
    steps += gpus.length * nics.length * Math.min(gpus.length, nics.length) / CELLS_OF_STEP;
    for (int i = 0; i < gpus.length; i++) {
      for (int j = 0; j < nics.length; j++) {
        weights[i][j] = PairFlow.worth(kind, wanted.use, gpus[i], nics[j]);
      }
    }
    int[] matched = Hungarian.match(weights);
    long sum = 0;
    for (int i = 0; i < matched.length; i++) {
      sum += matched[i] < 0 ? 0 : weights[i][matched[i]];
    }
    return sum;
  }

  private boolean keepsTies() {
    for (Tie tie : wanted.ties) {
      List<Integer> values = new ArrayList<>();
      for (Slot slot : tie.slots()) {
        for (int device : devices[slot.place]) {
          values.add(tie.values().of(slot.gpu, device));
        }
      }
      long different = values.stream().distinct().count();
      if (values.contains(-1) || different != (tie.distinct() ? values.size() : 1)) {
        return false;
      }
    }
    return true;
  }
}
