package io.dra4j.allocation;

import io.dra4j.allocation.ClaimPlan.RequestPlan;
import io.dra4j.allocation.RuleKind.Screen;
import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.PoolView;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Works out why claims do not fit on a node, from what the rules of the search say: first each
 * request by itself, then the constraints that tie requests together.
 */
final class Diagnosis {

  private static final String SEVERAL =
      "each request can be fulfilled by itself, but there is no assignment for all of them at once";

  private final SearchContext context;
  private final List<ResourceClaim> claims;
  private final Position position = new Position("before the first claim");
  private final List<String> lines = new ArrayList<>();

  Diagnosis(SearchContext context, List<ResourceClaim> claims) {
    this.context = context;
    this.claims = claims;
  }

  List<String> lines() {
    try {
      SearchPlan plan = new SearchPlan(context, claims, position);
      for (ClaimPlan claim : plan.claims) {
        for (RequestPlan request : claim.requests()) {
          explainRequest(claim, request);
        }
      }
      if (lines.isEmpty()) {
        for (ClaimPlan claim : plan.claims) {
          for (MatchAttributeRule constraint : claim.constraints()) {
            explainConstraint(claim, constraint.constraint());
          }
        }
      }
    } catch (RejectedException e) {
      lines.add(e.error());
    } catch (BudgetExceededException e) {
      lines.add("more could not be worked out: " + e.reason() + ", stopped " + position);
    }
    if (lines.isEmpty()) {
      lines.add(
          claims.stream().map(ResourceClaim::displayName).collect(Collectors.joining(", "))
              + ": "
              + SEVERAL);
    }
    for (PoolView pool : context.view().pools()) {
      if (pool.invalidReason() != null) {
        lines.add(
            "pool " + pool.id() + ": " + pool.invalidReason() + "; its devices were left out");
      }
    }
    for (PoolView pool : context.view().pools()) {
      if (pool.incomplete()) {
        lines.add(
            "pool " + pool.id() + ": not all of its slices are there; its devices were left out");
      }
    }
    return List.copyOf(lines);
  }

  private void explainRequest(ClaimPlan claim, RequestPlan request) throws BudgetExceededException {
    List<String> shortages = new ArrayList<>();
    for (Target target : request.alternatives()) {
      Supply supply = supplyOf(claim, target);
      long wanted = target.all ? Math.max(1, target.count()) : target.count();
      if (supply.usable.cardinality() >= wanted) {
        return;
      }
      shortages.add(shortage(target, supply, wanted));
    }
    lines.addAll(shortages);
  }

  private static String shortage(Target target, Supply supply, long wanted) {
    String found =
        "%s: needs %s of class %s, %d can be had"
            .formatted(
                target.displayName(),
                target.all ? "all devices (" + target.count() + ")" : devices(wanted),
                target.deviceClass.metadata().name(),
                supply.usable.cardinality());
    if (supply.refused.isEmpty()) {
      return found + "; the node has no devices";
    }
    return supply.refused.entrySet().stream()
        .map(reason -> reason.getValue() + " " + reason.getKey())
        .collect(
            Collectors.joining(
                ", ", found + "; of " + devices(supply.total()) + " on the node ", ""));
  }

  /** What each device says to a target while nothing else is placed. */
  private Supply supplyOf(ClaimPlan claim, Target target) throws BudgetExceededException {
    position.at("while it explained", target);
    Supply supply = new Supply(new BitSet(), new LinkedHashMap<>());
    for (int ordinal = 0; ordinal < context.candidates().size(); ordinal++) {
      Candidate candidate = context.candidates().get(ordinal);
      context.budget().spend(1);
      String refused;
      try {
        refused = refusalOf(claim, target, candidate);
      } catch (RejectedException e) {
        refused = "could not be checked (" + e.error() + ")";
      }
      if (refused == null) {
        supply.usable.set(candidate.ordinal());
      } else {
        supply.refused.merge(refused, 1, Integer::sum);
      }
    }
    return supply;
  }

  private static @Nullable String refusalOf(ClaimPlan claim, Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    if (!target.selection.matchesClass(target, candidate)) {
      return "not of the class";
    }
    if (!target.selection.matchesRequest(target, candidate)) {
      return "not matching the request's selectors";
    }
    if (!target.selects(candidate)) {
      return "not for this node";
    }
    Placement placement = claim.placement();
    Refusal refusal = placement.check(Screen.BEFORE_SELECTORS, target, candidate);
    if (refusal == null) {
      refusal = placement.check(Screen.AFTER_SELECTORS, target, candidate);
    }
    if (refusal == null) {
      refusal = placement.tryPlace(target, candidate);
      if (refusal == null) {
        placement.undo(target, candidate);
      }
    }
    return refusal == null ? null : "that " + refusal.reason();
  }

