package io.dra4j.allocation.internal.rule;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The remaining amounts of the counters of one pool after the draws of the allocated devices
 * (KEP-4815). Each counter of each set has a slot. A negative amount means that nothing is left.
 * Exact, however large the counters are.
 */
public final class CounterLedger {

  private final Map<String, Map<String, Integer>> slots = new HashMap<>();
  private final List<QuantitySum> available = new ArrayList<>();
  private final boolean isUntouched;

  /**
   * Computes the balance of a pool.
   *
   * @param drawing the allocated devices that draw from its counters
   * @throws BudgetExceededException if the budget is used up
   */
  public CounterLedger(PoolView pool, List<Device> drawing, Budget budget)
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
    this.isUntouched = drawing.isEmpty();
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

  /**
   * Returns whether no allocated device draws from the counters, so that the full amounts are left.
   */
  public boolean isUntouched() {
    return isUntouched;
  }

  /** The remaining amount of a slot; must not be changed. */
  QuantitySum available(int slot) {
    return available.get(slot);
  }

  /** The draws of a device; every counter that it names exists, or the pool would be invalid. */
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
   * {@return the counter that prevents the use of a device: one of which it draws more than is
   * left, or else the first by name that the allocated devices overdraw; null if there is neither}
   */
  @Nullable
  public Exhausted exhaustedFor(Device device, Budget budget) throws BudgetExceededException {
    String own = shortOf(device, budget);
    if (own != null) {
      return new Exhausted(own, false);
    }
    String others = overdrawn(budget);
    return others == null ? null : new Exhausted(others, true);
  }

  /** {@return {@code set.counter} of which a device draws more than is left, or null if none} */
  @Nullable
  public String shortOf(Device device, Budget budget) throws BudgetExceededException {
    List<String> first = shortOf(device, 1, budget);
    return first.isEmpty() ? null : first.get(0);
  }

  /** {@return all counters, as {@code set.counter}, of which a device draws more than is left} */
  public Set<String> allShortOf(Device device, Budget budget) throws BudgetExceededException {
    return new HashSet<>(shortOf(device, Integer.MAX_VALUE, budget));
  }

  private List<String> shortOf(Device device, int most, Budget budget)
      throws BudgetExceededException {
    List<String> names = new ArrayList<>();
    for (DeviceCounterConsumption consumption : device.consumesCounters()) {
      Map<String, Integer> slotsOfSet = slots.getOrDefault(consumption.counterSet(), Map.of());
      for (Map.Entry<String, Quantity> counter : consumption.counters().entrySet()) {
        budget.spend(1);
        Integer slot = slotsOfSet.get(counter.getKey());
        if (slot != null && available.get(slot).compareTo(counter.getValue()) < 0) {
          names.add(consumption.counterSet() + "." + counter.getKey());
          if (names.size() == most) {
            return names;
          }
        }
      }
    }
    return names;
  }

  /** {@return the first {@code set.counter} by name that allocated devices overdraw, or null} */
  @Nullable
  public String overdrawn(Budget budget) throws BudgetExceededException {
    QuantitySum nothing = new QuantitySum();
    String first = null;
    for (Map.Entry<String, Map<String, Integer>> set : slots.entrySet()) {
      for (Map.Entry<String, Integer> counter : set.getValue().entrySet()) {
        budget.spend(1);
        String name = set.getKey() + "." + counter.getKey();
        if (available.get(counter.getValue()).compareTo(nothing) < 0
            && (first == null || name.compareTo(first) < 0)) {
          first = name;
        }
      }
    }
    return first;
  }

  /** {@return the counters that some devices together would overdraw, as {@code set.counter}} */
  public SortedSet<String> shortOf(List<Device> together, Budget budget)
      throws BudgetExceededException {
    QuantitySum[] drawn = new QuantitySum[available.size()];
    for (int slot = 0; slot < drawn.length; slot++) {
      budget.spend(1);
      drawn[slot] = new QuantitySum();
    }
    for (Device device : together) {
      for (Draw draw : drawsOf(device, budget)) {
        drawn[draw.slot].add(draw.amount);
      }
    }
    SortedSet<String> names = new TreeSet<>();
    for (Map.Entry<String, Map<String, Integer>> set : slots.entrySet()) {
      for (Map.Entry<String, Integer> counter : set.getValue().entrySet()) {
        budget.spend(1);
        int slot = counter.getValue();
        if (available.get(slot).compareTo(drawn[slot]) < 0) {
          names.add(set.getKey() + "." + counter.getKey());
        }
      }
    }
    return names;
  }

  /**
   * A counter that does not have enough left.
   *
   * @param counter {@code set.counter}
   * @param overdrawn whether other devices overdraw the counter, not the device itself
   */
  public record Exhausted(String counter, boolean overdrawn) {}

  /** An amount taken from one slot. */
  record Draw(int slot, Quantity amount) {}
}
