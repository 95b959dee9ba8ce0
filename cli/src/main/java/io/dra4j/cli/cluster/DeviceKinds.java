package io.dra4j.cli.cluster;

import io.dra4j.cli.input.SliceHosts;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.TopologyDevice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kinds of published devices. Each node is analysed on demand, as there may be many. */
final class DeviceKinds {

  private final DeviceInventory inventory;
  private final Map<String, Map<DeviceId, DeviceKind>> byNode = new HashMap<>();
  private @Nullable Map<String, List<ResourceSlice>> slices; // by node

  DeviceKinds(DeviceInventory inventory) {
    this.inventory = inventory;
  }

  /** The nodes with slices of their own. */
  Set<String> nodes() {
    return slices().keySet();
  }

  /** The kinds of the devices of a node. */
  Map<DeviceId, DeviceKind> on(String node) {
    return byNode.computeIfAbsent(
        node,
        name -> {
          Map<DeviceId, DeviceKind> found = new HashMap<>();
          List<ResourceSlice> ofNode = slices().getOrDefault(name, List.of());
          for (TopologyDevice device : HostTopology.ofSlices(ofNode).build().devices()) {
            DeviceId id = device.published();
            if (id != null) {
              found.put(id, device.kind());
            }
          }
          return found;
        });
  }

  private Map<String, List<ResourceSlice>> slices() {
    if (slices == null) {
      slices = SliceHosts.ofSlices(inventory.publishedSlices());
    }
    return slices;
  }
}
