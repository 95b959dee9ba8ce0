package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.BudgetTicks;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchCache;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.search.ClaimPlan.RequestPlan;
import io.dra4j.common.BudgetExceededException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the remaining devices can still suffice for the remaining requests at a position
 * of a search. The answer is no only if there is no solution.
 */
public final class ForwardChecking {

  /**
   * The maximum number of values of a constraint across groups that are tried one after the other.
   */
  private static final int MAX_VALUES_ACROSS = 32;

  private static final int CONSTRAINTS_PER_UNIT = 16;
  private static final int VALUES_PER_UNIT = 16;

  private final PlanOutline outline;
  private final CandidateSets sets;
  private final SearchContext context;
  private final List<ValueIndex> indexes;
  private final boolean allValuesKnown;
  private final @Nullable ValueIndex[][] ofConstraints; // by constraint, then by target number
  private final BitSet used; // the devices that are in use
  private final RemainingDemand outstanding;
  private final RemainingDemand ofOneValue;
  private final SupplyBound supply;
  private final DistinctBound distinct;
  private final GroupBound groupBound;
  private final BitSet alternative;
  private final List<Integer> across;

  /**
   * Creates the check.
   *
   * @param memory counts the memory of the indexes; an index that does not fit counts as too large
   * @param shareable the devices that can be shared
   * @param used the devices that are placed exclusively, maintained by the caller
   */
  @SuppressWarnings("ParameterNumber") // each is a part of the search that the check reads
  public ForwardChecking(
      SearchContext context,
      SearchCache memory,
      PlanOutline outline,
      CandidateSets sets,
      RequestGroups groups,
      BitSet shareable,
      BitSet used)
      throws RejectedException, BudgetExceededException {
    this.context = context;
    this.outline = outline;
    this.sets = sets;
    this.used = used;
    int devices = context.candidates().size();
    int targets = outline.targets.size();
    ValueIndexes made = new ValueIndexes(context, memory, outline, sets);
    this.ofConstraints = made.ofConstraints();
    this.indexes = made.known();
    this.allValuesKnown = !made.anyUnknown();
    this.outstanding = new RemainingDemand(targets);
    this.ofOneValue = new RemainingDemand(targets);
    this.supply = new SupplyBound(shareable, targets, devices);
    this.distinct = new DistinctBound(outline, ofConstraints, devices, context.budget());
    this.groupBound =
        new GroupBound(outline, groups, ofConstraints, shareable, devices, context.budget());
    this.alternative = new BitSet(devices);
    this.across = new ArrayList<>(groups.across());
    if (groups.size() == 1) {
      across.add(groups.constraintOf(0));
    }
  }

  /** The indexes of all compared attributes that do not have too many values. */
  List<ValueIndex> indexes() {
    return indexes;
  }

  /** Whether devices with equal values can be exchanged: all are known, and no order matters. */
  boolean allowsExchange() {
    if (!allValuesKnown) {
      return false;
    }
    boolean anyIncomparable = indexes.stream().anyMatch(ValueIndex::hasIncomparable);
    return outline.constraints.stream().allMatch(rule -> rule.isSymmetric(anyIncomparable));
  }

  /**
   * Returns whether there may be a solution from a position on.
   *
   * @param place the index of the next request among the requests of all claims
   * @param current the target chosen for this request, or null if it has alternatives and none is
   *     chosen
   * @param chosen the number of devices that it has
   * @param start the first device that it can get next
   */
  public boolean mayFit(int place, @Nullable PlannedRequest current, long chosen, int start)
      throws BudgetExceededException {
    outstanding.clear();
    for (int i = place; i < outline.requests.size(); i++) {
      RequestPlan request = outline.requests.get(i);
      PlannedRequest atCurrent = i == place ? current : null;
      if (request.prioritized() && atCurrent == null) {
        if (!anyAlternativeMayFit(request)) {
          return false;
        }
        continue;
      }
      PlannedRequest target = atCurrent != null ? atCurrent : request.alternatives().get(0);
      long need = target.count() - (atCurrent != null ? chosen : 0);
      if (need <= 0) {
        if (target.all && target.count() == 0) {
          return false;
        }
        continue;
      }
      if (need > PlannedRequest.MAX_RESULTS) {
        return false;
      }
      context.budget().spend(1);
      BitSet set = outstanding.add(target, (int) need);
      candidates(target, set);
      if (atCurrent != null && chosen > 0) {
        set.clear(0, start);
      }
      if (set.cardinality() < need) {
        return false;
      }
    }
    return outstanding.size() == 0 || mayFit();
  }

