package io.dra4j.inventory.internal;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One device, or one share of a device, that a claim holds.
 *
 * @param claim who holds it
 * @param device the device
 * @param shareId which share it is of a device that several claims can have; null for a whole
 *     device
 * @param consumed what the share consumes, by capacity name
 */
public record Holding(
    ClaimKey claim, DeviceId device, @Nullable String shareId, Map<String, Quantity> consumed) {

  /** Whether it is a share of a device that several claims can have. */
  boolean share() {
    return shareId != null;
  }

  /** What a claim holds: nothing for admin access (KEP-5018), and nothing while it is pending. */
  static List<Holding> of(ResourceClaim claim) {
    if (claim.allocation() == null) {
      return List.of();
    }
    ClaimKey key = ClaimKey.of(claim);
    List<Holding> held = new ArrayList<>();
    for (DeviceRequestAllocationResult result : claim.allocation().results()) {
      if (!Boolean.TRUE.equals(result.adminAccess())) {
        String shareId = result.shareId();
        held.add(
            new Holding(
                key,
                result.deviceId(),
                shareId,
                shareId == null ? Map.of() : result.consumedCapacity()));
      }
    }
    return List.copyOf(held);
  }
}
