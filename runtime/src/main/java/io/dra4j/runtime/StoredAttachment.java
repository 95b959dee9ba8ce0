package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.spi.Attached;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.util.List;

/**
 * The attachment of a claim to a sandbox, as stored.
 *
 * @param sandbox the sandbox that uses the claim
 * @param state the state of the attachment
 * @param attached the result of the driver's attach call
 * @param steps the steps that were recorded while attaching, oldest first
 */
public record StoredAttachment(
    Sandbox sandbox, ClaimState state, Attached attached, List<Step> steps) {

  /** Copies the list. {@inheritDoc} */
  public StoredAttachment {
    steps = List.copyOf(steps);
  }

  /** {@return the statuses of the devices, the content of {@code status.devices} of the claim} */
  public List<AllocatedDeviceStatus> statuses() {
    return attached.statuses();
  }
}
