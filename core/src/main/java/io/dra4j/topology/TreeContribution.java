package io.dra4j.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A recorded tree's further devices, corrections of the host's devices, and layer of paths. */
final class TreeContribution extends OverlayContribution {

  private final TreeOverlay tree;
  private final Map<String, TopologyDevice> byId = new LinkedHashMap<>();
  private final Map<PciAddress, TopologyDevice> byAddress = new HashMap<>();
  private final Map<String, TopologyDevice> byName = new HashMap<>(); // the devices without address

  TreeContribution(TreeOverlay tree) {
    this.tree = tree;
    for (TopologyDevice device : tree.devices()) {
      byId.put(device.id(), device);
      if (device.address() != null) {
        byAddress.put(device.address(), device);
      } else {
        device.names().forEach(name -> byName.put(name, device));
      }
    }
  }

  @Override
  void addTo(TopologyParts parts) {
    warn(parts);
    merge(parts.devices);
    join(parts.devices);
    tree.bridges().forEach(parts::addBridge);
    parts.addNumaNodes(tree.numaNodes());
    parts.cpu = parts.cpu != null ? parts.cpu : tree.cpu();
  }

  private void warn(TopologyParts parts) {
    OverlayMatch match = tree.matchWith(parts.devices.values());
    if (!parts.devices.isEmpty() && match.found() < match.recorded()) {
      parts.warnings.add(
          "%s: %d of its %d devices %s here; the others are added as recorded"
              .formatted(
                  tree.origin(),
                  match.found(),
                  match.recorded(),
                  match.found() == 1 ? "is" : "are"));
    }
    Set<String> ids = new HashSet<>();
    for (TopologyDevice device : tree.devices()) {
      if (!ids.add(device.id())) {
        parts.warnings.add(tree.origin() + ": " + device.id() + " occurs twice; the last one wins");
      }
    }
  }

  /** Adds devices that only the overlay has, and corrects the NUMA nodes of the others. */
  private void merge(Map<String, TopologyDevice> all) {
    Map<String, TopologyDevice> others = new LinkedHashMap<>(byId);
    for (TopologyDevice device : List.copyOf(all.values())) {
      TopologyDevice recorded = device.address() == null ? null : byAddress.get(device.address());
      if (recorded != null) {
        others.remove(recorded.id());
        all.put(device.id(), merged(device, recorded, true));
      }
    }
    others.forEach((id, device) -> all.putIfAbsent(id, tree.there(device)));
  }

  /**
   * Leaves out NICs that have only a name if another source has more about the device with this
   * name: NCCL does not look for the PCI function of a virtio interface.
   */
  private void join(Map<String, TopologyDevice> all) {
    Map<String, List<String>> knownByName = new HashMap<>();
    for (TopologyDevice device : all.values()) {
      if (!isNameAlone(device) && mayBeNic(device)) {
        for (String name : device.names()) {
          knownByName.computeIfAbsent(name, any -> new ArrayList<>()).add(device.id());
        }
      }
    }
    for (TopologyDevice nic : List.copyOf(all.values())) {
      if (!isNameAlone(nic)) {
        continue;
      }
      TopologyDevice recorded = byId.getOrDefault(nic.id(), nic);
      boolean isPlaced = byId.containsKey(nic.id()) && !tree.unplaced().contains(nic.id());
      for (String name : nic.names()) {
        for (String id : knownByName.getOrDefault(name, List.of())) {
          all.computeIfPresent(id, (key, device) -> merged(device, recorded, isPlaced));
          all.remove(nic.id());
        }
      }
    }
  }

  private static boolean isNameAlone(TopologyDevice device) {
    return device.kind() == DeviceKind.NIC
        && device.address() == null
        && device.published() == null;
  }

  private static boolean mayBeNic(TopologyDevice device) {
    return device.kind() == DeviceKind.NIC || device.kind() == DeviceKind.UNKNOWN;
  }

  private TopologyDevice merged(TopologyDevice device, TopologyDevice recorded, boolean isPlaced) {
    TopologyDevice merged = device;
    OptionalInt node =
        byId.containsKey(recorded.id()) ? tree.numaNode(recorded) : OptionalInt.empty();
    if (isPlaced && node.isPresent()) {
      merged = merged.withNumaNode(node.getAsInt());
    }
    if (merged.kind() == DeviceKind.UNKNOWN) {
      merged = merged.withKind(recorded.kind());
    }
    if (merged.names().isEmpty()) {
      merged = merged.withNames(recorded.names());
    }
    return merged.withRates(
        merged.link() != null ? merged.link() : recorded.link(),
        merged.megabitsPerSecond().isPresent()
            ? merged.megabitsPerSecond()
            : recorded.megabitsPerSecond());
  }

  @Override
  PathLayer layer(List<TopologyDevice> sorted, TopologyParts parts) {
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
      TopologyDevice place = placed(device);
      if (place != null) {
        layer.place(i, place);
        parts.recordedPlaces.put(device.id(), place.location());
      }
    }
    return layer.build();
  }

  /** The recorded device with the location of a device. */
  private @Nullable TopologyDevice placed(TopologyDevice device) {
    TopologyDevice same =
        device.address() == null ? byId.get(device.id()) : byAddress.get(device.address());
    if (same != null || !mayBeNic(device)) {
      return same;
    }
    for (String name : device.names()) {
      TopologyDevice named = byName.get(name);
      if (named != null && !tree.unplaced().contains(named.id())) {
        return named;
      }
    }
    return null;
  }

  @Override
  List<DirectLink> links() {
    return tree.links();
  }
}
