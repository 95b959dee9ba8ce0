package io.dra4j.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The parts of a topology: the parts of the host, and then the parts of its overlays. */
final class TopologyParts {

  final Map<String, TopologyDevice> devices = new LinkedHashMap<>(); // by id
  final Map<PciAddress, TopologyDevice> bridges = new TreeMap<>();
  final Map<String, Location> recordedPlaces = new HashMap<>(); // the locations in overlays, by id
  final List<String> warnings;
  final boolean flattensBroadcom;
  @Nullable CpuModel cpu;
  private final List<NumaNode> numaNodes;

  TopologyParts(
      Collection<TopologyDevice> devices,
      List<NumaNode> numaNodes,
      @Nullable CpuModel cpu,
      List<String> warnings,
      boolean flattensBroadcom) {
    devices.forEach(device -> this.devices.put(device.id(), device));
    devices.forEach(this::addBridge);
    this.numaNodes = new ArrayList<>(numaNodes);
    this.cpu = cpu;
    this.warnings = new ArrayList<>(warnings);
    this.flattensBroadcom = flattensBroadcom;
  }

  void addBridge(TopologyDevice device) {
    if (device.address() != null && device.kind() == DeviceKind.BRIDGE) {
      bridges.putIfAbsent(device.address(), device);
    }
  }

  /** Adds the nodes that do not exist yet. */
  void addNumaNodes(List<NumaNode> more) {
    for (NumaNode node : more) {
      if (numaNodes.stream().noneMatch(other -> other.id() == node.id())) {
        numaNodes.add(node);
      }
    }
  }

  List<NumaNode> sortedNumaNodes() {
    return numaNodes.stream().sorted(Comparator.comparingInt(NumaNode::id)).toList();
  }

  /** The identities of the bridges, if known. */
  Map<PciAddress, PciIdentity> identities() {
    return identities(bridges.values());
  }

  static Map<PciAddress, PciIdentity> identities(Collection<TopologyDevice> bridges) {
    Map<PciAddress, PciIdentity> identities = new HashMap<>();
    for (TopologyDevice bridge : bridges) {
      if (bridge.address() != null && bridge.identity() != null) {
        identities.put(bridge.address(), bridge.identity());
      }
    }
    return identities;
  }
}
