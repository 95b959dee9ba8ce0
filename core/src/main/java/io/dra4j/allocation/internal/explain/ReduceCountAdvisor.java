package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Reason.TooFewDevices;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.internal.text.TextFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Proposes to request only as many devices as there are. */
public final class ReduceCountAdvisor implements BuiltInAdvisor {

  @Override
  public List<Suggestion> suggest(AdvisorRun problem) {
    List<Suggestion> suggestions = new ArrayList<>();
    for (Reason refusal : problem.reasons()) {
      if (problem.isOver()) {
        break;
      }
      if (!(refusal instanceof TooFewDevices few) || few.available() == 0 || few.all()) {
        continue;
      }
      if (few.requirements().size() > 1) {
        Suggestion fewer = withFewerRequests(few, problem);
        // GPUs and NICs in pairs are both short: the same change in two orders.
        if (suggestions.stream().noneMatch(known -> known.claims().equals(fewer.claims()))) {
          suggestions.add(fewer);
        }
      } else if (few.requirements().get(0) instanceof Requirement.Request request) {
        suggestions.add(
            new Suggestion(
                "ask for %d instead of %s in %s"
                    .formatted(few.available(), TextFormat.devices(few.wanted()), request.text()),
                problem.inventory(),
                ClaimRelaxation.changeRequest(
                    problem.claims(),
                    request,
                    exactly -> exactly.toBuilder().count(few.available()).build())));
      }
    }
    return suggestions;
  }

  /** Leaves out the last requests, and the requests that constraints tie to them. */
  private static Suggestion withFewerRequests(TooFewDevices few, AdvisorRun problem) {
    Set<Requirement> leftOut = new HashSet<>();
    List<String> names = new ArrayList<>();
    List<Requirement> requests = few.requirements();
    for (int i = few.available(); i < requests.size() && !problem.isOver(); i++) {
      for (Requirement.Request request :
          ClaimRelaxation.tiedTo(requests.get(i), problem.claims())) {
        if (leftOut.add(request)) {
          names.add(request.request() + problem.ofClaim(request.claim()));
        }
      }
    }
    return new Suggestion(
        "leave out request%s %s".formatted(names.size() == 1 ? "" : "s", TextFormat.list(names, 4)),
        problem.inventory(),
        ClaimRelaxation.without(problem.claims(), leftOut));
  }
}
