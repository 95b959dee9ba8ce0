package io.dra4j.allocation;

import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;

/** A slice of the inventory, with the places of itself and of its first device in it. */
final class PublishedSlice {

  final int index; // among all slices of the inventory
  final int firstDevice; // among all devices of the inventory
  final ResourceSlice slice;
  final PoolId poolId;
  final boolean usesCompatibilityGroups;

  PublishedSlice(int index, int firstDevice, ResourceSlice slice, PoolId poolId) {
    this.index = index;
    this.firstDevice = firstDevice;
    this.slice = slice;
    this.poolId = poolId;
    this.usesCompatibilityGroups = anyCompatibilityGroups(slice);
  }

  boolean hasCounters() {
    return !slice.sharedCounters().isEmpty();
  }

  boolean perDeviceNodeSelection() {
    return Boolean.TRUE.equals(slice.perDeviceNodeSelection());
  }

  private static boolean anyCompatibilityGroups(ResourceSlice slice) {
    for (Device device : slice.devices()) {
      if (device.consumesCounters().stream().anyMatch(c -> !c.compatibilityGroups().isEmpty())) {
        return true;
      }
    }
    return false;
  }
}