  private void explainConstraint(ClaimPlan claim, Constraint constraint)
      throws BudgetExceededException {
    List<Target> targets = new ArrayList<>();
    for (RequestPlan request : claim.requests()) {
      if (request.prioritized()) {
        return; // which alternative counts is not known
      }
      if (constraint.appliesTo(request.alternatives().get(0))) {
        targets.add(request.alternatives().get(0));
      }
    }
    long total = targets.stream().mapToLong(Target::count).sum();
    Map<Integer, OfOneValue> byValue = devicesByValue(claim, constraint, targets);
    OfOneValue best = null;
    for (OfOneValue devices : byValue.values()) {
      if (devices.suffice(targets, total)) {
        return;
      }
      best = best == null || devices.sum() > best.sum() ? devices : best;
    }
    String wanted =
        targets.stream()
            .map(target -> target.resultName() + " (" + target.count() + ")")
            .collect(Collectors.joining(" and "));
    lines.add(
        ("claim %s: matchAttribute %s spans the requests %s: all %d devices must share one value,"
                + " and none of %d values has enough free devices%s")
            .formatted(
                claim.claim().displayName(),
                constraint.attribute,
                wanted,
                total,
                byValue.size(),
                best == null ? "" : "; the closest is " + describe(best, targets)));
  }

  /** By the number of each value, how many devices have it. */
  private Map<Integer, OfOneValue> devicesByValue(
      ClaimPlan claim, Constraint constraint, List<Target> targets) throws BudgetExceededException {
    List<BitSet> supplies = new ArrayList<>();
    for (Target target : targets) {
      supplies.add(supplyOf(claim, target).usable);
    }
    Map<Integer, OfOneValue> byValue = new TreeMap<>();
    for (int ordinal = 0; ordinal < context.candidates().size(); ordinal++) {
      Candidate candidate = context.candidates().get(ordinal);
      for (int i = 0; i < targets.size(); i++) {
        context.budget().spend(1);
        if (!supplies.get(i).get(candidate.ordinal())) {
          continue;
        }
        AttributeValues values;
        try {
          values = constraint.valuesOf(targets.get(i), candidate);
        } catch (RejectedException e) {
          continue; // the supply already says so
        }
        if (values != null) {
          context.budget().check();
          int target = i;
          values
              .ids()
              .forEach(
                  id ->
                      byValue
                          .computeIfAbsent(id, any -> new OfOneValue(id, targets.size()))
                          .add(target, candidate));
        }
      }
    }
    return byValue;
  }

  private String describe(OfOneValue devices, List<Target> targets) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      parts.add(devices.byTarget[i] + " for " + targets.get(i).resultName());
    }
    return context.values().textOf(devices.value) + " with " + String.join(" and ", parts);
  }

  private static String devices(long n) {
    return n == 1 ? "1 device" : n + " devices";
  }

  /** How many devices have one value; told of them in ascending order. */
  private static final class OfOneValue {
    final int value;
    final int[] byTarget;
    private int different;
    private int last = -1;

    OfOneValue(int value, int targets) {
      this.value = value;
      this.byTarget = new int[targets];
    }

    void add(int target, Candidate candidate) {
      byTarget[target]++;
      if (last != candidate.ordinal()) {
        last = candidate.ordinal();
        different++;
      }
    }

    long sum() {
      long sum = 0;
      for (int devices : byTarget) {
        sum += devices;
      }
      return sum;
    }

    boolean suffice(List<Target> targets, long total) {
      for (int i = 0; i < byTarget.length; i++) {
        if (byTarget[i] < targets.get(i).count()) {
          return false;
        }
      }
      return different >= total;
    }
  }

  /**
   * What there is for a target.
   *
   * @param usable the ordinals of the devices that can be placed
   * @param refused how many others there are, by reason
   */
  private record Supply(BitSet usable, Map<String, Integer> refused) {

    int total() {
      return usable.cardinality() + refused.values().stream().mapToInt(Integer::intValue).sum();
    }
  }
}
