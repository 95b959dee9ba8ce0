package io.dra4j.scheduling.reservation;

import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.model.ClaimKey;
import java.util.List;

/**
 * Devices that are reserved for some claims until it is known whether the allocations are written.
 * Two reservations are never equal, even with the same devices.
 */
public final class Reservation {

  private final String node;
  private final List<ClaimAllocation> allocations;

  Reservation(String node, List<ClaimAllocation> allocations) {
    this.node = node;
    this.allocations = List.copyOf(allocations);
  }

  /** {@return the name of the node of the devices} */
  public String node() {
    return node;
  }

  /** {@return the allocations of the claims, one for each, in the order of the given claims} */
  public List<ClaimAllocation> allocations() {
    return allocations;
  }

  List<ClaimKey> keys() {
    return allocations.stream().map(allocation -> ClaimKey.of(allocation.claim())).toList();
  }

  @Override
  public String toString() {
    return keys() + " on " + node;
  }
}
