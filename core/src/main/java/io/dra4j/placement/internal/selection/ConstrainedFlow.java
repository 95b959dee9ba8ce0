package io.dra4j.placement.internal.selection;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Slot;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Tie;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for a set with ties on a server of any size. Gives one tie after the other the
 * value with which pairs have the most bandwidth, by a flow for each value. The values of earlier
 * ties stay. If several ties compete, there may therefore be better devices, or devices although
 * none are found. Ignores constraints on distinct values.
 */
final class ConstrainedFlow {

  /**
   * The most pairs that all flows together may examine, about 100 ms; each device counts as a pair.
   */
  static final long MAX_PAIRS = 1 << 21;

  private final DeviceSetRequest wanted;
  private final ServerModel kind;
  private final @Nullable PathType within;
  private final @Nullable PathType bound;
  private final Budget budget;

  /**
   * Prepares a search; {@code within} is the maximum distance for as many pairs as possible, {@code
   * bound} for all pairs, and null means any distance.
   */
  ConstrainedFlow(
      DeviceSetRequest wanted,
      ServerModel kind,
      @Nullable PathType within,
      @Nullable PathType bound,
      Budget budget) {
    this.wanted = wanted;
    this.kind = kind;
    this.within = within;
    this.bound = bound;
    this.budget = budget;
  }

  /** Finds the devices; {@code free} are the best ones without ties. Empty if there are none. */
  Optional<PairFlow.Best> best(PairFlow.Best free) throws BudgetExceededException {
    PairFlow.Best best = free;
    List<Slot> slots = wanted.slots;
    long looked = 0;
    for (Tie tie : wanted.ties) {
      if (tie.distinct()) {
        continue;
      }
      best = null;
      List<Slot> among = slots;
      for (int value = 0; value < tie.values().size; value++) {
        List<Slot> some = among(slots, tie, value);
        looked += kind.gpus() + kind.nics() + PairFlow.pairs(kind, some);
        if (looked > MAX_PAIRS) {
          return Optional.empty();
        }
        PairFlow.Best found =
            new PairFlow(kind, wanted.use, budget, within, bound).best(some).orElse(null);
        if (found != null && found.isBetterThan(best)) {
          best = found;
          among = some;
        }
      }
      if (best == null) {
        return Optional.empty();
      }
      slots = among;
    }
    return Optional.of(best);
  }

  /** Returns the slots; tied slots keep only the devices with the value. */
  private List<Slot> among(List<Slot> slots, Tie tie, int value) throws BudgetExceededException {
    List<Slot> some = new ArrayList<>(slots);
    for (Slot slot : tie.slots()) {
      Slot before = slots.get(slot.place);
      budget.spend(1 + before.devices.length / 100);
      int[] devices =
          Arrays.stream(before.devices)
              .filter(device -> tie.values().of(slot.gpu, device) == value)
              .toArray();
      some.set(slot.place, before.among(devices));
    }
    return some;
  }
}
