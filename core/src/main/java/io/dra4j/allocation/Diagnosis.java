package io.dra4j.allocation;

import io.dra4j.allocation.ClaimPlan.RequestPlan;
import io.dra4j.allocation.Refusal.Verb;
import io.dra4j.allocation.RuleKind.Screen;
import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.PoolView;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Works out why claims do not fit on a node, from what the rules of the search say: first each
 * request by itself, then requests that want the same devices, then the constraints that tie
 * requests together.
 */
final class Diagnosis {

  private static final String SEVERAL =
      "each request can be fulfilled by itself, but there is no assignment for all of them at once";

  private static final Refusal NOT_SELECTED =
      new Refusal(Verb.DOES, "not match the request's selectors");
  private static final Refusal FOR_OTHERS = new Refusal(Verb.IS, "for other nodes");

  private final SearchContext context;
  private final List<ResourceClaim> claims;
  private final Position position = new Position("before the first claim");
  private final List<String> lines = new ArrayList<>();
  private boolean classIsMissing; // a request finds no device of its class on the node

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
        explainTogether(plan);
      }
      if (lines.isEmpty()) {
        explainGroups(plan);
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
    List<String> leftOut = new ArrayList<>();
    for (PoolView pool : context.view().pools()) {
      if (pool.invalidReason() != null) {
        leftOut.add(
            "pool " + pool.id() + ": " + pool.invalidReason() + "; its devices were left out");
      }
    }
    for (PoolView pool : context.view().pools()) {
      if (pool.incomplete()) {
        leftOut.add(
            "pool " + pool.id() + ": not all of its slices are there; its devices were left out");
      }
    }
    // Where there is nothing of a class at all, its devices are probably among those left out.
    lines.addAll(classIsMissing ? 0 : lines.size(), leftOut);
    return List.copyOf(lines);
  }

  /** Requests that want the same devices, of which there are too few for all of them. */
  private void explainTogether(SearchPlan plan) throws BudgetExceededException {
    Map<BitSet, List<Target>> bySupply = new LinkedHashMap<>();
    Map<BitSet, Supply> supplies = new HashMap<>();
    for (ClaimPlan claim : plan.claims) {
      for (RequestPlan request : claim.requests()) {
        Target target = request.alternatives().get(0);
        if (request.prioritized() || target.adminAccess || target.count() == 0) {
          continue;
        }
        Supply supply = supplyOf(claim, target);
        if (supply.usable.stream()
            .noneMatch(i -> context.canBeShared(context.candidates().get(i)))) {
          bySupply.computeIfAbsent(supply.usable, any -> new ArrayList<>()).add(target);
          supplies.put(supply.usable, supply);
        }
      }
    }
    for (Map.Entry<BitSet, List<Target>> entry : bySupply.entrySet()) {
      List<Target> targets = entry.getValue();
      long wanted = targets.stream().mapToLong(Target::count).sum();
      Supply supply = supplies.get(entry.getKey());
      if (supply != null && supply.usable.cardinality() < wanted) {
        lines.add(
            "%s and %d more like it: together need %s of class %s, %d can be had%s"
                .formatted(
                    targets.get(0).displayName(),
                    targets.size() - 1,
                    devices(wanted),
                    targets.get(0).deviceClass.metadata().name(),
                    supply.usable.cardinality(),
                    supply.refused.isEmpty() ? "" : "; " + supply.describe()));
      }
    }
  }

  /** Groups that want the same, each of one value, of which there are too few with room. */
  private void explainGroups(SearchPlan plan) throws BudgetExceededException {
    if (plan.targets.size() > Pruning.MAX_TARGETS) {
      return;
    }
    PlanOutline outline = new PlanOutline(plan);
    RequestGroups groups = new RequestGroups(outline);
    Map<List<Object>, List<Integer>> alike = new LinkedHashMap<>();
    for (int group = 0; group < groups.size(); group++) {
      List<Object> wants = new ArrayList<>();
      wants.add(outline.matching.get(groups.constraintOf(group)).constraint().attribute);
      for (Target target : groups.members(group)) {
        if (target.alternativeName != null || target.adminAccess || target.count() == 0) {
          return; // what counts is not known
        }
        BitSet usable = supplyOf(plan.claims.get(target.claimIndex), target).usable;
        if (usable.stream().anyMatch(i -> context.canBeShared(context.candidates().get(i)))) {
          return;
        }
        wants.add(usable);
        wants.add(target.count());
      }
      alike.computeIfAbsent(wants, any -> new ArrayList<>()).add(group);
    }
    for (List<Integer> same : alike.values()) {
      List<Target> members = groups.members(same.get(0));
      if (same.size() < 2 || members.size() < 2) {
        continue;
      }
      Constraint constraint = outline.matching.get(groups.constraintOf(same.get(0))).constraint();
      ClaimPlan claim = plan.claims.get(members.get(0).claimIndex);
      long room = 0;
      for (OfOneValue devices : devicesByValue(claim, constraint, members).values()) {
        room += devices.roomFor(members);
      }
      if (room < same.size()) {
        lines.add(
            ("claim %s: %d groups of requests like %s each need devices with one value of %s, and"
                    + " there is room for %d of them")
                .formatted(
                    claim.claim().displayName(),
                    same.size(),
                    members.stream().map(Target::resultName).collect(Collectors.joining(" and ")),
                    constraint.attribute,
                    room));
      }
    }
  }

  private void explainRequest(ClaimPlan claim, RequestPlan request) throws BudgetExceededException {
    List<String> shortages = new ArrayList<>();
    boolean missing = false;
    for (Target target : request.alternatives()) {
      long wanted = target.all ? Math.max(1, target.count()) : target.count();
      if (wanted > SearchPlan.MAX_RESULTS) {
        shortages.add(
            "%s: needs %s, but a claim can have no more than %d"
                .formatted(target.displayName(), devices(wanted), SearchPlan.MAX_RESULTS));
        continue;
      }
      Supply supply = supplyOf(claim, target);
      if (supply.usable.cardinality() >= wanted) {
        return;
      }
      shortages.add(shortage(target, supply, wanted));
      missing |= supply.hasNoneOfClass(target);
    }
    classIsMissing |= missing;
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
      return found
          + (supply.total() == 0 ? "; the node has no devices" : "; the node has no others");
    }
    return found + "; " + supply.describe();
  }

  /** What each device says to a target while nothing else is placed. */
  private Supply supplyOf(ClaimPlan claim, Target target) throws BudgetExceededException {
    position.at("while it explained", target);
    Supply supply = new Supply(new BitSet(), new LinkedHashMap<>(), new TreeSet<>());
    Refusal failure = null; // each names its device: the first stands for all
    for (int ordinal = 0; ordinal < context.candidates().size(); ordinal++) {
      Candidate candidate = context.candidates().get(ordinal);
      context.budget().spend(1);
      Refusal refused;
      try {
        refused = refusalOf(claim, target, candidate);
      } catch (RejectedException e) {
        if (failure == null) {
          failure = new Refusal(Verb.COULD, "not be checked (the first: " + e.error() + ")");
        }
        refused = failure;
      }
      if (refused == null) {
        supply.usable.set(candidate.ordinal());
      } else {
        supply.refused.merge(refused, 1, Integer::sum);
        if (refused.equals(UsageRule.IN_USE)) {
          supply.holders.addAll(context.inventory().holdersOf(candidate.id()));
        }
      }
    }
    return supply;
  }

  private static @Nullable Refusal refusalOf(ClaimPlan claim, Target target, Candidate candidate)
      throws RejectedException, BudgetExceededException {
    if (!target.selection.matchesClass(target, candidate)) {
      return new Refusal(Verb.IS, "not of class " + target.deviceClass.metadata().name());
    }
    if (!target.selection.matchesRequest(target, candidate)) {
      return NOT_SELECTED;
    }
    if (!target.selects(candidate)) {
      return FOR_OTHERS;
    }
    Placer placer = claim.placer();
    Refusal refusal = placer.check(Screen.BEFORE_SELECTORS, target, candidate);
    if (refusal == null) {
      refusal = placer.check(Screen.AFTER_SELECTORS, target, candidate);
    }
    if (refusal == null) {
      refusal = placer.tryPlace(target, candidate);
      if (refusal == null) {
        placer.undo(target, candidate);
      }
    }
    return refusal;
  }

  private void explainConstraint(ClaimPlan claim, Constraint constraint)
      throws BudgetExceededException {
    List<Target> targets = new ArrayList<>();
    for (RequestPlan request : claim.requests()) {
      if (request.prioritized()) {
        return; // which alternative counts is not known
      }
      Target target = request.alternatives().get(0);
      if (target.count() > 0 && constraint.appliesTo(target)) {
        targets.add(target);
      }
    }
    if (targets.isEmpty()) {
      return;
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

    /** How many times the targets find all their devices here, at most. */
    long roomFor(List<Target> targets) {
      long room = Long.MAX_VALUE;
      for (int i = 0; i < byTarget.length; i++) {
        room = Math.min(room, byTarget[i] / targets.get(i).count());
      }
      return room;
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
   * @param holders who has the devices that are in use
   */
  private record Supply(BitSet usable, Map<Refusal, Integer> refused, SortedSet<ClaimKey> holders) {

    private static final int MAX_HOLDERS = 2;

    /** What became of the devices, for example {@code 4 devices on the node: 2 are in use}. */
    String describe() {
      return refused.entrySet().stream()
          .map(
              reason ->
                  reason.getKey().of(reason.getValue())
                      + (reason.getKey().equals(UsageRule.IN_USE) ? byWhom() : ""))
          .collect(Collectors.joining(", ", devices(total()) + " on the node: ", ""));
    }

    private String byWhom() {
      if (holders.isEmpty()) {
        return "";
      }
      String first =
          holders.stream()
              .limit(MAX_HOLDERS)
              .map(ClaimKey::toString)
              .collect(Collectors.joining(" and "));
      int more = holders.size() - MAX_HOLDERS;
      return " by " + first + (more > 0 ? " and " + more + " more" : "");
    }

    /** Whether no device of the node is of the class that the target wants. */
    boolean hasNoneOfClass(Target target) {
      String other = "not of class " + target.deviceClass.metadata().name();
      return usable.isEmpty()
          && refused.keySet().stream().allMatch(reason -> reason.rest().equals(other));
    }

    int total() {
      return usable.cardinality() + refused.values().stream().mapToInt(Integer::intValue).sum();
    }
  }
}
