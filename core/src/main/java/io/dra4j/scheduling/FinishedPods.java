package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The pods that have ended, and the state of their claims after the controller of claims ({@code
 * pkg/controller/resourceclaim} of Kubernetes) has handled them.
 */
final class FinishedPods {

  private final Set<String> uids = new HashSet<>();
  private final Set<String> names = new HashSet<>();
  private final Set<ClaimKey> claims = new HashSet<>();
  private final Set<ClaimKey> made = new HashSet<>();

  static FinishedPods of(Iterable<? extends KubernetesObject> objects) {
    FinishedPods finished = new FinishedPods();
    for (KubernetesObject object : objects) {
      if (object instanceof Pod pod && pod.phase().isTerminal()) {
        finished.add(pod);
      }
    }
    return finished;
  }

  private void add(Pod pod) {
    String name = pod.metadata().name();
    String uid = pod.metadata().uid();
    if (uid == null || uid.isEmpty()) {
      names.add(pod.metadata().namespaceOrDefault() + "/" + name);
    } else {
      uids.add(uid);
    }
    for (PodResourceClaim entry : pod.spec().resourceClaims()) {
      String claimName = entry.resourceClaimName();
      if (claimName != null) {
        claims.add(ClaimKey.of(pod.metadata(), claimName));
      } else {
        String known = pod.resourceClaimNames().get(entry.name());
        ClaimKey key =
            ClaimKey.of(pod.metadata(), known == null ? name + "-" + entry.name() : known);
        claims.add(key);
        made.add(key);
      }
    }
  }

  /** The claims that the pods used. No pod waits for them unless another pod uses them. */
  Set<ClaimKey> claims() {
    return claims;
  }

  /**
   * The claim without the reservations of these pods, and without its allocation if no reservation
   * is left.
   */
  ResourceClaim withoutThem(ResourceClaim claim) {
    List<ResourceClaimConsumerReference> reserved = claim.status().reservedFor();
    List<ResourceClaimConsumerReference> left =
        reserved.stream().filter(consumer -> !isFinished(claim, consumer)).toList();
    boolean isFreed = left.isEmpty() && (!reserved.isEmpty() || made.contains(ClaimKey.of(claim)));
    if (isFreed) {
      return new ResourceClaim(claim.metadata(), claim.spec(), ResourceClaimStatus.EMPTY);
    }
    return left.size() == reserved.size()
        ? claim
        : new ResourceClaim(
            claim.metadata(),
            claim.spec(),
            new ResourceClaimStatus(claim.allocation(), left, claim.status().devices()));
  }

  private boolean isFinished(ResourceClaim claim, ResourceClaimConsumerReference consumer) {
    return consumer.apiGroup().isEmpty()
        && consumer.resource().equals("pods")
        && (uids.contains(consumer.uid())
            || names.contains(claim.metadata().namespaceOrDefault() + "/" + consumer.name()));
  }
}
