package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds equivalent parts of claims: corresponding parts of equal claims from which the same parts
 * are left out. If the claims fit without one of them, they fit without another.
 */
public final class EquivalentRequirements {

  private final Map<ClaimKey, ClaimKey> firstOfSpec = new HashMap<>();
  private final Map<ClaimKey, Set<Requirement>> leftOut =
      new HashMap<>(); // the key of the first equal claim

  public EquivalentRequirements(List<ResourceClaim> claims) {
    if (claims.stream().anyMatch(EquivalentRequirements::dependsOnOrder)) {
      return; // the order of claims matters: no two are equivalent
    }
    Map<ResourceClaimSpec, ClaimKey> bySpec = new HashMap<>();
    for (ResourceClaim claim : claims) {
      ClaimKey key = ClaimKey.of(claim);
      firstOfSpec.put(key, bySpec.computeIfAbsent(claim.spec(), any -> key));
    }
  }

  /** Admin access counts for later claims only, and "all devices" may be an error. */
  private static boolean dependsOnOrder(ResourceClaim claim) {
    for (DeviceRequest request : claim.spec().requests()) {
      ExactDeviceRequest exactly = request.exactly();
      if ((exactly != null && dependsOnOrder(exactly))
          || request.firstAvailable().stream().anyMatch(sub -> dependsOnOrder(sub.request()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean dependsOnOrder(ExactDeviceRequest request) {
    return Boolean.TRUE.equals(request.adminAccess())
        || request.allocationMode().equals(AllocationMode.ALL);
  }

  /** Records that a part is left out from now on. */
  public void leaveOut(Requirement part) {
    Requirement there = ofFirst(part);
    if (there != null) {
      leftOut.computeIfAbsent(part.claim(), any -> new HashSet<>()).add(there);
    }
  }

  /** {@return the role of a part, equal for interchangeable parts; null if it has no equivalent} */
  @Nullable
  public Role role(Requirement part) {
    Requirement there = ofFirst(part);
    return there == null
        ? null
        : new Role(there, Set.copyOf(leftOut.getOrDefault(part.claim(), Set.of())));
  }

  /** The corresponding part of the first equal claim. */
  private @Nullable Requirement ofFirst(Requirement part) {
    ClaimKey first = firstOfSpec.get(part.claim());
    if (first == null) {
      return null;
    }
    if (part instanceof Requirement.Selector it) {
      return new Requirement.Selector(first, it.request(), it.index(), it.expression());
    } else if (part instanceof Requirement.Constraint it) {
      return new Requirement.Constraint(first, it.index(), it.constraint());
    }
    return part instanceof Requirement.Request it
        ? new Requirement.Request(first, it.request())
        : null;
  }

  /**
   * The role of a part among the remaining parts of its claim.
   *
   * @param part the corresponding part of the first equal claim
   * @param leftOut the parts that are left out, as parts of the first equal claim
   */
  public record Role(Requirement part, Set<Requirement> leftOut) {}
}
