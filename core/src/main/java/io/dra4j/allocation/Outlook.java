package io.dra4j.allocation;

import io.dra4j.allocation.ClaimPlan.RequestPlan;
import io.dra4j.model.BudgetExceededException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks ahead from a position of a search: whether what is left of the devices can still be enough
 * for what is left of the requests. Says no only where there is no solution.
 */
final class Outlook {

  /** Attributes whose values are the same. */
  private record Values(String attribute, String expression) {}

  /** Values of a constraint across groups that are tried one after the other. */
  private static final int MAX_VALUES_ACROSS = 32;

  private final PlanOutline outline;
  private final CandidateSets sets;
  private final SearchContext context;
  private final SearchMemory memory;
  private final Map<Values, @Nullable ValueIndex> indexes = new HashMap<>();
  private final @Nullable ValueIndex[][] matchIndexes; // by constraint, then by target number
  private final @Nullable ValueIndex[][] distinctIndexes;
  private final BitSet used; // devices that nobody else may have
  private final Outstanding outstanding;
  private final Outstanding ofOneValue;
  private final SupplyBound supply;
  private final DistinctBound distinct;
  private final GroupBound groupBound;
  private final BitSet alternative;
  private final List<Integer> across;

  /**
   * Makes an outlook.
   *
   * @param memory counts the indexes; one that it has no room for is as one that is too large
   * @param shareable the devices that several may have
   * @param used the devices that are placed and that nobody else may have, kept by the caller
   */
  Outlook(
      SearchContext context,
      SearchMemory memory,
      PlanOutline outline,
      CandidateSets sets,
      RequestGroups groups,
      BitSet shareable,
      BitSet used)
      throws RejectedException, BudgetExceededException {
    this.context = context;
    this.memory = memory;
    this.outline = outline;
    this.sets = sets;
    this.used = used;
    int devices = context.candidates().size();
    int targets = outline.targets.size();
    this.matchIndexes = new ValueIndex[outline.matching.size()][targets];
    this.distinctIndexes = new ValueIndex[outline.distinct.size()][targets];
    for (Target target : outline.targets) {
      for (int number : outline.matchingOf(target)) {
        matchIndexes[number][target.number] =
            indexOf(outline.matching.get(number).constraint(), target);
      }
      for (int number : outline.distinctOf(target)) {
        distinctIndexes[number][target.number] =
            indexOf(outline.distinct.get(number).constraint(), target);
      }
    }
    this.outstanding = new Outstanding(targets);
    this.ofOneValue = new Outstanding(targets);
    this.supply = new SupplyBound(shareable, targets, devices);
    this.distinct = new DistinctBound(outline, distinctIndexes, devices);
    this.groupBound =
        new GroupBound(outline, groups, matchIndexes, shareable, devices, context.budget());
    this.alternative = new BitSet(devices);
    this.across = new ArrayList<>(groups.across());
    if (groups.size() == 1) {
      across.add(groups.constraintOf(0));
    }
  }

  private @Nullable ValueIndex indexOf(Constraint constraint, Target target)
      throws RejectedException, BudgetExceededException {
    Values values = valuesOf(constraint, target);
    if (!indexes.containsKey(values)) {
      BitSet among = new BitSet(context.candidates().size());
      for (Target other : outline.targets) {
        if (sets.kindOf(other) == sets.kindOf(target)
            || (isCompared(other, constraint.attribute)
                && valuesOf(constraint, other).equals(values))) {
          among.or(sets.of(other));
        }
      }
      ValueIndex index = ValueIndex.of(context, constraint, target, among);
      boolean kept = index != null && memory.keepForGood(index.bytes());
      indexes.put(values, kept ? index : null);
    }
    return indexes.get(values);
  }

  private static Values valuesOf(Constraint constraint, Target target) {
    String expression = target.expressionOf(constraint.attribute);
    return new Values(constraint.attribute, expression == null ? "" : expression);
  }

