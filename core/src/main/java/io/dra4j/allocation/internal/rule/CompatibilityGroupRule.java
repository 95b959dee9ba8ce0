package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.DeviceCounterConsumption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Devices that draw from one counter set must have a compatibility group in common, or none may
 * name any. Further shares of a device change nothing.
 */
public final class CompatibilityGroupRule implements Rule {

  private static final Violation INCOMPATIBLE =
      RuleKind.COMPATIBILITY_GROUPS.violation(
          Violation.Verb.IS, "in no compatibility group of the devices on its counter set");

  private final SearchContext context;
  private final PlacedDevices placed;
  private final Map<PoolView, Map<String, CompatibilityGroups>> current = new HashMap<>(0);
  private final Deque<Map<String, CompatibilityGroups>> before = new ArrayDeque<>(1);

  public CompatibilityGroupRule(SearchContext context, PlacedDevices placed) {
    this.context = context;
    this.placed = placed;
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws BudgetExceededException {
    if (!candidate.drawsFromCounters() || placed.hasShare(candidate)) {
      return null;
    }
    Map<String, CompatibilityGroups> old = groupsOf(candidate);
    context.budget().spend(old.size());
    Map<String, CompatibilityGroups> joined = new HashMap<>(old);
    List<DeviceCounterConsumption> consumptions = candidate.device().consumesCounters();
    for (int i = 0; i < consumptions.size(); i++) {
      BudgetTicks.spend(context.budget(), i, CompatibilityGroups.CONSUMPTIONS_PER_UNIT);
      DeviceCounterConsumption consumption = consumptions.get(i);
      CompatibilityGroups groups = joined.get(consumption.counterSet());
      List<String> own = consumption.compatibilityGroups();
      if (!CompatibilityGroups.admits(groups, own, context.budget())) {
        return INCOMPATIBLE;
      }
      joined.put(consumption.counterSet(), CompatibilityGroups.with(groups, own, context.budget()));
    }
    before.push(old);
    current.put(candidate.pool(), joined);
    return null;
  }

  @Override
  public void undo(PlannedRequest target, NodeDevice candidate) {
    if (candidate.drawsFromCounters() && !placed.hasShare(candidate)) {
      current.put(candidate.pool(), before.pop());
    }
  }

  private Map<String, CompatibilityGroups> groupsOf(NodeDevice candidate)
      throws BudgetExceededException {
    Map<String, CompatibilityGroups> groups = current.get(candidate.pool());
    if (groups == null) {
      groups = CompatibilityGroups.ofAllocated(context.view().drawing(candidate), context.budget());
      current.put(candidate.pool(), groups);
    }
    return groups;
  }
}
