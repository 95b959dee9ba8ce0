package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Proposes one constraint per pair. The author of "two GPUs and two NICs with one PCIe root"
 * usually means "each GPU with a NIC on its root", which needs a request and a constraint for each
 * pair.
 */
public final class PairAdvisor implements BuiltInAdvisor {

  /** The API's {@code DeviceRequestsMaxSize}. */
  private static final int MAX_REQUESTS = 32;

  @Override
  public List<Suggestion> suggest(AdvisorRun problem) {
    List<Suggestion> suggestions = new ArrayList<>();
    for (Reason refusal : problem.reasons()) {
      for (Requirement part : refusal.requirements()) {
        if (problem.isOver()) {
          return suggestions;
        }
        if (part instanceof Requirement.Constraint constraint
            && constraint.constraint().demands(DeviceConstraint.Demand.COMMON_VALUE)) {
          add(constraint, problem, suggestions);
        }
      }
    }
    return suggestions;
  }

  private static void add(
      Requirement.Constraint constraint, AdvisorRun problem, List<Suggestion> suggestions) {
    for (ResourceClaim claim : problem.claims()) {
      if (!ClaimKey.of(claim).equals(constraint.claim())) {
        continue;
      }
      List<DeviceRequest> about = about(claim, constraint.constraint());
      long sets = sets(about);
      int rest = claim.spec().requests().size() - about.size();
      if (sets < 2 || sets * about.size() + rest > MAX_REQUESTS) {
        return;
      }
      ResourceClaim split = split(claim, constraint, about, (int) sets);
      String names =
          TextFormat.list(about.stream().map(DeviceRequest::name).toList(), MAX_REQUESTS);
      suggestions.add(
          new Suggestion(
              "if each of %s needs to share only with one of the others, write %d sets of requests, each set with its own %s, instead of one constraint over all %d devices"
                  .formatted(
                      names,
                      sets,
                      TextFormat.comparison(constraint.constraint()),
                      sets * about.size()),
              problem.inventory(),
              ClaimRelaxation.change(problem.claims(), constraint.claim(), any -> split)));
    }
  }

  private static List<DeviceRequest> about(ResourceClaim claim, DeviceConstraint constraint) {
    return claim.spec().requests().stream()
        .filter(
            request ->
                constraint.requests().isEmpty() || constraint.requests().contains(request.name()))
        .toList();
  }

  /** The number of devices of each request, or 0 if it differs or is not known. */
  private static long sets(List<DeviceRequest> requests) {
    long sets =
        requests.size() < 2 || requests.get(0).exactly() == null
            ? 0
            : requests.get(0).exactly().count();
    for (DeviceRequest request : requests) {
      ExactDeviceRequest exactly = request.exactly();
      if (exactly == null
          || !exactly.allocationMode().equals(AllocationMode.EXACT_COUNT)
          || exactly.count() != sets) {
        return 0;
      }
    }
    return sets;
  }

  private static ResourceClaim split(
      ResourceClaim claim, Requirement.Constraint shared, List<DeviceRequest> about, int sets) {
    Map<String, List<String>> names = new LinkedHashMap<>(); // the new names of each request
    List<DeviceRequest> requests = new ArrayList<>();
    for (DeviceRequest request : claim.spec().requests()) {
      ExactDeviceRequest exactly = request.exactly();
      if (exactly == null || !about.contains(request)) {
        requests.add(request);
        names.put(request.name(), List.of(request.name()));
        continue;
      }
      List<String> single = new ArrayList<>();
      for (int i = 0; i < sets; i++) {
        String name = request.name() + "-" + i;
        single.add(name);
        requests.add(DeviceRequest.exactly(name, exactly.toBuilder().count(1).build()));
      }
      names.put(request.name(), single);
    }
    List<DeviceConstraint> constraints = new ArrayList<>();
    for (int i = 0; i < claim.spec().constraints().size(); i++) {
      DeviceConstraint constraint = claim.spec().constraints().get(i);
      if (i != shared.index()) {
        List<String> meant = new ArrayList<>();
        constraint
            .requests()
            .forEach(name -> meant.addAll(names.getOrDefault(name, List.of(name))));
        constraints.add(new DeviceConstraint(meant, constraint.attributes()));
        continue;
      }
      for (int set = 0; set < sets; set++) {
        List<String> members = new ArrayList<>();
        for (DeviceRequest request : about) {
          members.add(request.name() + "-" + set);
        }
        constraints.add(new DeviceConstraint(members, constraint.attributes()));
      }
    }
    return ClaimRelaxation.withSpec(claim, requests, constraints);
  }
}