  /** Whether a constraint compares the attribute on devices of the target. */
  private boolean isCompared(Target target, String attribute) {
    for (int number : outline.matchingOf(target)) {
      if (outline.matching.get(number).constraint().attribute.equals(attribute)) {
        return true;
      }
    }
    for (int number : outline.distinctOf(target)) {
      if (outline.distinct.get(number).constraint().attribute.equals(attribute)) {
        return true;
      }
    }
    return false;
  }

  /** The values of all attributes that are compared and have not too many. */
  List<ValueIndex> indexes() {
    return indexes.values().stream().filter(index -> index != null).toList();
  }

  /**
   * Whether devices with the same values can be exchanged: all values are known, and no constraint
   * depends on the order of devices. Where lists are not compared, a distinctAttribute constraint
   * lets a list come before other values, but not after them.
   */
  boolean allowsExchange() {
    for (ValueIndex index : indexes.values()) {
      if (index == null || (!outline.distinct.isEmpty() && index.hasIncomparable())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether there may be a solution from a position on.
   *
   * @param place the place of the next request among those of all claims
   * @param current what is chosen for this request, or null if it has alternatives and none is
   *     chosen
   * @param chosen how many devices it has
   * @param start the first device that it can get next
   */
  boolean mayFit(int place, @Nullable Target current, long chosen, int start)
      throws BudgetExceededException {
    outstanding.clear();
    for (int i = place; i < outline.requests.size(); i++) {
      RequestPlan request = outline.requests.get(i);
      Target atCurrent = i == place ? current : null;
      if (request.prioritized() && atCurrent == null) {
        if (!anyAlternativeMayFit(request)) {
          return false;
        }
        continue;
      }
      Target target = atCurrent != null ? atCurrent : request.alternatives().get(0);
      long need = target.count() - (atCurrent != null ? chosen : 0);
      if (need <= 0) {
        if (target.all && target.count() == 0) {
          return false;
        }
        continue;
      }
      if (need > SearchPlan.MAX_RESULTS) {
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
    for (Target target : request.alternatives()) {
      context.budget().spend(1);
      candidates(target, alternative);
      if (alternative.cardinality() >= target.count() && !(target.all && target.count() == 0)) {
        return true;
      }
    }
    return false;
  }

  /** Sets the set to the devices that a target could get next. */
  private void candidates(Target target, BitSet set) {
    set.clear();
    set.or(sets.of(target));
    if (!target.adminAccess) {
      set.andNot(used);
    }
    for (int number : outline.matchingOf(target)) {
      MatchAttributeRule rule = outline.matching.get(number);
      AttributeValues current = rule.current();
      ValueIndex index = matchIndexes[number][target.number];
      if (current != null && index != null) {
        index.retainWith(current, rule.constraint().comparesLists(), set);
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
      index = matchIndexes[across][outstanding.target(i).number];
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
   * The constraint that is about most of what is outstanding, besides those that make groups of
   * their own; also one that makes the only group. -1 if there is none, or one value is left.
   */
  private int widestAcross() {
    int widest = -1;
    int most = 0;
    for (int number : across) {
      AttributeValues current = outline.matching.get(number).current();
      if (current != null && current.size() == 1) {
        continue;
      }
      int about = 0;
      for (int i = 0; i < outstanding.size(); i++) {
        about += matchIndexes[number][outstanding.target(i).number] == null ? 0 : 1;
      }
      if (about > most) {
        most = about;
        widest = number;
      }
    }
    return widest;
  }

  /** Leaves devices with one value of a constraint; whether that is enough for each target. */
  private boolean narrow(Outstanding some, int constraint, int value) {
    for (int i = 0; i < some.size(); i++) {
      ValueIndex index = matchIndexes[constraint][some.target(i).number];
      if (index != null) {
        some.set(i).and(index.with(value));
        if (some.set(i).cardinality() < some.need(i)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean boundsAllow(Outstanding some) throws BudgetExceededException {
    context.budget().spend(some.size());
    return supply.allows(some) && distinct.allows(some) && groupBound.allows(some);
  }
}
