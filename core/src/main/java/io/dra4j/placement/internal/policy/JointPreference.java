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
 * @param policy how to choose
 * @param required how far apart pairs must be at most; null if no claim requires it
 * @param requiring the claim that requires it
 * @param preferred how far apart pairs should be at most; null if no claim prefers what is nearer
 *     than what is required
 */
record JointPreference(
    PolicyName policy,
    @Nullable PathType required,
    @Nullable ResourceClaim requiring,
    @Nullable PathType preferred) {

  /**
   * Reads what claims want that are placed together.
   *
   * @param otherwise how to choose if no claim says so
   * @param memory what was read before
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

  /** How far apart pairs should be at most; null if no claim says so. */
  @Nullable PathType nearest() {
    return preferred == null ? required : preferred;
  }

  boolean isFirstFit() {
    return policy == PolicyName.FIRST_FIT;
  }

  Objective objective() {
    return policy.objective();
  }

  /** Says how many pairs how near a claim requires. */
  String words(PolicyContext question, int pairs) {
    return "claim %s requires %d %s of a GPU and a NIC within %s"
        .formatted(
            (requiring == null ? question.requests().get(0).claim() : requiring).displayName(),
            pairs,
            pairs == 1 ? "pair" : "pairs",
            required);
  }
}
