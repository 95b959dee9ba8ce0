package io.dra4j.inventory;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;

/** A device of a node, as an allocation policy sees it. Only the inventory creates instances. */
public interface PolicyDevice {

  /** {@return the identity of the device in its cluster: driver, pool and name} */
  DeviceId id();

  /** {@return the device itself, with the taints of taint rules} */
  Device device();

  /** {@return the slice in which the device is published, with the taints of taint rules} */
  ResourceSlice slice();
}
