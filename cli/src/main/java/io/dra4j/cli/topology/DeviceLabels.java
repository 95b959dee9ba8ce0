package io.dra4j.cli.topology;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Short names for the endpoints of a host, as in {@code nvidia-smi topo -m}. */
final class DeviceLabels {

  private static final Map<DeviceKind, String> PREFIXES = new LinkedHashMap<>();

  static {
    PREFIXES.put(DeviceKind.GPU, "GPU");
    PREFIXES.put(DeviceKind.ACCELERATOR, "ACC");
    PREFIXES.put(DeviceKind.NIC, "NIC");
    PREFIXES.put(DeviceKind.UNKNOWN, "DEV");
  }

  private final List<TopologyDevice> devices = new ArrayList<>();
  private final Map<String, String> labels = new HashMap<>();

  DeviceLabels(HostTopology topology) {
    PREFIXES.forEach(
        (kind, prefix) -> {
          int number = 0;
          for (TopologyDevice device : topology.endpoints()) {
            if (device.kind() == kind) {
              devices.add(device);
              labels.put(device.id(), prefix + number++);
            }
          }
        });
  }

  /** Returns the endpoints: GPUs, accelerators, NICs, others. */
  List<TopologyDevice> devices() {
    return devices;
  }

  /** Returns the short name of a device; its own name or its kind if it is not an endpoint. */
  String of(TopologyDevice device) {
    String label = labels.get(device.id());
    return label != null ? label : device.name().orElse(device.kind().name());
  }
}
