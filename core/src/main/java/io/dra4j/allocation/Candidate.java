package io.dra4j.allocation;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceId;
import java.util.Map;

/** A device that can be tried on a node, with what the rules need to know about it at hand. */
final class Candidate {

  /** Place in the order in which the devices of the node are tried. */
  final int ordinal;

  final Pool pool;
  final PublishedSlice published;
  final int position; // in its slice
  final int place; // among all devices of the inventory
  final Device device;
  final DeviceId id;
  final String[] capacityNames;
  final DeviceCapacity[] capacities;

  Candidate(int ordinal, Pool pool, PublishedSlice published, int position) {
    this.ordinal = ordinal;
    this.pool = pool;
    this.published = published;
    this.position = position;
    this.place = published.firstDevice + position;
    this.device = published.slice.devices().get(position);
    this.id = published.slice.idOf(device);
    Map<String, DeviceCapacity> capacity = device.capacity();
    this.capacityNames = capacity.keySet().toArray(new String[0]);
    this.capacities = capacity.values().toArray(new DeviceCapacity[0]);
  }

  boolean drawsFromCounters() {
    return !device.consumesCounters().isEmpty();
  }
}
