package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import java.util.List;

/**
 * A published device and who has it.
 *
 * @param id driver, pool and name
 * @param device the device, with the taints of taint rules
 * @param holders the claims that hold it or a share of it, in the order of their keys; admin access
 *     holds nothing
 */
public record InventoryDevice(DeviceId id, Device device, List<ClaimKey> holders) {

  /** Copies the list. {@inheritDoc} */
  public InventoryDevice {
    holders = List.copyOf(holders);
  }

  /**
   * Returns whether this device is free.
   *
   * @return whether there is no holder; of a device that can be shared, none of any share
   */
  public boolean isFree() {
    return holders.isEmpty();
  }
}
