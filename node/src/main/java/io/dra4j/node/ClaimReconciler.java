package io.dra4j.node;

import io.dra4j.kubernetes.ClaimReader;
import io.dra4j.kubernetes.ClusterException;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.ClaimReference;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unprepares claims that no longer exist in the API server. Normally the kubelet does that, unless
 * it has lost its own state. A claim must be missing in two consecutive checks.
 */
final class ClaimReconciler {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimReconciler.class);

  /** Checks for claims in the API server. */
  @FunctionalInterface
  interface Existence {

    /** Returns whether the API server has the claim with this UID. */
    boolean exists(ClaimReference claim) throws ClusterException, InterruptedException;
  }

  private final ClaimService service;
  private final Existence existence;
  private final AttachGate gate;
  private Set<ClaimReference> missing = new HashSet<>();

  ClaimReconciler(ClaimService service, Existence existence, AttachGate gate) {
    this.service = service;
    this.existence = existence;
    this.gate = gate;
  }

  static Existence by(ClaimReader reader) {
    return claim -> reader.read(claim).isPresent();
  }

  /** Checks all claims once. One thread calls it repeatedly. */
  void look() throws InterruptedException {
    Set<ClaimReference> now = new HashSet<>();
    for (StoredClaim claim : service.claims()) {
      ClaimReference reference = claim.claim().claim();
      try {
        if (existence.exists(reference)) {
          continue;
        }
        if (!missing.contains(reference)) {
          now.add(reference);
          continue;
        }
        LOG.atWarn().log("claim {} no longer exists in the API server: unpreparing it", reference);
        gate.close(reference.uid(), claim.driver());
        service.unprepare(reference.uid());
        gate.forgetClaim(reference.uid(), claim.driver());
      } catch (ClusterException e) {
        LOG.atInfo().log(
            "cannot compare the prepared claims with the API server: {}", e.getMessage());
        return;
      } catch (ClaimException | IOException | RuntimeException e) {
        LOG.atWarn().log("{}", e.getMessage());
        now.add(reference);
      }
    }
    missing = now;
  }
}
