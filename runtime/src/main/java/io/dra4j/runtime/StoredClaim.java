package io.dra4j.runtime;

import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Step;
import java.util.List;
import java.util.Objects;

/**
 * A claim with one of its drivers, as the store keeps it.
 *
 * @param driver the name of the driver
 * @param state how far preparing it is
 * @param claim the claim and what preparing it came to
 * @param boot the boot of the host in which it was prepared ({@code
 *     /proc/sys/kernel/random/boot_id}); empty if that is not known
 * @param steps what was recorded while it was prepared, oldest first
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

  /**
   * The unique id of the claim.
   *
   * @return {@code metadata.uid} of the claim
   */
  public String uid() {
    return claim.claim().uid();
  }

  StoredClaim with(List<StoredAttachment> newAttachments) {
    return new StoredClaim(driver, state, claim, boot, steps, newAttachments);
  }
}
