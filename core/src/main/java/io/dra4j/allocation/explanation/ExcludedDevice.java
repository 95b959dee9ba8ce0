package io.dra4j.allocation.explanation;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import java.util.List;

/**
 * A device of the class that a request asks for which the request cannot have.
 *
 * @param device driver, pool and name
 * @param request the request, or the first of those that want the same
 * @param rule what refused it first
 * @param reason why, as the end of a sentence about the device, for example {@code is in use}
 * @param holders the claims whose allocations are the cause: that have the device, shares of it, or
 *     counters that it draws from; in the order of their keys
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
