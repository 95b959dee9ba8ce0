package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.DeviceConstraint.Demand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The view of a plan for the bounds of a search: the requests of all claims in one list, the
 * numbered constraints of all claims, and the constraints that apply to each target.
 */
public final class PlanOutline {

  private static final int CELLS_PER_UNIT = 128;
  private static final int[] NONE = {};

  final List<PlannedRequest> targets;
  final List<RequestPlan> requests = new ArrayList<>(); // of all claims, in order
  public final List<ConstraintRule> constraints = new ArrayList<>(); // of all claims, in order
  private final int[] firstOfClaim;
  private final int[][] constraintsOf; // by target number, ascending
  private final int[][] commonOf; // the subset that demands a common value
  private final int[] common;
  private final int[] distinct;

  public PlanOutline(SearchPlan plan) throws BudgetExceededException {
    Budget budget = plan.context.budget();
    this.targets = plan.targets;
    this.firstOfClaim = new int[plan.claims.size() + 1];
    for (int claim = 0; claim < plan.claims.size(); claim++) {
      firstOfClaim[claim] = requests.size();
      requests.addAll(plan.claims.get(claim).requests());
      constraints.addAll(plan.claims.get(claim).constraints());
    }
    firstOfClaim[plan.claims.size()] = requests.size();
    int[] numbers = IntStream.range(0, constraints.size()).toArray();
    this.common = demanding(Demand.COMMON_VALUE, numbers);
    this.distinct = demanding(Demand.DISTINCT_VALUES, numbers);
    this.constraintsOf = new int[targets.size()][];
    this.commonOf = new int[targets.size()][];
    int first = 0;
    for (ClaimPlan claim : plan.claims) {
      int end = first + claim.constraints().size();
      int[] buffer = new int[end - first];
      for (RequestPlan request : claim.requests()) {
        for (PlannedRequest target : request.alternatives()) {
          budget.spend(1 + buffer.length);
          int[] applying = applying(target, first, end, buffer, budget);
          constraintsOf[target.number] = applying;
          commonOf[target.number] = demanding(Demand.COMMON_VALUE, applying);
        }
      }
      first = end;
    }
  }

  /** The subset of some constraints whose kinds have a demand. */
  private int[] demanding(Demand demand, int[] some) {
    int n = 0;
    for (int number : some) {
      n += constraints.get(number).demands(demand) ? 1 : 0;
    }
    if (n == some.length) {
      return some; // the common case
    }
    int[] demanding = n == 0 ? NONE : new int[n];
    for (int i = some.length - 1; n > 0; i--) {
      if (constraints.get(some[i]).demands(demand)) {
        demanding[--n] = some[i];
      }
    }
    return demanding;
  }

  private int[] applying(PlannedRequest target, int first, int end, int[] buffer, Budget budget)
      throws BudgetExceededException {
    int n = 0;
    for (int number = first; number < end; number++) {
      BudgetTicks.spend(budget, number - first, CELLS_PER_UNIT);
      if (constraints.get(number).concerns(target)) {
        buffer[n++] = number;
      }
    }
    return n == 0 ? NONE : Arrays.copyOf(buffer, n);
  }

  /** The index of a request of a claim among the requests of all claims. */
  int placeOf(int claim, int request) {
    return firstOfClaim[claim] + request;
  }

  /** The numbers of the constraints that demand a common value, ascending; must not be changed. */
  int[] common() {
    return common;
  }

  /** The numbers of the constraints that demand distinct values, ascending; must not be changed. */
  int[] distinct() {
    return distinct;
  }

  /**
   * Returns the numbers of the constraints that apply to a target, ascending; must not be changed.
   */
  public int[] constraintsOf(PlannedRequest target) {
    return constraintsOf[target.number];
  }

  /** The subset of {@link #constraintsOf} that demands a common value. */
  int[] commonOf(PlannedRequest target) {
    return commonOf[target.number];
  }

  /** The targets that each constraint of {@link #common} applies to. */
  List<List<PlannedRequest>> targetsOfCommon(Budget budget) throws BudgetExceededException {
    List<List<PlannedRequest>> about = new ArrayList<>();
    int[] places = new int[constraints.size()];
    for (int i = 0; i < common.length; i++) {
      BudgetTicks.spend(budget, i, CELLS_PER_UNIT);
      places[common[i]] = i;
      about.add(new ArrayList<>());
    }
    int cells = 0;
    for (PlannedRequest target : targets) {
      for (int constraint : commonOf(target)) {
        BudgetTicks.spend(budget, cells++, CELLS_PER_UNIT);
        about.get(places[constraint]).add(target);
      }
    }
    return about;
  }
}
