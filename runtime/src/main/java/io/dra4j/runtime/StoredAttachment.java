package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.util.List;

/**
 * A claim in a sandbox, as the store keeps it.
 *
 * @param sandbox where the claim is used
 * @param state how far attaching it is
 * @param statuses what the driver said of the devices when it had attached them
 * @param steps what was recorded while it was attached, oldest first
 */
public record StoredAttachment(
    Sandbox sandbox, ClaimState state, List<AllocatedDeviceStatus> statuses, List<Step> steps) {

  /** Copies the lists. {@inheritDoc} */
  public StoredAttachment {
    statuses = List.copyOf(statuses);
    steps = List.copyOf(steps);
  }
}
