package io.dra4j.node;

import io.dra4j.model.ClaimKey;
import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.Sandbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Knows which prepared claims the pod of a sandbox uses: those that the pod names, and those that
 * were reserved for the pod when they were prepared. The second is enough but for a claim of
 * several pods, and needs no API server. Thread-safe.
 */
final class SandboxClaims {

  /** Knows the pods of this node. */
  @FunctionalInterface
  interface Pods {

    /** The claims that a pod names; empty if it is not known (yet). */
    Set<ClaimKey> claimsOf(String podUid);
  }

  private final ClaimService service;
  private final Pods pods;

  SandboxClaims(ClaimService service, Pods pods) {
    this.service = service;
    this.pods = pods;
  }

  /** The prepared claims of the pod of a sandbox, one for each driver that has prepared it. */
  List<StoredClaim> of(Sandbox sandbox) {
    List<StoredClaim> found = new ArrayList<>();
    Set<ClaimKey> named = pods.claimsOf(sandbox.podUid());
    for (StoredClaim claim : service.claims()) {
      if (!service.isPrepared(claim)) {
        continue;
      }
      ClaimReference reference = claim.claim().claim();
      if (isReserved(claim, sandbox.podUid())
          || named.contains(new ClaimKey(reference.namespace(), reference.name()))) {
        found.add(claim);
      }
    }
    return found;
  }

  /** Whether a claim was reserved for a pod when it was prepared, or since. */
  static boolean isReserved(StoredClaim claim, String podUid) {
    return !podUid.isEmpty()
        && claim.claim().claimed().reservedFor().stream().anyMatch(one -> one.uid().equals(podUid));
  }
}
