package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.internal.rule.TaintRule;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Proposes that requests tolerate the taints of devices: one taint at a time, then all of them. */
public final class TolerationAdvisor implements BuiltInAdvisor {

  @Override
  public List<Suggestion> suggest(AdvisorRun problem) {
    List<Suggestion> suggestions = new ArrayList<>();
    try {
      addTo(suggestions, problem);
    } catch (BudgetExceededException e) {
      problem.markIncomplete(e.reason());
    }
    return suggestions;
  }

  private static void addTo(List<Suggestion> suggestions, AdvisorRun problem)
      throws BudgetExceededException {
    Budget budget = problem.budget();
    Map<Requirement.Request, Optional<ExactDeviceRequest>> requested = new HashMap<>();
    Map<DeviceId, List<DeviceTaint>> taints = new HashMap<>();
    for (InventoryDevice device : problem.devices()) {
      budget.spend(1);
      if (!device.device().taints().isEmpty()) {
        taints.put(device.id(), device.device().taints());
      }
    }
    // The requests that each taint excludes.
    Map<DeviceTaint, Set<Requirement.Request>> kept = new LinkedHashMap<>();
    for (Reason refusal : problem.reasons()) {
      for (ExcludedDevice refused : refusal.refused()) {
        budget.spend(1);
        if (refused.rule() == ExclusionCause.TAINTS) {
          Optional<ExactDeviceRequest> request = requested.get(refused.request());
          if (request == null) {
            budget.check(); // reads all requests
            request =
                Optional.ofNullable(ClaimRelaxation.requested(problem.claims(), refused.request()));
            requested.put(refused.request(), request);
          }
          for (DeviceTaint taint : taints.getOrDefault(refused.device(), List.of())) {
            if (TaintRule.keepsAway(taint) && !isTolerated(taint, request, budget)) {
              kept.computeIfAbsent(
                      taint.toBuilder().timeAdded(null).build(), any -> new LinkedHashSet<>())
                  .add(refused.request());
            }
          }
        }
      }
    }
    for (DeviceTaint taint : kept.keySet()) {
      suggestions.add(tolerating(List.of(taint), kept, problem));
    }
    if (kept.size() > 1) {
      suggestions.add(tolerating(List.copyOf(kept.keySet()), kept, problem));
    }
  }

  private static boolean isTolerated(
      DeviceTaint taint, Optional<ExactDeviceRequest> request, Budget budget)
      throws BudgetExceededException {
    if (request.isPresent()) {
      for (DeviceToleration toleration : request.get().tolerations()) {
        budget.spend(1);
        if (toleration.tolerates(taint)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Suggestion tolerating(
      List<DeviceTaint> taints, Map<DeviceTaint, Set<Requirement.Request>> kept, AdvisorRun problem)
      throws BudgetExceededException {
    Map<Requirement.Request, List<DeviceTaint>> byRequest = new LinkedHashMap<>();
    Set<String> requests = new LinkedHashSet<>();
    List<String> names = new ArrayList<>();
    for (DeviceTaint taint : taints) {
      names.add(textOf(taint));
      for (Requirement.Request request : kept.getOrDefault(taint, Set.of())) {
        problem.budget().spend(1);
        requests.add(request.request());
        byRequest.computeIfAbsent(request, any -> new ArrayList<>()).add(taint);
      }
    }
    List<ResourceClaim> claims = problem.claims();
    for (Map.Entry<Requirement.Request, List<DeviceTaint>> one : byRequest.entrySet()) {
      problem.budget().check(); // copies the claims
      claims =
          ClaimRelaxation.changeRequest(
              claims, one.getKey(), exactly -> tolerating(exactly, one.getValue()));
    }
    return new Suggestion(
        "tolerate %s in request%s %s"
            .formatted(
                TextFormat.list(names, 4),
                requests.size() == 1 ? "" : "s",
                TextFormat.list(requests, 4)),
        problem.inventory(),
        claims);
  }

  /** A taint as kubectl writes it. */
  static String textOf(DeviceTaint taint) {
    return taint.key()
        + (taint.value().isEmpty() ? "" : "=" + taint.value())
        + ":"
        + taint.effect().value();
  }

  static ExactDeviceRequest tolerating(ExactDeviceRequest request, List<DeviceTaint> taints) {
    ExactDeviceRequest.Builder builder = request.toBuilder();
    for (DeviceTaint taint : taints) {
      builder.toleration(
          DeviceToleration.equal(taint.key(), taint.value()).toBuilder()
              .effect(taint.effect())
              .build());
    }
    return builder.build();
  }
}
