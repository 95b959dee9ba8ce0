package io.dra4j.node;

import io.dra4j.kubelet.DraClaim;
import io.dra4j.kubelet.DraDevice;
import io.dra4j.kubelet.DraHandler;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.Deadline;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.DriverException.Kind;
import io.dra4j.spi.PreparedDevice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Prepares claims of one driver for the kubelet. */
final class ClaimHandler implements DraHandler {

  /** The limit of a call, below the 43 s after which the plugin itself answers with an error. */
  private static final Duration LIMIT = Duration.ofSeconds(40);

  /** The annotation of a claim from a template: the name of the claim in its pod. */
  private static final String POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name";

  /** The longest wait for devices of a claim that the kubelet is about to unprepare. */
  private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);

  /** Reads a claim from the API server. */
  @FunctionalInterface
  interface Reader {

    /** Returns the claim; empty if there is no claim of this name, or it has another UID. */
    Optional<ResourceClaim> read(ClaimReference claim) throws Exception;
  }

  /** Reports claims that cannot be prepared. Its method does not block. */
  @FunctionalInterface
  interface Notices {

    /** Reports that a claim of the API server cannot be prepared, and the cause. */
    void prepareFailed(ClaimReference claim, Throwable failure);
  }

  private final ClaimService service;
  private final String driver;
  private final Reader reader;
  private final AttachGate gate;
  private final ClaimFiles files;
  private final DeviceReleases releases;
  private final Notices notices;

  @SuppressWarnings("ParameterNumber") // exactly its fields
  ClaimHandler(
      ClaimService service,
      String driver,
      Reader reader,
      AttachGate gate,
      ClaimFiles files,
      DeviceReleases releases,
      Notices notices) {
    this.service = service;
    this.driver = driver;
    this.reader = reader;
    this.gate = gate;
    this.files = files;
    this.releases = releases;
    this.notices = notices;
  }

  @Override
  public List<DraDevice> prepare(DraClaim claim) throws Exception {
    Deadline deadline = Deadline.after(LIMIT);
    Optional<StoredClaim> known = service.find(claim.uid(), driver);
    List<PreparedDevice> devices;
    if (known.isPresent() && service.isPrepared(known.get())) {
      devices = known.get().claim().prepared().devices();
    } else {
      ResourceClaim current = read(claim);
      try {
        devices = prepareWhenFree(current, deadline);
      } catch (ClaimException | RuntimeException e) {
        notices.prepareFailed(reference(claim), e);
        throw e;
      }
      Optional<StoredClaim> now = service.find(claim.uid(), driver);
      if (now.isPresent()) {
        files.describe(now.get(), current.metadata().annotations().get(POD_CLAIM_NAME));
      }
    }
    Optional<StoredClaim> prepared = service.find(claim.uid(), driver);
    if (prepared.isPresent()) {
      gate.prepared(prepared.get());
    }
    return files.devices(claim.uid(), devices);
  }

  /** Prepares a claim, and waits if its devices are about to be released by another claim. */
  private List<PreparedDevice> prepareWhenFree(ResourceClaim claim, Deadline deadline)
      throws ClaimException, InterruptedException {
    Deadline release = Deadline.after(RELEASE_LIMIT);
    while (true) {
      long seen = releases.count();
      try {
        return service.prepare(claim, driver, deadline);
      } catch (ClaimException e) {
        boolean isInUse = e.kind() == Kind.UNAVAILABLE && e.driver() == null;
        if (!isInUse || !releases.awaitAfter(seen, release)) {
          throw e;
        }
      }
    }
  }

  private static ClaimReference reference(DraClaim claim) {
    return new ClaimReference(claim.namespace(), claim.name(), claim.uid());
  }

  private ResourceClaim read(DraClaim claim) throws Exception {
    return reader
        .read(reference(claim))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "claim %s does not exist in the API server, or has another UID there"
                        .formatted(claim)));
  }

  @Override
  public void unprepare(DraClaim claim) throws Exception {
    gate.close(claim.uid(), driver);
    service.unprepare(claim.uid(), driver, Deadline.after(LIMIT));
    gate.forgetClaim(claim.uid(), driver);
  }
}
