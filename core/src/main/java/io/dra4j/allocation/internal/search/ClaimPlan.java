package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.rule.Constraint;
import io.dra4j.allocation.internal.rule.DistinctAttributeRule;
import io.dra4j.allocation.internal.rule.MatchAttributeRule;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;

/**
 * A claim made ready for the search.
 *
 * @param claim the claim
 * @param requests its requests, in order
 * @param placer places devices for it
 * @param constraints its matchAttribute constraints, in order
 * @param distinct its distinctAttribute constraints, in order
 */
public record ClaimPlan(
    ResourceClaim claim,
    List<RequestPlan> requests,
    Placer placer,
    List<MatchAttributeRule> constraints,
    List<DistinctAttributeRule> distinct) {

  /** The constraints of both kinds, in the order in which the claim lists them. */
  public List<Constraint> allConstraints() {
    List<Constraint> all = new ArrayList<>(constraints.size() + distinct.size());
    int next = 0;
    for (MatchAttributeRule match : constraints) {
      while (next < distinct.size()
          && distinct.get(next).constraint().index < match.constraint().index) {
        all.add(distinct.get(next++).constraint());
      }
      all.add(match.constraint());
    }
    for (; next < distinct.size(); next++) {
      all.add(distinct.get(next).constraint());
    }
    return all;
  }

  /**
   * A request made ready for the search.
   *
   * @param alternatives what it wants: one target, or the alternatives, best first
   * @param prioritized whether the targets are alternatives
   * @param hasChoice whether there is more than one, as {@link
   *     io.dra4j.model.DeviceRequest#hasChoice} says
   */
  public record RequestPlan(
      List<PlannedRequest> alternatives, boolean prioritized, boolean hasChoice) {}
}
