package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One device, or one share of a device, that a claim holds.
 *
 * @param claim who holds it
 * @param device the device
 * @param share whether it is a share of a device that several claims can have
 * @param consumed what the share consumes, by capacity name
 */
record Holding(ClaimKey claim, DeviceId device, boolean share, Map<String, Quantity> consumed) {

  /** What a claim holds: nothing for admin access (KEP-5018), and nothing while it is pending. */
  static List<Holding> of(ResourceClaim claim) {
    if (claim.allocation() == null) {
      return List.of();
    }
    ClaimKey key = ClaimKey.of(claim);
    List<Holding> held = new ArrayList<>();
    for (DeviceRequestAllocationResult result : claim.allocation().results()) {
      if (!Boolean.TRUE.equals(result.adminAccess())) {
        boolean share = result.shareId() != null;
        held.add(
            new Holding(
                key, result.deviceId(), share, share ? result.consumedCapacity() : Map.of()));
      }
    }
    return List.copyOf(held);
  }
}
