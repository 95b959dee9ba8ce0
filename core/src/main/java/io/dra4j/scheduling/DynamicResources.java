package io.dra4j.scheduling;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a pod on nodes because of the state of its claims: a claim is reserved for too many
 * others, a quota prevents the creation of a claim, the pod names its node and a claim has no
 * allocation, or the binding of an allocated device failed ({@code isClaimReadyForBinding} of
 * kube-scheduler's plugin {@code dynamicresources}).
 *
 * @param reason the reason
 * @param where the nodes that refuse the pod: all nodes, except that a node whose device plugins
 *     provide all extended resources of the pod needs no special claim
 */
record DynamicResources(NodeMismatch reason, Predicate<Node> where) implements PodFilter {

  /** Creates the refusal of all nodes. */
  DynamicResources(NodeMismatch reason) {
    this(reason, node -> true);
  }

  /** The filter for a pod; {@code null} if none of its claims is in such a state. */
  static @Nullable DynamicResources of(
      PendingPod pod, PodQueue queue, Map<ClaimKey, ResourceClaim> claims) {
    ClaimKey full = queue.fullClaim(pod);
    if (full != null) {
      return new DynamicResources(new NodeMismatch.TooManyConsumers(full));
    }
    boolean isBound = !pod.spec().nodeName().isEmpty();
    DynamicResources ofSpecial = null;
    for (ClaimKey key : pod.claims()) {
      ResourceClaim claim = Objects.requireNonNull(claims.get(key), () -> "no claim " + key);
      NodeMismatch ofQuota = queue.quotaRefusal(key);
      if (ofQuota != null && PodClaims.isSpecial(claim)) {
        ofSpecial =
            new DynamicResources(
                ofQuota, node -> !queue.extended().ofDevices(pod.spec(), node).isEmpty());
        continue;
      } else if (ofQuota != null) {
        return new DynamicResources(ofQuota);
      }
      if (claim.allocation() == null && queue.isLeftUnallocated(pod, key)) {
        return new DynamicResources(new NodeMismatch.NotAllocated(key));
      }
      DeviceRequestAllocationResult failed = isBound ? null : failed(claim);
      if (failed != null) {
        return new DynamicResources(
            new NodeMismatch.BindingFailed(
                key, failed.deviceId(), failure(claim, failed).orElse("")));
      }
    }
    return ofSpecial;
  }

  /**
   * The first device of a claim whose binding conditions are not all true, if no device has failed.
   */
  static @Nullable DeviceRequestAllocationResult awaited(ResourceClaim claim) {
    if (failed(claim) != null) {
      return null;
    }
    for (DeviceRequestAllocationResult result : results(claim)) {
      if (!result.bindingConditions().stream()
          .allMatch(condition -> isTrue(claim, result, condition))) {
        return result;
      }
    }
    return null;
  }

  private static @Nullable DeviceRequestAllocationResult failed(ResourceClaim claim) {
    for (DeviceRequestAllocationResult result : results(claim)) {
      if (!result.bindingConditions().isEmpty() && failure(claim, result).isPresent()) {
        return result;
      }
    }
    return null;
  }

  private static Optional<String> failure(
      ResourceClaim claim, DeviceRequestAllocationResult result) {
    return result.bindingFailureConditions().stream()
        .filter(condition -> isTrue(claim, result, condition))
        .findFirst();
  }

  private static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
    AllocationResult allocation = claim.allocation();
    return allocation == null ? List.of() : allocation.results();
  }

  private static boolean isTrue(
      ResourceClaim claim, DeviceRequestAllocationResult result, String condition) {
    for (AllocatedDeviceStatus device : claim.status().devices()) {
      if (device.driver().equals(result.driver())
          && device.pool().equals(result.pool())
          && device.device().equals(result.device())
          && Objects.equals(device.shareId(), result.shareId())) {
        for (Condition one : device.conditions()) {
          if (one.type().equals(condition)) {
            return one.status().equals("True");
          }
        }
      }
    }
    return false;
  }

  @Override
  public @Nullable NodeMismatch mismatch(Node node) {
    return where.test(node) ? reason : null;
  }
}
