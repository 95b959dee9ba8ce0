package io.dra4j.node;

import io.dra4j.model.ClaimKey;
import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.Sandbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the prepared claims that the pod of a sandbox uses: the claims that the pod names, and the
 * claims that were reserved for the pod, or for its PodGroup, when they were prepared. The
 * reservation does not require the API server, and is sufficient except for claims of several pods.
 * Thread-safe.
 */
final class SandboxClaims {

  /** The pods of this node. */
  @FunctionalInterface
  interface Pods {

    /** The claims that a pod names; empty if the pod is not known (yet). */
    Set<ClaimKey> claimsOf(String podUid);

    /** The PodGroup of a pod; empty if it has none, or the pod is not known. */
    default Optional<String> groupOf(String podUid) {
      return Optional.empty();
    }
  }

  private final ClaimService service;
  private final Pods pods;

  SandboxClaims(ClaimService service, Pods pods) {
    this.service = service;
    this.pods = pods;
  }

  /** The prepared claims of the pod of a sandbox, one entry for each driver and claim. */
  List<StoredClaim> of(Sandbox sandbox) {
    List<StoredClaim> found = new ArrayList<>();
    Set<ClaimKey> named = pods.claimsOf(sandbox.podUid());
    Optional<String> group = pods.groupOf(sandbox.podUid());
    for (StoredClaim claim : service.claims()) {
      if (!service.isPrepared(claim)) {
        continue;
      }
      ClaimReference reference = claim.claim().claim();
      if (isReserved(claim, sandbox.podUid())
          || (group.isPresent() && isReservedForGroup(claim, sandbox, group.get()))
          || named.contains(new ClaimKey(reference.namespace(), reference.name()))) {
        found.add(claim);
      }
    }
    return found;
  }

  /** Whether a claim is reserved for a PodGroup in the namespace of the pod (KEP-5729). */
  private static boolean isReservedForGroup(StoredClaim claim, Sandbox sandbox, String group) {
    return claim.claim().claim().namespace().equals(sandbox.podNamespace())
        && claim.claim().claimed().reservedFor().stream()
            .anyMatch(one -> one.resource().equals("podgroups") && one.name().equals(group));
  }

  /** Whether a claim was reserved for a pod when it was prepared, or later. */
  static boolean isReserved(StoredClaim claim, String podUid) {
    return !podUid.isEmpty()
        && claim.claim().claimed().reservedFor().stream().anyMatch(one -> one.uid().equals(podUid));
  }
}
