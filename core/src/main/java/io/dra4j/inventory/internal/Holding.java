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
 * @param claim the claim that holds it
 * @param device the device
 * @param shareId the ID of the share; null for a whole device
 * @param consumed the amounts that the share consumes, by capacity name
 */
public record Holding(
    ClaimKey claim, DeviceId device, @Nullable String shareId, Map<String, Quantity> consumed) {

  /** Whether it is a share of a device. */
  boolean share() {
    return shareId != null;
  }

  /** The holdings of a claim: none for devices with admin access (KEP-5018) or a pending claim. */
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
