package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.DeviceConstraint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests, or groups of requests that a constraint ties together, with equal demands: for example
 * the pairs of a claim for pairs. If a solution gives a later group an earlier first device,
 * exchanging the devices of the two groups gives an earlier solution. So the first devices of
 * interchangeable groups are in ascending order.
 */
public final class InterchangeableRequests {

  /** The demand of a request of a group, without the group's own constraint. */
  private record Wish(int kind, long count, List<Integer> constraints) {}

  /**
   * The demand of a group.
   *
   * @param own the kind and attribute of the constraint that forms the group, if there is one
   */
  private record Wishes(Map<DeviceConstraint.Kind, String> own, List<Wish> wishes) {}

  private static final int CONSTRAINTS_PER_UNIT = 64;

  private final int[]
      leaders; // by target number, the target whose first device comes before; -1 for none

  public InterchangeableRequests(
      PlanOutline outline, CandidateSets sets, RequestGroups groups, Budget budget)
      throws BudgetExceededException {
    this.leaders = new int[outline.targets.size()];
    Arrays.fill(leaders, -1);
    Map<Wishes, Integer> latest = new HashMap<>();
    boolean[] done = new boolean[groups.size()];
    for (RequestPlan request : outline.requests) {
      if (request.prioritized()) {
        continue;
      }
      PlannedRequest first = request.alternatives().get(0);
      int group = groups.of(first);
      if (group >= 0 && done[group]) {
        continue;
      }
      List<PlannedRequest> members = group < 0 ? List.of(first) : groups.members(group);
      if (group >= 0) {
        done[group] = true;
      }
      if (members.stream().allMatch(InterchangeableRequests::isPlain)) {
        Wishes wishes = wishesOf(outline, sets, groups, group, members, budget);
        Integer leader = latest.put(wishes, first.number);
        leaders[first.number] = leader == null ? -1 : leader;
      }
    }
  }

  /** Whether the target gets a fixed number of devices. */
  private static boolean isPlain(PlannedRequest target) {
    return !target.all
        && !target.adminAccess
        && target.alternativeName == null
        && target.count() > 0;
  }

  private static Wishes wishesOf(
      PlanOutline outline,
      CandidateSets sets,
      RequestGroups groups,
      int group,
      List<PlannedRequest> members,
      Budget budget)
      throws BudgetExceededException {
    int own = group < 0 ? -1 : groups.constraintOf(group);
    List<Wish> wishes = new ArrayList<>();
    for (PlannedRequest target : members) {
      List<Integer> constraints = new ArrayList<>();
      for (int constraint : outline.constraintsOf(target)) {
        BudgetTicks.spend(budget, constraints.size(), CONSTRAINTS_PER_UNIT);
        if (constraint != own) {
          constraints.add(constraint);
        }
      }
      wishes.add(new Wish(sets.kindOf(target), target.count(), constraints));
    }
    if (own < 0) {
      return new Wishes(Map.of(), wishes);
    }
    Constraint shared = outline.constraints.get(own).constraint();
    return new Wishes(Map.of(shared.kind, shared.attribute), wishes);
  }

  /** The number of the target whose first device must come before that of a target, or -1. */
  int before(PlannedRequest target) {
    return leaders[target.number];
  }
}
