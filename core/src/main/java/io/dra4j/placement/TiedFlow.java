package io.dra4j.placement;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
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
 * Finds devices for a wish with ties on a server of any size: gives one tie after the other the
 * value with which pairs carry most, by a flow for each value. What an earlier tie has stays, so
 * that there may be better devices where several ties compete, or some where none are found.
 * Distinct values are not looked at.
 */
final class TiedFlow {

  /** What all flows together may look at, some 100 ms; devices count as pairs do. */
  private static final long MAX_PAIRS = 1 << 21;

  private final Wish wish;
  private final ServerKind kind;
  private final @Nullable PathType within;
  private final boolean required;
  private final Budget budget;

  /**
   * Prepares a search.
   *
   * @param within how far apart pairs may be; null for any distance
   * @param required whether there is no answer where a pair is farther apart
   */
  TiedFlow(Wish wish, ServerKind kind, @Nullable PathType within, boolean required, Budget budget) {
    this.wish = wish;
    this.kind = kind;
    this.within = within;
    this.required = required;
    this.budget = budget;
  }

  /**
   * Finds the devices.
   *
   * @param free the best devices without any ties
   * @return empty if none were found
   */
  Optional<PairFlow.Best> best(PairFlow.Best free) throws BudgetExceededException {
    PairFlow.Best best = free;
    List<PairFlow.Demand> demands = wish.demands();
    long looked = 0;
    for (Tie tie : wish.ties) {
      if (tie.distinct()) {
        continue;
      }
      Map<DeviceAttribute, Integer> numbers = new HashMap<>();
      int[] ofGpus = wish.values(tie.attribute(), true, numbers);
      int[] ofNics = wish.values(tie.attribute(), false, numbers);
      best = null;
      List<PairFlow.Demand> among = demands;
      for (int value = 0; value < numbers.size(); value++) {
        List<PairFlow.Demand> some = among(demands, tie, ofGpus, ofNics, value);
        looked += kind.gpus() + kind.nics() + PairFlow.pairs(kind, some);
        if (looked > MAX_PAIRS) {
          return Optional.empty();
        }
        PairFlow.Best found = new PairFlow(kind, budget, within, required).best(some).orElse(null);
        if (found != null && found.isBetterThan(best)) {
          best = found;
          among = some;
        }
      }
      if (best == null) {
        return Optional.empty();
      }
      demands = among;
    }
    return Optional.of(best);
  }

  /** Demands of which the tied ones are for devices with a value. */
  private List<PairFlow.Demand> among(
      List<PairFlow.Demand> demands,
      Tie tie,
      int @Nullable [] ofGpus,
      int @Nullable [] ofNics,
      int value)
      throws BudgetExceededException {
    List<PairFlow.Demand> some = new ArrayList<>(demands);
    for (Wish.Slot slot : tie.slots()) {
      PairFlow.Demand demand = demands.get(slot.place);
      int[] values = slot.gpu ? ofGpus : ofNics;
      budget.spend(1 + demand.devices.length / 100);
      int[] devices =
          Arrays.stream(demand.devices)
              .filter(device -> values != null && values[device] == value)
              .toArray();
      some.set(slot.place, new PairFlow.Demand(demand.gpu, demand.count, devices));
    }
    return some;
  }
}
