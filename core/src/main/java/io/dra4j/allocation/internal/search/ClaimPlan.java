package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.rule.ConstraintRule;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/**
 * A claim prepared for the search.
 *
 * @param claim the claim
 * @param requests its requests, in order
 * @param placer places devices for it
 * @param constraints its constraints, in order
 */
public record ClaimPlan(
    ResourceClaim claim,
    List<RequestPlan> requests,
    Placer placer,
    List<ConstraintRule> constraints) {

  /**
   * A request prepared for the search.
   *
   * @param alternatives its targets: one target, or the alternatives, best first
   * @param prioritized whether the targets are alternatives
   * @param hasChoice whether there is more than one alternative, as defined by {@link
   *     io.dra4j.model.DeviceRequest#hasChoice}
   */
  public record RequestPlan(
      List<PlannedRequest> alternatives, boolean prioritized, boolean hasChoice) {}
}
