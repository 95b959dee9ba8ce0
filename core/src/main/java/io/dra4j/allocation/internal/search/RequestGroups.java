package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups of requests that need a common value by one constraint, for example the GPU and the NIC of
 * each pair. No request is in two groups. If constraints overlap, the constraints with fewer
 * requests form the groups, and the others span several groups.
 */
public final class RequestGroups {

  private static final int CONSTRAINTS_PER_UNIT = 32;
  private static final int TARGETS_PER_UNIT = 64;

  private final List<List<PlannedRequest>> members =
      new ArrayList<>(); // in the order of the requests
  private final List<Integer> constraints = new ArrayList<>();
  private final List<Integer> across = new ArrayList<>();
  private final int[] groupOf; // by target number, -1 for none

  public RequestGroups(PlanOutline outline, Budget budget) throws BudgetExceededException {
    this.groupOf = new int[outline.targets.size()];
    Arrays.fill(groupOf, -1);
    List<List<PlannedRequest>> about = outline.targetsOfCommon(budget);
    int[] fewestFirst = fewestFirst(about, groupOf.length, budget);
    for (int i = 0; i < fewestFirst.length; i++) {
      int constraint = outline.common()[fewestFirst[i]];
      List<PlannedRequest> targets = about.get(fewestFirst[i]);
      BudgetTicks.spend(budget, i, CONSTRAINTS_PER_UNIT);
      budget.spend(targets.size() / TARGETS_PER_UNIT);
      if (targets.stream().allMatch(target -> groupOf[target.number] < 0)) {
        targets.forEach(target -> groupOf[target.number] = members.size());
        members.add(targets);
        constraints.add(constraint);
      } else {
        across.add(constraint);
      }
    }
  }

  /** The indexes of the constraints: those with few targets first, otherwise in their order. */
  private static int[] fewestFirst(List<List<PlannedRequest>> about, int targets, Budget budget)
      throws BudgetExceededException {
    int[] places = new int[targets + 2]; // the index of the next constraint with so many targets
    for (int i = 0; i < about.size(); i++) {
      BudgetTicks.spend(budget, i, CONSTRAINTS_PER_UNIT);
      places[about.get(i).size() + 1]++;
    }
    for (int size = 1; size < places.length; size++) {
      places[size] += places[size - 1];
    }
    int[] order = new int[about.size()];
    for (int i = 0; i < order.length; i++) {
      BudgetTicks.spend(budget, i, CONSTRAINTS_PER_UNIT);
      order[places[about.get(i).size()]++] = i;
    }
    return order;
  }

  public int size() {
    return members.size();
  }

  /** The group of a target, or -1. */
  int of(PlannedRequest target) {
    return groupOf[target.number];
  }

  /** Returns the targets of a group, including alternatives, in their order. */
  public List<PlannedRequest> members(int group) {
    return members.get(group);
  }

  /** Returns the number of the constraint that forms a group. */
  public int constraintOf(int group) {
    return constraints.get(group);
  }

  /** The numbers of the constraints that span several groups. */
  List<Integer> across() {
    return across;
  }
}
