package io.dra4j.cli.cluster;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceAttribute.IntValue;
import io.dra4j.model.DeviceAttribute.StringValue;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Where the devices of a cluster sit, as far as their drivers say. Devices of older generations of
 * a pool, which nobody can get any more, are not among them.
 */
final class DeviceCatalog {

  /** What stands for an attribute that a device does not have. */
  static final String UNKNOWN = "-";

  /** Standard name first; the others are what drivers published before there was one. */
  private static final List<String> NUMA_NAMES =
      List.of(StandardAttributes.NUMA_NODE, "numaNode", "numa", "dra.net/numaNode");

  private final Map<DeviceId, Device> devices = new HashMap<>();
  private final Map<String, Map<DeviceId, Device>> byNode = new HashMap<>();

  DeviceCatalog(DeviceInventory inventory) {
    for (ResourceSlice slice : inventory.publishedSlices()) {
      for (Device device : slice.devices()) {
        DeviceId id = slice.idOf(device);
        devices.put(id, device);
        String node = slice.nodeSelection().nodeName();
        if (node == null && Boolean.TRUE.equals(slice.perDeviceNodeSelection())) {
          node = device.nodeSelection().nodeName();
        }
        if (node != null) {
          byNode.computeIfAbsent(node, any -> new LinkedHashMap<>()).put(id, device);
        }
      }
    }
  }

  /** The devices that only the node has, in the order of the input. */
  List<DeviceId> devicesOf(String node) {
    return new ArrayList<>(byNode.getOrDefault(node, Map.of()).keySet());
  }

  String pcieRoot(DeviceId id) {
    return attribute(id, List.of(StandardAttributes.PCIE_ROOT));
  }

  String numaNode(DeviceId id) {
    return attribute(id, NUMA_NAMES);
  }

  String busId(DeviceId id) {
    return attribute(id, List.of(StandardAttributes.PCI_BUS_ID));
  }

  private String attribute(DeviceId id, List<String> names) {
    Device device = devices.get(id);
    if (device == null) {
      return UNKNOWN;
    }
    return names.stream()
        .map(device.attributes()::get)
        .filter(Objects::nonNull)
        .map(DeviceCatalog::text)
        .findFirst()
        .orElse(UNKNOWN);
  }

  private static String text(DeviceAttribute value) {
    if (value instanceof StringValue string) {
      return string.value();
    }
    if (value instanceof DeviceAttribute.StringValues strings) {
      return String.join(",", strings.values());
    }
    if (value instanceof DeviceAttribute.IntValues ints) {
      return String.join(",", ints.values().stream().map(String::valueOf).toList());
    }
    return value instanceof IntValue number ? Long.toString(number.value()) : UNKNOWN;
  }
}
