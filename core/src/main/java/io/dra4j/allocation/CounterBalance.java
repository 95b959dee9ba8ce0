package io.dra4j.allocation;

import io.dra4j.inventory.PoolView;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the counters of one pool have left after the allocated devices took their part (KEP-4815).
 * Each counter of each set has a slot. May be negative, which means: nothing left. Exact, however
 * large the counters are.
 */
final class CounterBalance {

  private final Map<String, Map<String, Integer>> slots = new HashMap<>();
  private final List<QuantitySum> available = new ArrayList<>();

  /**
   * Works out the balance of a pool.
   *
   * @param drawing the allocated devices that draw from its counters
   * @throws BudgetExceededException if that takes longer than the caller waits
   */
  CounterBalance(PoolView pool, List<Device> drawing, Budget budget)
      throws BudgetExceededException {
    for (CounterSet set : pool.counterSets().values()) {
      Map<String, Integer> slotsOfSet = new HashMap<>();
      for (Map.Entry<String, Quantity> counter : set.counters().entrySet()) {
        budget.spend(1);
        slotsOfSet.put(counter.getKey(), available.size());
        available.add(QuantitySum.of(counter.getValue()));
      }
      slots.put(set.name(), slotsOfSet);
    }
    // Devices for other nodes draw from the same counters.
    for (Device device : drawing) {
      budget.spend(1);
      for (Draw draw : drawsOf(device, budget)) {
        available.get(draw.slot).subtract(draw.amount);
      }
    }
  }

  int slots() {
    return available.size();
  }

  /** What is left in a slot; not to be changed. */
  QuantitySum available(int slot) {
    return available.get(slot);
  }

  /** What a device of the pool draws. Every counter it names exists, or the pool were invalid. */
  List<Draw> drawsOf(Device device, Budget budget) throws BudgetExceededException {
    List<Draw> draws = new ArrayList<>();
    for (DeviceCounterConsumption consumption : device.consumesCounters()) {
      Map<String, Integer> slotsOfSet = slots.getOrDefault(consumption.counterSet(), Map.of());
      for (Map.Entry<String, Quantity> counter : consumption.counters().entrySet()) {
        budget.spend(1);
        Integer slot = slotsOfSet.get(counter.getKey());
        if (slot != null) {
          draws.add(new Draw(slot, counter.getValue()));
        }
      }
    }
    return draws;
  }

  /**
   * Names a counter of which a device draws more than is left.
   *
   * @return {@code set.counter}, or null if it is not its own draws that are too many
   */
  @Nullable String shortOf(Device device) {
    for (DeviceCounterConsumption consumption : device.consumesCounters()) {
      Map<String, Integer> slotsOfSet = slots.getOrDefault(consumption.counterSet(), Map.of());
      for (Map.Entry<String, Quantity> counter : consumption.counters().entrySet()) {
        Integer slot = slotsOfSet.get(counter.getKey());
        if (slot != null && available.get(slot).compareTo(counter.getValue()) < 0) {
          return consumption.counterSet() + "." + counter.getKey();
        }
      }
    }
    return null;
  }

  /**
   * Names a counter of which the allocated devices draw more than there is.
   *
   * @return {@code set.counter}, the first by name; null if there is none
   */
  @Nullable String overdrawn() {
    QuantitySum nothing = new QuantitySum();
    String first = null;
    for (Map.Entry<String, Map<String, Integer>> set : slots.entrySet()) {
      for (Map.Entry<String, Integer> counter : set.getValue().entrySet()) {
        String name = set.getKey() + "." + counter.getKey();
        if (available.get(counter.getValue()).compareTo(nothing) < 0
            && (first == null || name.compareTo(first) < 0)) {
          first = name;
        }
      }
    }
    return first;
  }

  /**
   * Names the counters that some devices together would overdraw.
   *
   * @return {@code set.counter} for each
   */
  List<String> shortOf(List<Device> together, Budget budget) throws BudgetExceededException {
    QuantitySum[] drawn = new QuantitySum[available.size()];
    Arrays.setAll(drawn, slot -> new QuantitySum());
    for (Device device : together) {
      for (Draw draw : drawsOf(device, budget)) {
        drawn[draw.slot].add(draw.amount);
      }
    }
    List<String> names = new ArrayList<>();
    slots.forEach(
        (set, slotsOfSet) ->
            slotsOfSet.forEach(
                (counter, slot) -> {
                  if (available.get(slot).compareTo(drawn[slot]) < 0) {
                    names.add(set + "." + counter);
                  }
                }));
    Collections.sort(names);
    return names;
  }

  /** An amount taken from one slot. */
  record Draw(int slot, Quantity amount) {}
}
