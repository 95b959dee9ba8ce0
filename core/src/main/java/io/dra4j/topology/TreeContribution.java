package io.dra4j.topology;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A recorded tree: devices of its own, corrections of the host's, and a layer of paths. */
final class TreeContribution extends OverlayContribution {

  private final TreeOverlay tree;

  TreeContribution(TreeOverlay tree) {
    this.tree = tree;
  }

  @Override
  void addTo(TopologyParts parts) {
    merge(parts.devices, parts.warnings);
    tree.bridges().forEach(parts::addBridge);
    parts.addNumaNodes(tree.numaNodes());
    parts.cpu = parts.cpu != null ? parts.cpu : tree.cpu();
  }

  /** Adds what only the overlay has, and corrects the NUMA nodes of the rest. */
  private void merge(Map<String, TopologyDevice> all, List<String> warnings) {
    OverlayMatch match = tree.matchWith(all.values());
    if (!all.isEmpty() && match.found() < match.recorded()) {
      warnings.add(
          "%s: %d of its %d devices are here, the others are added as it records them"
              .formatted(tree.origin(), match.found(), match.recorded()));
    }
    Map<PciAddress, TopologyDevice> recorded = new HashMap<>();
    Map<String, TopologyDevice> byId = new LinkedHashMap<>();
    for (TopologyDevice device : tree.devices()) {
      if (byId.put(device.id(), device) != null) {
        warnings.add(tree.origin() + ": " + device.id() + " is there twice; the last one wins");
      }
      if (device.address() != null) {
        recorded.put(device.address(), device);
      }
    }
    for (TopologyDevice device : List.copyOf(all.values())) {
      TopologyDevice other = device.address() == null ? null : recorded.get(device.address());
      if (other == null) {
        continue;
      }
      byId.remove(other.id());
      TopologyDevice merged = device;
      if (other.location().numaNode().isPresent()) {
        merged = merged.withNumaNode(other.location().numaNode().getAsInt());
      }
      if (merged.kind() == DeviceKind.UNKNOWN) {
        merged = merged.withKind(other.kind());
      }
      if (merged.names().isEmpty()) {
        merged = merged.withNames(other.names());
      }
      merged =
          merged.withRates(
              merged.link() != null ? merged.link() : other.link(),
              merged.megabitsPerSecond().isPresent()
                  ? merged.megabitsPerSecond()
                  : other.megabitsPerSecond());
      all.put(device.id(), merged);
    }
    byId.forEach(all::putIfAbsent);
  }

  @Override
  PathLayer layer(List<TopologyDevice> sorted, TopologyParts parts) {
    Map<PciAddress, TopologyDevice> byAddress = new HashMap<>();
    Map<String, TopologyDevice> byId = new HashMap<>();
    for (TopologyDevice device : tree.devices()) {
      byId.put(device.id(), device);
      if (device.address() != null) {
        byAddress.put(device.address(), device);
      }
    }
    TreeLayer.Builder layer =
        new TreeLayer.Builder(
            tree.source(),
            tree.origin(),
            tree.levels(),
            TopologyParts.identities(tree.bridges()),
            parts.flattensBroadcom,
            sorted.size());
    for (int i = 0; i < sorted.size(); i++) {
      TopologyDevice device = sorted.get(i);
      TopologyDevice place =
          device.address() == null ? byId.get(device.id()) : byAddress.get(device.address());
      if (place != null) {
        layer.place(i, place);
        parts.recordedPlaces.put(device.id(), place.location());
      }
    }
    return layer.build();
  }

  @Override
  List<DirectLink> links() {
    return tree.links();
  }
}
