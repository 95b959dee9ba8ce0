package io.dra4j.runtime;

import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Step;
import java.util.List;

/**
 * A claim with one of its drivers, as the store keeps it.
 *
 * @param driver the name of the driver
 * @param state how far preparing it is
 * @param claim the claim and what preparing it came to
 * @param steps what was recorded while it was prepared, oldest first
 * @param attachments the sandboxes that use it
 */
public record StoredClaim(
    String driver,
    ClaimState state,
    PreparedClaim claim,
    List<Step> steps,
    List<StoredAttachment> attachments) {

  /** Copies the lists. {@inheritDoc} */
  public StoredClaim {
    steps = List.copyOf(steps);
    attachments = List.copyOf(attachments);
  }
}
