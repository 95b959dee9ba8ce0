package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import java.util.List;

/**
 * A published device and its holders.
 *
 * @param id driver, pool and name
 * @param device the device, with the taints of taint rules
 * @param holders the claims that hold it or a share of it, in the order of their keys; a claim with
 *     admin access does not hold it
 */
public record InventoryDevice(DeviceId id, Device device, List<ClaimKey> holders) {

  /** Copies the list. {@inheritDoc} */
  public InventoryDevice {
    holders = List.copyOf(holders);
  }

  /** {@return whether this device is free: no claim holds it or a share of it} */
  public boolean isFree() {
    return holders.isEmpty();
  }
}
