package io.dra4j.allocation;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The compatibility groups that the devices on one counter set have in common. Immutable; where no
 * device uses the counter set there is no such object.
 *
 * @param namesNone whether none of the devices names any group; such devices go only together
 * @param common the groups that all of them name
 */
record CompatibilityGroups(boolean namesNone, Set<String> common) {

  /**
   * The state of each counter set of a pool after the allocated devices.
   *
   * @param drawing the allocated devices that draw from the counters of the pool
   * @return by counter set; sets that nobody uses are missing
   */
  static Map<String, CompatibilityGroups> ofAllocated(List<Device> drawing, Budget budget)
      throws BudgetExceededException {
    Map<String, CompatibilityGroups> bySet = new HashMap<>();
    for (Device device : drawing) {
      budget.spend(1);
      device.consumesCounters().forEach(consumption -> join(bySet, consumption));
    }
    return bySet;
  }

  private static void join(
      Map<String, CompatibilityGroups> bySet, DeviceCounterConsumption consumption) {
    bySet.put(
        consumption.counterSet(),
        with(bySet.get(consumption.counterSet()), consumption.compatibilityGroups()));
  }

  /** Whether a device with these groups can join. */
  static boolean admits(@Nullable CompatibilityGroups current, List<String> groups) {
    if (current == null) {
      return true;
    }
    if (groups.isEmpty() || current.namesNone) {
      return groups.isEmpty() && current.namesNone;
    }
    return groups.stream().anyMatch(current.common::contains);
  }

  /** The state once a device with these groups has joined. */
  static CompatibilityGroups with(@Nullable CompatibilityGroups current, List<String> groups) {
    if (current == null) {
      return new CompatibilityGroups(groups.isEmpty(), Set.copyOf(groups));
    }
    if (current.namesNone || groups.isEmpty()) {
      return current;
    }
    Set<String> stillCommon =
        groups.stream().filter(current.common::contains).collect(Collectors.toUnmodifiableSet());
    return new CompatibilityGroups(false, stillCommon);
  }
}
