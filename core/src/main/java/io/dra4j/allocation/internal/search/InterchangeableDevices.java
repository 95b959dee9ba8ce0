package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceCounterConsumption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Devices that no target, constraint or counter of a search can distinguish. If a solution has one
 * of them while an earlier one is free, exchanging the two gives an earlier solution.
 */
public final class InterchangeableDevices {

  /** All properties of a device that a search depends on. */
  private record Traits(
      List<Integer> kinds,
      List<List<Integer>> values,
      List<Object> drawing,
      boolean taken,
      List<Object> shared) {}

  private static final int PARTS_PER_UNIT = 16;

  private final int[] numbers; // by ordinal
  private final int[] previous; // by ordinal, -1 for none

  /**
   * Compares the devices.
   *
   * @param sets the candidates of each target; other devices are left out
   * @param indexes the values of all attributes that are compared
   */
  public InterchangeableDevices(SearchContext context, CandidateSets sets, List<ValueIndex> indexes)
      throws BudgetExceededException {
    int devices = context.candidates().size();
    this.numbers = new int[devices];
    this.previous = new int[devices];
    BitSet any = new BitSet(devices);
    sets.all().forEach(any::or);
    Map<Traits, Integer> known = new HashMap<>();
    int[] last = new int[devices];
    for (int i = any.nextSetBit(0); i >= 0; i = any.nextSetBit(i + 1)) {
      NodeDevice candidate = context.candidates().get(i);
      context.budget().spend(1 + partsOf(context, candidate, indexes) / PARTS_PER_UNIT);
      Traits traits = traitsOf(context, candidate, sets, indexes);
      Integer number = known.get(traits);
      previous[i] = -1;
      if (number == null) {
        number = known.size();
        known.put(traits, number);
      } else {
        previous[i] = last[number];
      }
      numbers[i] = number;
      last[number] = i;
    }
  }

  /** The number of compared parts of a device. */
  private static int partsOf(
      SearchContext context, NodeDevice candidate, List<ValueIndex> indexes) {
    int parts = context.canBeShared(candidate) ? candidate.device().capacity().size() : 0;
    for (DeviceCounterConsumption draw : candidate.device().consumesCounters()) {
      parts += draw.counters().size() + draw.compatibilityGroups().size();
    }
    for (ValueIndex index : indexes) {
      parts += index.valuesOf(candidate.ordinal()).length;
    }
    return parts;
  }

  private static Traits traitsOf(
      SearchContext context, NodeDevice candidate, CandidateSets sets, List<ValueIndex> indexes) {
    int ordinal = candidate.ordinal();
    List<Integer> kinds = new ArrayList<>();
    for (int i = 0; i < sets.all().size(); i++) {
      if (sets.all().get(i).get(ordinal)) {
        kinds.add(i);
      }
    }
    List<List<Integer>> values = new ArrayList<>();
    for (ValueIndex index : indexes) {
      List<Integer> numbers = new ArrayList<>();
      for (int number : index.valuesOf(ordinal)) {
        numbers.add(number);
      }
      values.add(numbers);
    }
    List<DeviceCounterConsumption> draws = candidate.device().consumesCounters();
    return new Traits(
        kinds,
        values,
        draws.isEmpty() ? List.of() : List.of(candidate.pool().id(), draws),
        context.isInUse(candidate),
        context.canBeShared(candidate) ? sharedOf(context, candidate) : List.of());
  }

  /** Capacities, and whether a share is in use: such a device is interchangeable with no other. */
  private static List<Object> sharedOf(SearchContext context, NodeDevice candidate) {
    if (context.view().isShared(candidate)) {
      return List.of(candidate.ordinal());
    }
    Map<String, DeviceCapacity> capacities = candidate.device().capacity();
    return List.of("shared", capacities);
  }

  /** The number of the device's class of interchangeable devices. */
  int numberOf(int ordinal) {
    return numbers[ordinal];
  }

  /** The interchangeable device that comes before a device, or -1. */
  int before(int ordinal) {
    return previous[ordinal];
  }
}
