package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.spi.Attached;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.util.List;

/**
 * A claim in a sandbox, as the store keeps it.
 *
 * @param sandbox where the claim is used
 * @param state how far attaching it is
 * @param attached what the driver answered when it had attached the devices
 * @param steps what was recorded while it was attached, oldest first
 */
public record StoredAttachment(
    Sandbox sandbox, ClaimState state, Attached attached, List<Step> steps) {

  /** Copies the list. {@inheritDoc} */
  public StoredAttachment {
    steps = List.copyOf(steps);
  }

  /**
   * What is to be written in {@code status.devices} of the claim.
   *
   * @return the statuses of the devices
   */
  public List<AllocatedDeviceStatus> statuses() {
    return attached.statuses();
  }
}
