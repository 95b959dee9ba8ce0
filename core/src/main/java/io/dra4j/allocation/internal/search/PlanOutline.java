package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.rule.DistinctAttributeRule;
import io.dra4j.allocation.internal.rule.MatchAttributeRule;
import io.dra4j.allocation.internal.rule.Rule;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A plan as the bounds of a search see it: the requests of all claims in one line, the constraints
 * of all claims numbered, and which of them are about which target.
 */
public final class PlanOutline {

  private static final int CELLS_PER_UNIT = 128;
  private static final int[] NONE = {};

  final List<PlannedRequest> targets;
  final List<RequestPlan> requests = new ArrayList<>(); // of all claims, in order
  public final List<MatchAttributeRule> matching = new ArrayList<>();
  final List<DistinctAttributeRule> distinct = new ArrayList<>();
  private final int[] firstOfClaim;
  private final int[][] matchingOf; // by target number, ascending
  private final int[][] distinctOf;
  private int[] buffer = new int[8];

  public PlanOutline(SearchPlan plan) throws BudgetExceededException {
    Budget budget = plan.context.budget();
    this.targets = plan.targets;
    this.firstOfClaim = new int[plan.claims.size() + 1];
    this.matchingOf = new int[targets.size()][];
    this.distinctOf = new int[targets.size()][];
    for (int claim = 0; claim < plan.claims.size(); claim++) {
      ClaimPlan planned = plan.claims.get(claim);
      firstOfClaim[claim] = requests.size();
      for (RequestPlan request : planned.requests()) {
        requests.add(request);
        for (PlannedRequest target : request.alternatives()) {
          budget.spend(1 + planned.constraints().size() + planned.distinct().size());
          matchingOf[target.number] =
              applying(target, planned.constraints(), matching.size(), budget);
          distinctOf[target.number] = applying(target, planned.distinct(), distinct.size(), budget);
        }
      }
      matching.addAll(planned.constraints());
      distinct.addAll(planned.distinct());
    }
    firstOfClaim[plan.claims.size()] = requests.size();
  }

  private int[] applying(
      PlannedRequest target, List<? extends Rule> constraints, int first, Budget budget)
      throws BudgetExceededException {
    int n = 0;
    for (int i = 0; i < constraints.size(); i++) {
      BudgetTicks.spend(budget, i, CELLS_PER_UNIT);
      if (constraints.get(i).concerns(target)) {
        if (n == buffer.length) {
          buffer = Arrays.copyOf(buffer, 2 * n);
        }
        buffer[n++] = first + i;
      }
    }
    return n == 0 ? NONE : Arrays.copyOf(buffer, n);
  }

  /** The place of a request of a claim among those of all claims. */
  int placeOf(int claim, int request) {
    return firstOfClaim[claim] + request;
  }

  /** The numbers of the matchAttribute constraints that are about a target. */
  public int[] matchingOf(PlannedRequest target) {
    return matchingOf[target.number];
  }

  /** The numbers of the distinctAttribute constraints that are about a target. */
  int[] distinctOf(PlannedRequest target) {
    return distinctOf[target.number];
  }

  /** The targets that each matchAttribute constraint is about. */
  List<List<PlannedRequest>> targetsOfMatching(Budget budget) throws BudgetExceededException {
    List<List<PlannedRequest>> about = new ArrayList<>();
    for (int i = 0; i < matching.size(); i++) {
      BudgetTicks.spend(budget, i, CELLS_PER_UNIT);
      about.add(new ArrayList<>());
    }
    int cells = 0;
    for (PlannedRequest target : targets) {
      for (int constraint : matchingOf(target)) {
        BudgetTicks.spend(budget, cells++, CELLS_PER_UNIT);
        about.get(constraint).add(target);
      }
    }
    return about;
  }
}
