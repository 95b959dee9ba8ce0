package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.internal.rule.TaintRule;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Proposes every single change, for any reasons: without one constraint, with one toleration more,
 * with the devices of one claim released, with one device less. Asked if no other advisor was
 * successful.
 */
public final class SingleChangeAdvisor implements BuiltInAdvisor {

  /** The maximum number of proposals of each kind, because each takes a search. */
  private static final int MAX_OF_A_KIND = 64;

  @Override
  public List<Suggestion> suggest(AdvisorRun problem) {
    if (problem.hasSuggestion()) {
      return List.of();
    }
    List<Suggestion> changes = new ArrayList<>();
    addConstraints(problem, changes);
    addTolerations(problem, changes);
    addReleases(problem, changes);
    addCounts(problem, changes);
    return changes;
  }

  private static void addConstraints(AdvisorRun problem, List<Suggestion> changes) {
    ClaimRelaxation.requirementsOf(problem.claims()).stream()
        .takeWhile(part -> !problem.isOver())
        .filter(SingleChangeAdvisor::isConstraintOfAKind)
        .limit(MAX_OF_A_KIND)
        .forEach(
            part ->
                changes.add(
                    new Suggestion(
                        "leave out %s%s".formatted(part.text(), problem.ofClaim(part.claim())),
                        problem.inventory(),
                        ClaimRelaxation.without(problem.claims(), Set.of(part)))));
  }

  /** A constraint without a kind is a mistake to mend, not one to leave out. */
  private static boolean isConstraintOfAKind(Requirement part) {
    return part instanceof Requirement.Constraint constraint
        && constraint.constraint().kind().isPresent();
  }

  private static void addTolerations(AdvisorRun problem, List<Suggestion> changes) {
    Set<DeviceTaint> taints = new LinkedHashSet<>();
    for (InventoryDevice device : problem.devices()) {
      if (problem.isOver()) {
        return;
      }
      for (DeviceTaint taint : device.device().taints()) {
        if (TaintRule.keepsAway(taint)) {
          taints.add(taint.toBuilder().timeAdded(null).build());
        }
      }
    }
    List<Requirement.Request> requests = requests(problem);
    int proposed = 0;
    for (DeviceTaint taint : taints) {
      for (Requirement.Request request : requests) {
        if (proposed++ >= MAX_OF_A_KIND || problem.isOver()) {
          return;
        }
        changes.add(
            new Suggestion(
                "tolerate %s in request %s%s"
                    .formatted(
                        TolerationAdvisor.textOf(taint),
                        request.request(),
                        problem.ofClaim(request.claim())),
                problem.inventory(),
                ClaimRelaxation.changeRequest(
                    problem.claims(),
                    request,
                    exactly -> TolerationAdvisor.tolerating(exactly, List.of(taint)))));
      }
    }
  }

  private static void addReleases(AdvisorRun problem, List<Suggestion> changes) {
    Set<ClaimKey> holders = new TreeSet<>();
    problem.devices().forEach(device -> holders.addAll(device.holders()));
    holders.removeAll(problem.allocatedAlready());
    holders.stream()
        .limit(MAX_OF_A_KIND)
        .takeWhile(holder -> !problem.isOver())
        .forEach(
            holder ->
                changes.add(
                    new Suggestion(
                        "release the devices of claim " + holder,
                        problem.inventory().apply(List.of(new ClaimRemoved(holder))),
                        problem.claims())));
  }

  private static void addCounts(AdvisorRun problem, List<Suggestion> changes) {
    int proposed = 0;
    for (Requirement.Request request : requests(problem)) {
      if (proposed >= MAX_OF_A_KIND || problem.isOver()) {
        return;
      }
      ExactDeviceRequest requested = ClaimRelaxation.requested(problem.claims(), request);
      if (requested != null
          && requested.allocationMode().equals(AllocationMode.EXACT_COUNT)
          && requested.count() > 1) {
        proposed++;
        changes.add(fewer(problem, request, requested.count() - 1));
      }
    }
  }

  private static Suggestion fewer(AdvisorRun problem, Requirement.Request request, long count) {
    return new Suggestion(
        "ask for %d instead of %s in request %s%s"
            .formatted(
                count,
                TextFormat.devices(count + 1),
                request.request(),
                problem.ofClaim(request.claim())),
        problem.inventory(),
        ClaimRelaxation.changeRequest(
            problem.claims(), request, exactly -> exactly.toBuilder().count(count).build()));
  }

  /** All requests; for requests with alternatives, the alternatives. */
  private static List<Requirement.Request> requests(AdvisorRun problem) {
    List<Requirement.Request> requests = new ArrayList<>();
    for (ResourceClaim claim : problem.claims()) {
      ClaimKey key = ClaimKey.of(claim);
      for (DeviceRequest request : claim.spec().requests()) {
        if (request.exactly() != null) {
          requests.add(new Requirement.Request(key, request.name()));
        }
        for (DeviceSubRequest sub : request.firstAvailable()) {
          requests.add(new Requirement.Request(key, request.name() + "/" + sub.name()));
        }
      }
    }
    return requests;
  }
}
