package io.dra4j.node;

import io.dra4j.kubernetes.ClaimReader;
import io.dra4j.kubernetes.ClusterException;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.StoredClaim;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads from the API server for which pods a claim is reserved now. */
final class ClaimReservations implements AttachGate.Reservations {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimReservations.class);

  private final ClaimService service;
  private final ClaimReader reader;

  ClaimReservations(ClaimService service, ClaimReader reader) {
    this.service = service;
    this.reader = reader;
  }

  @Override
  public void renew(StoredClaim claim) throws ClaimException {
    try {
      Optional<ResourceClaim> now = reader.read(claim.claim().claim());
      if (now.isPresent()) {
        service.reserve(claim.uid(), now.get().status().reservedFor());
      }
    } catch (ClusterException e) {
      LOG.atWarn()
          .log(
              "claim {}: cannot read its reservations from the API server: {}",
              claim.uid(),
              e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