  private boolean anyAlternativeMayFit(RequestPlan request) throws BudgetExceededException {
    for (PlannedRequest target : request.alternatives()) {
      context.budget().spend(1);
      candidates(target, alternative);
      if (alternative.cardinality() >= target.count() && !(target.all && target.count() == 0)) {
        return true;
      }
    }
    return false;
  }

  /** Sets the set to the devices that a target could get next. */
  private void candidates(PlannedRequest target, BitSet set) throws BudgetExceededException {
    set.clear();
    set.or(sets.of(target));
    if (!target.adminAccess) {
      set.andNot(used);
    }
    int[] constraints = outline.commonOf(target);
    for (int i = 0; i < constraints.length; i++) {
      BudgetTicks.spend(context.budget(), i, CONSTRAINTS_PER_UNIT);
      ConstraintRule rule = outline.constraints.get(constraints[i]);
      ValueIndex index = ofConstraints[constraints[i]][target.number];
      if (index != null) {
        for (AttributeValueIds common : rule.held()) {
          context.budget().spend(common.size() / VALUES_PER_UNIT);
          index.retainWith(common, rule.constraint().comparesLists(), set);
        }
      }
    }
  }

  private boolean mayFit() throws BudgetExceededException {
    int across = widestAcross();
    if (across < 0) {
      return boundsAllow(outstanding);
    }
    ValueIndex index = null;
    for (int i = 0; i < outstanding.size() && index == null; i++) {
      index = ofConstraints[across][outstanding.target(i).number];
    }
    if (index == null || index.values().length > MAX_VALUES_ACROSS) {
      return boundsAllow(outstanding);
    }
    for (int value : index.values()) {
      ofOneValue.copyOf(outstanding);
      if (narrow(ofOneValue, across, value) && boundsAllow(ofOneValue)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The constraint that applies to most of the outstanding targets, without the constraints that
   * form groups unless there is only one group. -1 if there is none, or if one value is left.
   */
  private int widestAcross() throws BudgetExceededException {
    int widest = -1;
    int most = 0;
    for (int place = 0; place < across.size(); place++) {
      BudgetTicks.spend(context.budget(), place, CONSTRAINTS_PER_UNIT);
      int number = across.get(place);
      List<AttributeValueIds> common = outline.constraints.get(number).held();
      if (!common.isEmpty() && common.get(0).size() == 1) {
        continue;
      }
      int about = 0;
      for (int i = 0; i < outstanding.size(); i++) {
        about += ofConstraints[number][outstanding.target(i).number] == null ? 0 : 1;
      }
      if (about > most) {
        most = about;
        widest = number;
      }
    }
    return widest;
  }

  /** Keeps only devices with one value of a constraint; returns whether each target has enough. */
  private boolean narrow(RemainingDemand some, int constraint, int value) {
    for (int i = 0; i < some.size(); i++) {
      ValueIndex index = ofConstraints[constraint][some.target(i).number];
      if (index != null) {
        some.set(i).and(index.with(value));
        if (some.set(i).cardinality() < some.need(i)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean boundsAllow(RemainingDemand some) throws BudgetExceededException {
    context.budget().spend(some.size());
    return supply.allows(some) && distinct.allows(some) && groupBound.allows(some);
  }
}
