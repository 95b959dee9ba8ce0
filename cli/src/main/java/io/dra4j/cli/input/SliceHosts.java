package io.dra4j.cli.input;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that ResourceSlices describe, by the names of their nodes. Devices that are not bound
 * to one host by a node name belong to none.
 */
public final class SliceHosts {

  private final Map<String, List<ResourceSlice>> byNode = new LinkedHashMap<>();
  private final Set<String> unbound = new LinkedHashSet<>();

  private SliceHosts(List<ResourceSlice> slices) {
    for (ResourceSlice slice : slices) {
      if (Boolean.TRUE.equals(slice.perDeviceNodeSelection())) {
        Map<String, List<Device>> some = new LinkedHashMap<>();
        for (Device device : slice.devices()) {
          add(some, device.nodeSelection().nodeName(), device, slice);
        }
        some.forEach((node, devices) -> put(node, slice.withDevices(devices)));
      } else if (slice.nodeSelection().nodeName() != null) {
        put(slice.nodeSelection().nodeName(), slice);
      } else if (!slice.devices().isEmpty()) {
        unbound.add(slice.metadata().name());
      }
    }
  }

  private void add(
      Map<String, List<Device>> some, @Nullable String node, Device device, ResourceSlice slice) {
    if (node == null) {
      unbound.add(slice.metadata().name());
    } else {
      some.computeIfAbsent(node, any -> new ArrayList<>()).add(device);
    }
  }

  private void put(String node, ResourceSlice slice) {
    byNode.computeIfAbsent(node, any -> new ArrayList<>()).add(slice);
  }

  /** Returns the hosts of manifests; only the newest generation of each pool counts. */
  public static SliceHosts of(List<Manifest> manifests) {
    ClusterSnapshot cluster = ClusterSnapshot.of(manifests.stream().map(Manifest::object).toList());
    return new SliceHosts(DeviceInventory.of(cluster).publishedSlices());
  }

  /** Returns the given slices by node. */
  public static Map<String, List<ResourceSlice>> ofSlices(List<ResourceSlice> slices) {
    return new SliceHosts(slices).byNode;
  }

  /** Returns the slices of each node, in the order of the input. */
  public Map<String, List<ResourceSlice>> byNode() {
    return byNode;
  }

  /** Returns the names of slices with devices that are not bound to one node by a node name. */
  public Set<String> unbound() {
    return unbound;
  }
}
