package io.dra4j.node;

import io.dra4j.kubernetes.ClaimStatusWriter;
import io.dra4j.runtime.ClaimListener;
import io.dra4j.runtime.ClaimState;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.Sandbox;
import java.util.List;
import java.util.Map;

/** Writes into the status of claims how their devices are, for as long as they are attached. */
final class ClaimStatuses implements ClaimListener {

  private final Map<String, ClaimStatusWriter> writers;

  /** Writes by the writer of each driver. */
  ClaimStatuses(Map<String, ClaimStatusWriter> writers) {
    this.writers = Map.copyOf(writers);
  }

  /** Writes again how the devices of an attached claim are. */
  void repeat(StoredClaim claim) {
    claim.attachments().stream()
        .filter(one -> one.state() == ClaimState.DONE)
        .forEach(one -> attached(claim, one));
  }

  @Override
  public void attached(StoredClaim claim, StoredAttachment attachment) {
    ClaimStatusWriter writer = writers.get(claim.driver());
    if (writer != null && !attachment.statuses().isEmpty()) {
      writer.write(claim.claim().claim(), attachment.statuses());
    }
  }

  @Override
  public void detached(StoredClaim claim, Sandbox sandbox) {
    takeBack(claim);
  }

  @Override
  public void unprepared(StoredClaim claim) {
    takeBack(claim);
  }

  private void takeBack(StoredClaim claim) {
    ClaimStatusWriter writer = writers.get(claim.driver());
    if (writer != null) {
      writer.write(claim.claim().claim(), List.of());
    }
  }
}
