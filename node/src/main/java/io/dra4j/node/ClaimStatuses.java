package io.dra4j.node;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.ClaimListener;
import io.dra4j.runtime.ClaimService;
import io.dra4j.runtime.ClaimState;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.Sandbox;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the state of the devices into the status of claims, for as long as they are attached. */
final class ClaimStatuses implements ClaimListener {

  private static final int MAX_MESSAGE = 32_768; // metav1.Condition, as the API server validates it

  private final ClaimService service;
  private final Map<String, Writer> writers;

  /** Writes statuses to the API server. */
  @FunctionalInterface
  interface Writer {
    void write(ClaimReference claim, List<AllocatedDeviceStatus> devices);
  }

  /** Creates the statuses, with a writer for each driver. */
  ClaimStatuses(ClaimService service, Map<String, Writer> writers) {
    this.service = service;
    this.writers = Map.copyOf(writers);
  }

  /** Rewrites the status of attached claims, which an earlier process may not have written. */
  @Override
  public void recovered() {
    for (StoredClaim claim : service.claims()) {
      if (service.isPrepared(claim)) {
        claim.attachments().stream()
            .filter(one -> one.state() == ClaimState.DONE)
            .forEach(one -> attached(claim, one));
      }
    }
  }

  @Override
  public void attached(StoredClaim claim, StoredAttachment attachment) {
    Writer writer = writers.get(claim.driver());
    if (writer != null && !attachment.statuses().isEmpty()) {
      writer.write(claim.claim().claim(), attachment.statuses());
    }
  }

  /** Sets the failure of a claim as the status of its devices, unless a pod already has them. */
  @Override
  public void failed(String uid, String driver, String call, ClaimException failure) {
    Writer writer = writers.get(driver);
    Optional<StoredClaim> claim = service.find(uid, driver);
    if (writer == null
        || claim.isEmpty()
        || !call.equals("attach")
        || attachment(claim.get()).isPresent()) {
      return;
    }
    String message = String.valueOf(failure.getMessage());
    Condition notReady =
        Condition.of("Ready", "False")
            .reason("AttachFailed")
            .message(message.substring(0, Math.min(message.length(), MAX_MESSAGE)))
            .build();
    writer.write(
        claim.get().claim().claim(),
        claim.get().claim().prepared().devices().stream()
            .map(
                one ->
                    AllocatedDeviceStatus.of(one.device())
                        .shareId(one.shareId())
                        .conditions(List.of(notReady))
                        .build())
            .toList());
  }

  /** Updates the status. If other pods use the claim, it has the state of the devices there. */
  @Override
  public void detached(StoredClaim claim, Sandbox sandbox) {
    write(
        claim,
        service
            .find(claim.uid(), claim.driver())
            .flatMap(ClaimStatuses::attachment)
            .map(StoredAttachment::statuses)
            .orElse(List.of()));
  }

  @Override
  public void unprepared(StoredClaim claim) {
    write(claim, List.of());
  }

  private void write(StoredClaim claim, List<AllocatedDeviceStatus> devices) {
    Writer writer = writers.get(claim.driver());
    if (writer != null) {
      writer.write(claim.claim().claim(), devices);
    }
  }

  private static Optional<StoredAttachment> attachment(StoredClaim claim) {
    return claim.attachments().stream().filter(one -> one.state() == ClaimState.DONE).findFirst();
  }
}
