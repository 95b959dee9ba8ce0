package io.dra4j.placement.internal.policy;

import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.topology.PathType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@link PlacementPreference}s of claims that are placed together, as one.
 *
 * @param policy the policy
 * @param required the required maximum distance of pairs; null if no claim requires one
 * @param requiring the claim that requires this distance
 * @param preferred the preferred maximum distance of pairs; null if no claim prefers one below the
 *     required distance
 */
record JointPreference(
    PolicyName policy,
    @Nullable PathType required,
    @Nullable ResourceClaim requiring,
    @Nullable PathType preferred) {

  /**
   * Reads the preferences of claims that are placed together.
   *
   * @param otherwise the policy if no claim names one
   * @param memory the cache of preferences
   */
  static JointPreference of(
      List<ResourceClaim> claims, PolicyName otherwise, PlacementPreference.Memory memory)
      throws PlacementPreference.FaultyPreferenceException {
    PolicyName policy = null;
    PathType required = null;
    ResourceClaim requiring = null;
    PathType preferred = null;
    for (ResourceClaim claim : claims) {
      PlacementPreference preference = PlacementPreference.of(claim, memory);
      policy = policy == null ? preference.policy().orElse(null) : policy;
      PathType within = preference.within().orElse(null);
      if (within != null && preference.required()) {
        requiring = required == null || !required.isWithin(within) ? claim : requiring;
        required = required == null || within.isWithin(required) ? within : required;
      } else if (within != null) {
        preferred = preferred == null || within.isWithin(preferred) ? within : preferred;
      }
    }
    boolean more = preferred != null && (required == null || !required.isWithin(preferred));
    return new JointPreference(
        policy == null ? otherwise : policy, required, requiring, more ? preferred : null);
  }

  /** The preferred or required maximum distance of pairs; null if no claim states one. */
  @Nullable PathType nearest() {
    return preferred == null ? required : preferred;
  }

  boolean isFirstFit() {
    return policy == PolicyName.FIRST_FIT;
  }

  Objective objective() {
    return policy.objective();
  }

  /** Returns the number and the distance of the pairs that a claim requires, in words. */
  String words(PolicyContext question, int pairs) {
    return "claim %s requires %d %s of a GPU and a NIC within %s"
        .formatted(
            (requiring == null ? question.requests().get(0).claim() : requiring).displayName(),
            pairs,
            pairs == 1 ? "pair" : "pairs",
            required);
  }
}
