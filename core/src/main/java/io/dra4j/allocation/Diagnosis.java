package io.dra4j.allocation;

import io.dra4j.allocation.ClaimPlan.RequestPlan;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Works out why claims do not fit on a node, from what the rules of the search say: first each
 * request by itself, then the constraints that tie requests together.
 */
final class Diagnosis {

  private static final String SEVERAL =
      "each request can be fulfilled by itself, but there is no assignment for all of them at once";

  private final SearchContext context;
  private final List<ResourceClaim> claims;
  private final List<String> invalidPools;
  private final List<String> lines = new ArrayList<>();

  Diagnosis(SearchContext context, List<ResourceClaim> claims, List<String> invalidPools) {
    this.context = context;
    this.claims = claims;
    this.invalidPools = invalidPools;
  }

  List<String> lines() {
    try {
      SearchPlan plan = new SearchPlan(context, claims);
      for (ClaimPlan claim : plan.claims) {
        claim.requests().forEach(request -> explainRequest(plan, claim, request));
      }
      if (lines.isEmpty()) {
        for (ClaimPlan claim : plan.claims) {
          for (MatchAttributeRule constraint : claim.constraints()) {
            explainConstraint(plan, claim, constraint.constraint());
          }
        }
      }
    } catch (RejectedException e) {
      lines.add(e.error());
    } catch (ArithmeticException e) {
      lines.add(String.valueOf(e.getMessage())); // quantities too far apart to be added
    }
    if (lines.isEmpty()) {
      lines.add(
          claims.stream().map(ResourceClaim::displayName).collect(Collectors.joining(", "))
              + ": "
              + SEVERAL);
    }
    invalidPools.forEach(pool -> lines.add("pool " + pool + "; its devices were left out"));
    for (Pool pool : context.pools().pools) {
      if (pool.incomplete) {
        lines.add(
            "pool " + pool.id + ": not all of its slices are there; its devices were left out");
      }
    }
    return List.copyOf(lines);
  }

  private void explainRequest(SearchPlan plan, ClaimPlan claim, RequestPlan request) {
    List<String> shortages = new ArrayList<>();
    for (Target target : request.alternatives()) {
      Supply supply = supplyOf(plan, claim, target);
      long wanted = target.all ? Math.max(1, target.count) : target.count;
      if (supply.usable.size() >= wanted) {
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
                target.all ? "all devices (" + target.count + ")" : devices(wanted),
                target.deviceClass.metadata().name(),
                supply.usable.size());
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
  private Supply supplyOf(SearchPlan plan, ClaimPlan claim, Target target) {
    Supply supply = new Supply(new ArrayList<>(), new LinkedHashMap<>());
    for (Candidate candidate : context.pools().candidates) {
      String refused;
      try {
        refused = refusalOf(plan, claim, target, candidate);
      } catch (RejectedException e) {
        refused = "could not be checked (" + e.error() + ")";
      }
      if (refused.isEmpty()) {
        supply.usable.add(candidate);
      } else {
        supply.refused.merge(refused, 1, Integer::sum);
      }
    }
    return supply;
  }

  private static String refusalOf(
      SearchPlan plan, ClaimPlan claim, Target target, Candidate candidate)
      throws RejectedException {
    if (!target.matchesClass(candidate)) {
      return "not of the class";
    }
    if (!target.matchesRequest(candidate)) {
      return "not matching the request's selectors";
    }
    if (!target.selects(candidate)) {
      return "not for this node";
    }
    Refusal refusal = plan.usage.check(target, candidate);
    if (refusal == null) {
      refusal = plan.capacity.check(target, candidate);
    }
    if (refusal == null) {
      refusal = claim.placement().tryPlace(target, candidate);
      if (refusal == null) {
        claim.placement().undo(target, candidate);
      }
    }
    return refusal == null ? "" : "that " + refusal.reason();
  }

  private void explainConstraint(SearchPlan plan, ClaimPlan claim, Constraint constraint) {
    List<Target> targets = new ArrayList<>();
    for (RequestPlan request : claim.requests()) {
      if (request.prioritized()) {
        return; // which alternative counts is not known
      }
      if (constraint.appliesTo(request.alternatives().get(0))) {
        targets.add(request.alternatives().get(0));
      }
    }
    List<List<Candidate>> supplies =
        targets.stream().map(target -> supplyOf(plan, claim, target).usable).toList();
    Map<Integer, List<Set<Integer>>> byValue = devicesByValue(constraint, targets, supplies);
    for (List<Set<Integer>> devices : byValue.values()) {
      if (suffices(devices, targets)) {
        return;
      }
    }
    String wanted =
        targets.stream()
            .map(target -> target.resultName() + " (" + target.count + ")")
            .collect(Collectors.joining(" and "));
    String best =
        byValue.entrySet().stream()
            .max(Comparator.comparingInt(value -> sizeOf(value.getValue())))
            .map(value -> "; the closest is " + describe(value.getKey(), value.getValue(), targets))
            .orElse("");
    long total = targets.stream().mapToLong(target -> target.count).sum();
    lines.add(
        ("claim %s: matchAttribute %s spans the requests %s: all %d devices must share one value,"
                + " and none of %d values has enough free devices%s")
            .formatted(
                claim.claim().displayName(),
                constraint.attribute,
                wanted,
                total,
                byValue.size(),
                best));
  }

  /** For each value the ordinals of the devices that have it, by target. */
  private static Map<Integer, List<Set<Integer>>> devicesByValue(
      Constraint constraint, List<Target> targets, List<List<Candidate>> supplies) {
    Map<Integer, List<Set<Integer>>> byValue = new TreeMap<>();
    for (int i = 0; i < targets.size(); i++) {
      for (Candidate candidate : supplies.get(i)) {
        AttributeValues values;
        try {
          values = constraint.valuesOf(targets.get(i), candidate);
        } catch (RejectedException e) {
          continue; // the supply already says so
        }
        if (values != null) {
          int target = i;
          values
              .ids()
              .forEach(
                  id ->
                      byValue
                          .computeIfAbsent(id, any -> emptySets(targets.size()))
                          .get(target)
                          .add(candidate.ordinal));
        }
      }
    }
    return byValue;
  }

  private static List<Set<Integer>> emptySets(int n) {
    List<Set<Integer>> sets = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      sets.add(new TreeSet<>());
    }
    return sets;
  }

  private static boolean suffices(List<Set<Integer>> devices, List<Target> targets) {
    long total = 0;
    Set<Integer> union = new TreeSet<>();
    for (int i = 0; i < targets.size(); i++) {
      if (devices.get(i).size() < targets.get(i).count) {
        return false;
      }
      total += targets.get(i).count;
      union.addAll(devices.get(i));
    }
    return union.size() >= total;
  }

  private static int sizeOf(List<Set<Integer>> devices) {
    return devices.stream().mapToInt(Set::size).sum();
  }

  private String describe(int value, List<Set<Integer>> devices, List<Target> targets) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      parts.add(devices.get(i).size() + " for " + targets.get(i).resultName());
    }
    return context.inventory().textOfValue(value) + " with " + String.join(" and ", parts);
  }

  private static String devices(long n) {
    return n == 1 ? "1 device" : n + " devices";
  }

  /**
   * What there is for a target.
   *
   * @param usable the devices that can be placed
   * @param refused how many others there are, by reason
   */
  private record Supply(List<Candidate> usable, Map<String, Integer> refused) {

    int total() {
      return usable.size() + refused.values().stream().mapToInt(Integer::intValue).sum();
    }
  }
}
