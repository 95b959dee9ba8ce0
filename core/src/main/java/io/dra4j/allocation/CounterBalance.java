package io.dra4j.allocation;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the counters of one pool have left after the allocated devices took their part (KEP-4815).
 * Each counter of each set has a slot. May be negative, which means: nothing left.
 */
final class CounterBalance {

  private final Map<String, Map<String, Integer>> slots = new HashMap<>();
  private final Quantity[] available;

  CounterBalance(Pool pool, DevicesInUse inUse) {
    List<Quantity> values = new ArrayList<>();
    for (CounterSet set : pool.counterSets.values()) {
      Map<String, Integer> slotsOfSet = new HashMap<>();
      set.counters()
          .forEach(
              (name, value) -> {
                slotsOfSet.put(name, values.size());
                values.add(value);
              });
      slots.put(set.name(), slotsOfSet);
    }
    this.available = values.toArray(new Quantity[0]);
    // Devices for other nodes draw from the same counters.
    subtractAllocated(pool.targetingNode, inUse);
    subtractAllocated(pool.notTargetingNode, inUse);
  }

  private void subtractAllocated(List<PublishedSlice> slices, DevicesInUse inUse) {
    for (PublishedSlice published : slices) {
      for (Device device : published.slice.devices()) {
        if (!device.consumesCounters().isEmpty()
            && inUse.isAllocated(published.slice.idOf(device))) {
          for (Draw draw : drawsOf(device)) {
            available[draw.slot] = available[draw.slot].subtract(draw.amount);
          }
        }
      }
    }
  }

  int slots() {
    return available.length;
  }

  Quantity available(int slot) {
    return available[slot];
  }

  /** What a device of the pool draws. Every counter it names exists, or the pool were invalid. */
  List<Draw> drawsOf(Device device) {
    List<Draw> draws = new ArrayList<>();
    for (DeviceCounterConsumption consumption : device.consumesCounters()) {
      Map<String, Integer> slotsOfSet = slots.getOrDefault(consumption.counterSet(), Map.of());
      consumption
          .counters()
          .forEach(
              (name, amount) -> {
                Integer slot = slotsOfSet.get(name);
                if (slot != null) {
                  draws.add(new Draw(slot, amount));
                }
              });
    }
    return draws;
  }

  /** An amount taken from one slot. */
  record Draw(int slot, Quantity amount) {}
}
