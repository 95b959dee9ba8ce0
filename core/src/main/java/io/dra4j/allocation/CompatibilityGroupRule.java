package io.dra4j.allocation;

import io.dra4j.model.BudgetExceededException;
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
final class CompatibilityGroupRule implements Rule {

  private static final Refusal INCOMPATIBLE =
      new Refusal("is in no compatibility group of the devices on its counter set");

  private final SearchContext context;
  private final PlacedDevices placed;
  private final Map<Pool, Map<String, CompatibilityGroups>> current = new HashMap<>();
  private final Deque<Map<String, CompatibilityGroups>> before = new ArrayDeque<>();

  CompatibilityGroupRule(SearchContext context, PlacedDevices placed) {
    this.context = context;
    this.placed = placed;
  }

  @Override
  public @Nullable Refusal tryPlace(Target target, Candidate candidate)
      throws BudgetExceededException {
    if (!candidate.drawsFromCounters() || placed.hasShare(candidate)) {
      return null;
    }
    Map<String, CompatibilityGroups> old = groupsOf(candidate.pool);
    context.budget().spend(old.size());
    Map<String, CompatibilityGroups> joined = new HashMap<>(old);
    for (DeviceCounterConsumption consumption : candidate.device.consumesCounters()) {
      CompatibilityGroups groups = joined.get(consumption.counterSet());
      List<String> own = consumption.compatibilityGroups();
      if (!CompatibilityGroups.admits(groups, own)) {
        return INCOMPATIBLE;
      }
      joined.put(consumption.counterSet(), CompatibilityGroups.with(groups, own));
    }
    before.push(old);
    current.put(candidate.pool, joined);
    return null;
  }

  @Override
  public void undo(Target target, Candidate candidate) {
    if (candidate.drawsFromCounters() && !placed.hasShare(candidate)) {
      current.put(candidate.pool, before.pop());
    }
  }

  private Map<String, CompatibilityGroups> groupsOf(Pool pool) throws BudgetExceededException {
    Map<String, CompatibilityGroups> groups = current.get(pool);
    return groups == null ? context.state().compatibilityGroups(pool, context.budget()) : groups;
  }
}
