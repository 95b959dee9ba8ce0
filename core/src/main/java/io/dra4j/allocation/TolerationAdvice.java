package io.dra4j.allocation;

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
import java.util.Set;

/** Proposes that requests tolerate the taints of devices: one taint at a time, then all of them. */
final class TolerationAdvice implements Advisor {

  @Override
  public List<Suggestion> propose(Problem problem) {
    Map<DeviceId, List<DeviceTaint>> taints = new HashMap<>();
    for (InventoryDevice device : problem.devices()) {
      if (!device.device().taints().isEmpty()) {
        taints.put(device.id(), device.device().taints());
      }
    }
    // By taint, the requests that it keeps away.
    Map<DeviceTaint, Set<Requirement.Request>> kept = new LinkedHashMap<>();
    for (Refusal refusal : problem.refusals()) {
      for (RefusedDevice refused : refusal.refused()) {
        if (refused.rule() == RefusingRule.TAINTS) {
          for (DeviceTaint taint : taints.getOrDefault(refused.device(), List.of())) {
            if (TaintRule.keepsAway(taint) && !isTolerated(taint, refused.request(), problem)) {
              kept.computeIfAbsent(
                      taint.toBuilder().timeAdded(null).build(), any -> new LinkedHashSet<>())
                  .add(refused.request());
            }
          }
        }
      }
    }
    List<Suggestion> suggestions = new ArrayList<>();
    kept.keySet().forEach(taint -> suggestions.add(tolerating(List.of(taint), kept, problem)));
    if (kept.size() > 1) {
      suggestions.add(tolerating(List.copyOf(kept.keySet()), kept, problem));
    }
    return suggestions;
  }

  private static boolean isTolerated(
      DeviceTaint taint, Requirement.Request request, Problem problem) {
    ExactDeviceRequest requested = ClaimEdit.requested(problem.claims(), request);
    return requested != null
        && requested.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
  }

  private static Suggestion tolerating(
      List<DeviceTaint> taints, Map<DeviceTaint, Set<Requirement.Request>> kept, Problem problem) {
    List<ResourceClaim> claims = problem.claims();
    Set<String> requests = new LinkedHashSet<>();
    List<String> names = new ArrayList<>();
    for (DeviceTaint taint : taints) {
      names.add(textOf(taint));
      for (Requirement.Request request : kept.getOrDefault(taint, Set.of())) {
        requests.add(request.request());
        claims = ClaimEdit.changeRequest(claims, request, exactly -> tolerating(exactly, taint));
      }
    }
    return new Suggestion(
        "tolerate %s in request%s %s"
            .formatted(
                Wording.list(names, 4), requests.size() == 1 ? "" : "s", Wording.list(requests, 4)),
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

  static ExactDeviceRequest tolerating(ExactDeviceRequest request, DeviceTaint taint) {
    return request.toBuilder()
        .toleration(
            DeviceToleration.equal(taint.key(), taint.value()).toBuilder()
                .effect(taint.effect())
                .build())
        .build();
  }
}
