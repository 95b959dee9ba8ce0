package io.dra4j.scheduling;

import io.dra4j.common.PrintableText;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The pods that have ended or no longer exist, and the state of their claims after the controller
 * of claims has handled them.
 *
 * <p>A pod or PodGroup for which a claim is reserved no longer exists in two cases. Another object
 * has its name and a different UID, or the objects have pods or groups of its namespace with UIDs,
 * as a dump has, and not this one. Objects without UIDs are written by hand, and may be incomplete.
 *
 * <p>Source: {@code syncClaim} in {@code pkg/controller/resourceclaim/controller.go} of Kubernetes
 * 1.37.2. It only clears allocations of claims with the finalizer of Kubernetes, which
 * kube-scheduler adds to each claim that it allocates. The garbage collector deletes the claims
 * that were created for a pod.
 */
final class FinishedPods {

  private static final String PODS = "pods";
  private static final String POD_GROUPS = "podgroups";
  private static final String POD_GROUPS_API = "scheduling.k8s.io";

  private final Set<String> uids = new HashSet<>();
  private final Set<String> names = new HashSet<>();
  private final Set<ClaimKey> claims = new HashSet<>();
  private final Set<ClaimKey> made = new HashSet<>();
  private final Map<String, String> present = new HashMap<>(); // UIDs by "pods default/name"
  private final Set<String> listed = new HashSet<>(); // "pods default": has objects with UIDs

  /** Reads the objects of a cluster; {@code others} are existing pods that are not among them. */
  static FinishedPods of(
      Iterable<? extends KubernetesObject> objects, Iterable<? extends Pod> others) {
    FinishedPods finished = new FinishedPods();
    for (KubernetesObject object : objects) {
      if (object instanceof Pod pod) {
        if (pod.phase().isTerminal()) {
          finished.add(pod);
        }
        finished.addPresent(PODS, pod);
      } else if (object instanceof PodGroup) {
        finished.addPresent(POD_GROUPS, object);
      }
    }
    others.forEach(pod -> finished.addPresent(PODS, pod));
    return finished;
  }

  private void addPresent(String resource, KubernetesObject object) {
    String namespace = resource + " " + object.metadata().namespaceOrDefault();
    String uid = Objects.requireNonNullElse(object.metadata().uid(), "");
    present.put(namespace + "/" + object.metadata().name(), uid);
    if (!uid.isEmpty()) {
      listed.add(namespace);
    }
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

  /** The claim without reservations of these pods, and unallocated if no reservation is left. */
  ResourceClaim withoutThem(ResourceClaim claim) {
    List<ResourceClaimConsumerReference> reserved = claim.status().reservedFor();
    List<ResourceClaimConsumerReference> left =
        reserved.stream()
            .filter(consumer -> !isFinished(claim, consumer) && !isGone(claim, consumer))
            .toList();
    boolean isMade = made.contains(ClaimKey.of(claim)) || goneOwner(claim).isPresent();
    boolean isFreed = left.isEmpty() && (!reserved.isEmpty() || isMade);
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

  /** Names the gone pods and groups that a claim was reserved or created for; empty if none. */
  String goneOf(ResourceClaim claim) {
    Set<String> gone = new LinkedHashSet<>();
    for (ResourceClaimConsumerReference consumer : claim.status().reservedFor()) {
      if (isGone(claim, consumer)) {
        gone.add(text(consumer.resource(), claim, consumer.name(), consumer.uid()));
      }
    }
    goneOwner(claim)
        .ifPresent(
            owner -> gone.add(text(resourceOf(owner.kind()), claim, owner.name(), owner.uid())));
    return gone.isEmpty()
        ? ""
        : "the input has Pods or PodGroups of its namespace, but not "
            + PrintableText.some(gone, 8);
  }

  private static String text(String resource, ResourceClaim claim, String name, String uid) {
    return "%s %s/%s of UID %s"
        .formatted(
            resource.equals(PODS) ? "pod" : "PodGroup",
            claim.metadata().namespaceOrDefault(),
            name,
            uid);
  }

  private boolean isFinished(ResourceClaim claim, ResourceClaimConsumerReference consumer) {
    return consumer.apiGroup().isEmpty()
        && consumer.resource().equals(PODS)
        && (uids.contains(consumer.uid())
            || names.contains(claim.metadata().namespaceOrDefault() + "/" + consumer.name()));
  }

  private boolean isGone(ResourceClaim claim, ResourceClaimConsumerReference consumer) {
    String group = consumer.resource().equals(PODS) ? "" : POD_GROUPS_API;
    return consumer.apiGroup().equals(group)
        && isGone(consumer.resource(), claim, consumer.name(), consumer.uid());
  }

  private boolean isGone(String resource, ResourceClaim claim, String name, String uid) {
    String namespace = resource + " " + claim.metadata().namespaceOrDefault();
    String known = present.get(namespace + "/" + name);
    return !uid.isEmpty()
        && (known == null ? listed.contains(namespace) : !known.isEmpty() && !known.equals(uid));
  }

  /** The pod or group for which the claim was created, if it no longer exists. */
  private Optional<OwnerReference> goneOwner(ResourceClaim claim) {
    return claim.metadata().ownerReferences().stream()
        .filter(OwnerReference::controller)
        .filter(owner -> isGone(resourceOf(owner.kind()), claim, owner.name(), owner.uid()))
        .findFirst();
  }

  private static String resourceOf(String kind) {
    return switch (kind) {
      case "Pod" -> PODS;
      case "PodGroup" -> POD_GROUPS;
      default -> "";
    };
  }
}
