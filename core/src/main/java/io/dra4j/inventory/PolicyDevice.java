package io.dra4j.inventory;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;

/** A device of a node, as an allocation policy sees it. Only the inventory creates instances. */
public interface PolicyDevice {

  /**
   * Returns the identity of the device in its cluster.
   *
   * @return driver, pool and name
   */
  DeviceId id();

  /**
   * Returns the device itself.
   *
   * @return the device, with the taints of taint rules
   */
  Device device();

  /**
   * Returns the slice in which the device is published.
   *
   * @return the slice, with the taints of taint rules
   */
  ResourceSlice slice();
}
