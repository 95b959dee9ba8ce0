package io.dra4j.allocation;

import io.dra4j.model.ResourceClaim;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A claim made ready for the search.
 *
 * @param claim the claim
 * @param requests its requests, in order
 * @param placer places devices for it
 * @param constraints its matchAttribute constraints, in order
 * @param distinct its distinctAttribute constraints, in order
 */
record ClaimPlan(
    ResourceClaim claim,
    List<RequestPlan> requests,
    Placer placer,
    List<MatchAttributeRule> constraints,
    List<DistinctAttributeRule> distinct) {

  /** The constraints of both kinds, in the order in which the claim lists them. */
  List<Constraint> allConstraints() {
    return Stream.concat(
            constraints.stream().map(MatchAttributeRule::constraint),
            distinct.stream().map(DistinctAttributeRule::constraint))
        .sorted(Comparator.comparingInt(constraint -> constraint.index))
        .toList();
  }

  /**
   * A request made ready for the search.
   *
   * @param alternatives what it wants: one target, or the alternatives, best first
   * @param prioritized whether the targets are alternatives
   */
  record RequestPlan(List<Target> alternatives, boolean prioritized) {}
}
