package io.dra4j.allocation.explanation;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import java.util.List;

/**
 * A device of the requested class that a request cannot have.
 *
 * @param device driver, pool and name
 * @param request the request, or the first of several equal requests
 * @param rule the first rule that refused it
 * @param reason the reason as the end of a sentence about the device, for example {@code is in use}
 * @param holders the claims whose allocations are the cause, because they hold the device, shares
 *     of it, or counters that it draws from; in the order of their keys
 */
public record ExcludedDevice(
    DeviceId device,
    Requirement.Request request,
    ExclusionCause rule,
    String reason,
    List<ClaimKey> holders) {

  /** Copies the list. {@inheritDoc} */
  public ExcludedDevice {
    holders = List.copyOf(holders);
  }
}
