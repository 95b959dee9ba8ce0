package io.dra4j.placement.internal.server;

import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import io.dra4j.topology.HostTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The published positions of the devices of a node. Nodes with equal layouts have servers of one
 * kind, unless overlays differ. The paths of one node then apply to all.
 *
 * @param facts the driver and the name of each device in order, with the attributes about its
 *     position
 */
record PublishedLayout(List<Object> facts) {

  /** A pool, without which the names of pools cannot affect the order of devices. */
  private record Pool(String name, long generation) {}

  /** {@return the layout; empty if a driver has several pools, whose names affect the order} */
  static Optional<PublishedLayout> of(List<NodeDevice> devices) {
    Map<String, Pool> pools = new HashMap<>();
    List<Object> facts = new ArrayList<>(8 * devices.size());
    ResourceSlice last = null;
    for (NodeDevice device : devices) {
      ResourceSlice slice = device.slice();
      if (last == null || !slice.equals(last)) {
        Pool pool = new Pool(slice.pool().name(), slice.pool().generation());
        Pool known = pools.putIfAbsent(slice.driver(), pool);
        if (known != null && !known.equals(pool)) {
          return Optional.empty();
        }
        facts.add(slice.driver());
        last = slice;
      }
      facts.add(device.device().name());
      device.device().attributes().forEach((name, value) -> add(facts, name, value));
    }
    return Optional.of(new PublishedLayout(facts));
  }

  private static void add(List<Object> facts, String name, DeviceAttribute value) {
    if (HostTopology.isMadeFrom(name) || name.endsWith(ServerModelCache.CAPABILITY)) {
      facts.add(name);
      facts.add(value);
    }
  }
}
