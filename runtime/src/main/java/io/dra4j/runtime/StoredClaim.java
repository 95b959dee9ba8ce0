package io.dra4j.runtime;

import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Step;
import java.util.List;
import java.util.Objects;

/**
 * A claim and one of its drivers, as stored.
 *
 * @param driver the name of the driver
 * @param state the state of the claim
 * @param claim the claim and the result of preparing it
 * @param boot the boot of the host in which it was prepared ({@code
 *     /proc/sys/kernel/random/boot_id}); empty if it is not known
 * @param steps the steps that were recorded while preparing, oldest first
 * @param attachments the sandboxes that use it
 */
public record StoredClaim(
    String driver,
    ClaimState state,
    PreparedClaim claim,
    String boot,
    List<Step> steps,
    List<StoredAttachment> attachments) {

  /** Copies the lists. {@inheritDoc} */
  public StoredClaim {
    Objects.requireNonNull(boot, "boot");
    steps = List.copyOf(steps);
    attachments = List.copyOf(attachments);
  }

  /** {@return the UID of the claim, its {@code metadata.uid}} */
  public String uid() {
    return claim.claim().uid();
  }

  StoredClaim with(List<StoredAttachment> newAttachments) {
    return new StoredClaim(driver, state, claim, boot, steps, newAttachments);
  }
}
