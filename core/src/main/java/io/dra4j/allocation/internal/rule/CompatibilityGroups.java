package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The compatibility groups that the devices on one counter set have in common. Immutable. There is
 * no such object if no device uses the counter set.
 *
 * @param namesNone whether none of the devices names any group; such devices can only be combined
 *     with each other
 * @param common the groups that all of them name
 */
record CompatibilityGroups(boolean namesNone, Set<String> common) {

  /** The number of consumptions with few groups that take one unit of a budget. */
  static final int CONSUMPTIONS_PER_UNIT = 8;

  private static final int GROUPS_PER_UNIT = 64;

  /** {@return the state of each used counter set, after the allocated devices that draw from it} */
  static Map<String, CompatibilityGroups> ofAllocated(List<Device> drawing, Budget budget)
      throws BudgetExceededException {
    Map<String, CompatibilityGroups> bySet = new HashMap<>();
    for (Device device : drawing) {
      budget.spend(1);
      List<DeviceCounterConsumption> consumptions = device.consumesCounters();
      for (int i = 0; i < consumptions.size(); i++) {
        BudgetTicks.spend(budget, i, CONSUMPTIONS_PER_UNIT);
        DeviceCounterConsumption consumption = consumptions.get(i);
        CompatibilityGroups current = bySet.get(consumption.counterSet());
        bySet.put(
            consumption.counterSet(), with(current, consumption.compatibilityGroups(), budget));
      }
    }
    return bySet;
  }

  /** Whether a device with these groups can join. */
  static boolean admits(@Nullable CompatibilityGroups current, List<String> groups, Budget budget)
      throws BudgetExceededException {
    if (current == null) {
      return true;
    }
    if (groups.isEmpty() || current.namesNone) {
      return groups.isEmpty() && current.namesNone;
    }
    for (int i = 0; i < groups.size(); i++) {
      BudgetTicks.spend(budget, i, GROUPS_PER_UNIT);
      if (current.common.contains(groups.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** The state once a device with these groups has joined. */
  static CompatibilityGroups with(
      @Nullable CompatibilityGroups current, List<String> groups, Budget budget)
      throws BudgetExceededException {
    if (current != null && (current.namesNone || groups.isEmpty())) {
      return current;
    }
    Set<String> common = new HashSet<>();
    for (int i = 0; i < groups.size(); i++) {
      BudgetTicks.spend(budget, i, GROUPS_PER_UNIT);
      if (current == null || current.common.contains(groups.get(i))) {
        common.add(groups.get(i));
      }
    }
    return new CompatibilityGroups(current == null && groups.isEmpty(), common);
  }
}
