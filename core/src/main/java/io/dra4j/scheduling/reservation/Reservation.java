package io.dra4j.scheduling.reservation;

import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.model.ClaimKey;
import java.util.List;

/**
 * Devices that are kept for some claims until it is known whether they get them. Two reservations
 * are never the same, even of the same devices.
 */
public final class Reservation {

  private final String node;
  private final List<ClaimAllocation> allocations;

  Reservation(String node, List<ClaimAllocation> allocations) {
    this.node = node;
    this.allocations = List.copyOf(allocations);
  }

  /**
   * Returns the node on which the devices are kept.
   *
   * @return its name
   */
  public String node() {
    return node;
  }

  /**
   * Returns what each claim gets.
   *
   * @return one allocation for each claim, in the order in which they were given
   */
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
