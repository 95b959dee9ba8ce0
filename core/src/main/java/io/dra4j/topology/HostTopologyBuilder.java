package io.dra4j.topology;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts a {@link HostTopology} together. */
public final class HostTopologyBuilder {

  /** Overlays are compared with each other on hosts with at most so many devices in question. */
  private static final int MAX_COMPARED = 512;

  private static final Comparator<TopologyDevice> ORDER =
      Comparator.comparing(
              TopologyDevice::address, Comparator.nullsLast(Comparator.<PciAddress>naturalOrder()))
          .thenComparing(TopologyDevice::id);

  private final TopologySource source;
  private final Map<String, TopologyDevice> devices = new LinkedHashMap<>();
  private final List<NumaNode> numaNodes = new ArrayList<>();
  private final List<TopologyOverlay> overlays = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private @Nullable CpuModel cpu;
  private boolean flattensBroadcom = true;

  HostTopologyBuilder(TopologySource source) {
    this.source = source;
  }

  /**
   * Adds devices. Of two with one id the first stays.
   *
   * @param more the devices
   * @return this builder
   */
  public HostTopologyBuilder devices(Collection<TopologyDevice> more) {
    for (TopologyDevice device : more) {
      if (devices.putIfAbsent(device.id(), device) != null) {
        warnings.add("device " + device.id() + " is there twice; the second is left out");
      }
    }
    return this;
  }

  /**
   * Sets the NUMA nodes.
   *
   * @param nodes the nodes; none if they are not known
   * @return this builder
   */
  public HostTopologyBuilder numaNodes(Collection<NumaNode> nodes) {
    numaNodes.clear();
    numaNodes.addAll(nodes);
    return this;
  }

  /**
   * Sets the processors.
   *
   * @param model the processors; null if not known
   * @return this builder
   */
  public HostTopologyBuilder cpu(@Nullable CpuModel model) {
    this.cpu = model;
    return this;
  }

  /**
   * Adds what somebody else recorded. It wins over the host and over what was added before.
   *
   * @param overlay the record
   * @return this builder
   */
  public HostTopologyBuilder overlay(TopologyOverlay overlay) {
    overlays.add(overlay);
    return this;
  }

  /**
   * Whether the two levels inside Broadcom's switches of PCIe generations 4 and 5 count as one, as
   * NCCL counts them. They do unless this says otherwise.
   *
   * @param flattens whether they count as one
   * @return this builder
   */
  public HostTopologyBuilder flattenBroadcomSwitches(boolean flattens) {
    this.flattensBroadcom = flattens;
    return this;
  }

  /**
   * Makes the topology.
   *
   * @return the topology
   */
  public HostTopology build() {
    Set<String> ofHost = new LinkedHashSet<>(devices.keySet());
    Map<String, TopologyDevice> all = new LinkedHashMap<>(devices);
    Map<PciAddress, TopologyDevice> bridges = new TreeMap<>();
    all.values().forEach(device -> addBridge(bridges, device));
    List<NumaNode> nodes = new ArrayList<>(numaNodes);
    CpuModel processors = cpu;
    for (TopologyOverlay overlay : overlays) {
      if (overlay instanceof TreeOverlay tree) {
        merge(all, tree);
        tree.bridges().forEach(bridge -> addBridge(bridges, bridge));
        processors = processors != null ? processors : tree.cpu();
        addMissing(nodes, tree.numaNodes());
      }
    }
    nodes.sort(Comparator.comparingInt(NumaNode::id));

    List<TopologyDevice> sorted = all.values().stream().sorted(ORDER).toList();
    List<MatrixRows> matrices = new ArrayList<>();
    for (TopologyOverlay overlay : overlays) {
      if (overlay instanceof MatrixOverlay matrix) {
        MatrixRows rows = MatrixRows.match(matrix, sorted, warnings);
        sorted = rows.withNumaNodes(sorted);
        matrices.add(rows);
      }
    }

    Map<String, Integer> indices = new LinkedHashMap<>();
    sorted.forEach(device -> indices.put(device.id(), indices.size()));
    Map<PciAddress, PciIdentity> identities = new HashMap<>();
    bridges.forEach(
        (address, bridge) -> {
          if (bridge.identity() != null) {
            identities.put(address, bridge.identity());
          }
        });

    TreeLayer base = base(sorted, ofHost, identities);
    LinkTable links = new LinkTable(indices, sorted);
    List<PathLayer> layers = new ArrayList<>();
    Map<String, Location> recordedPlaces = new HashMap<>();
    int nextMatrix = 0;
    for (TopologyOverlay overlay : overlays) {
      if (overlay instanceof TreeOverlay tree) {
        layers.add(layer(tree, sorted, recordedPlaces));
        links.add(tree.links());
      } else {
        MatrixRows rows = matrices.get(nextMatrix++);
        layers.add(rows.layer(sorted));
        links.add(rows.links());
      }
    }
    reportContradictions(sorted, layers);

    return new HostTopology(
        sorted,
        indices,
        recordedPlaces,
        ImmutableList.copyOf(bridges.values()),
        nodes,
        links.all(),
        links.byPair(),
        processors,
        warnings,
        base,
        ImmutableList.copyOf(layers).reverse());
  }

  /** Adds what only the overlay has, and corrects the NUMA nodes of the rest. */
  private void merge(Map<String, TopologyDevice> all, TreeOverlay tree) {
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
      all.put(device.id(), merged);
    }
    byId.forEach(all::putIfAbsent);
  }

  private static void addBridge(Map<PciAddress, TopologyDevice> bridges, TopologyDevice device) {
    if (device.address() != null && device.kind() == DeviceKind.BRIDGE) {
      bridges.putIfAbsent(device.address(), device);
    }
  }

  private static void addMissing(List<NumaNode> nodes, List<NumaNode> more) {
    for (NumaNode node : more) {
      if (nodes.stream().noneMatch(other -> other.id() == node.id())) {
        nodes.add(node);
      }
    }
  }

  private TreeLayer base(
      List<TopologyDevice> sorted, Set<String> ofHost, Map<PciAddress, PciIdentity> identities) {
    TreeLayer.Builder layer =
        new TreeLayer.Builder(
            source,
            "the host",
            TreeOverlay.Levels.BRIDGES,
            identities,
            flattensBroadcom,
            sorted.size());
    boolean anyNumaNode = false;
    for (int i = 0; i < sorted.size(); i++) {
      TopologyDevice device = sorted.get(i);
      if (ofHost.contains(device.id())) {
        layer.place(i, device);
        anyNumaNode |= device.location().numaNode().isPresent();
      } else if (device.location().numaNode().isPresent()) {
        layer.numaNode(i, device.location().numaNode().getAsInt());
      }
    }
    // A kernel without NUMA lists no nodes, and no device names one.
    boolean withoutNuma = source == TopologySource.SYSFS && numaNodes.isEmpty() && !anyNumaNode;
    return layer
        .singleNumaNode(!ofHost.isEmpty() && (numaNodes.size() == 1 || withoutNuma))
        .answersAll()
        .build();
  }

  private PathLayer layer(
      TreeOverlay tree, List<TopologyDevice> sorted, Map<String, Location> recordedPlaces) {
    Map<PciAddress, PciIdentity> identities = new HashMap<>();
    for (TopologyDevice bridge : tree.bridges()) {
      if (bridge.address() != null && bridge.identity() != null) {
        identities.put(bridge.address(), bridge.identity());
      }
    }
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
            identities,
            flattensBroadcom,
            sorted.size());
    for (int i = 0; i < sorted.size(); i++) {
      TopologyDevice device = sorted.get(i);
      TopologyDevice place =
          device.address() == null ? byId.get(device.id()) : byAddress.get(device.address());
      if (place != null) {
        layer.place(i, place);
        recordedPlaces.put(device.id(), place.location());
      }
    }
    return layer.build();
  }

  private void reportContradictions(List<TopologyDevice> sorted, List<PathLayer> layers) {
    int[] endpoints =
        IntStream.range(0, sorted.size()).filter(i -> sorted.get(i).kind().isEndpoint()).toArray();
    if (endpoints.length > MAX_COMPARED) {
      return;
    }
    for (int later = 1; later < layers.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        reportContradictions(sorted, endpoints, layers.get(earlier), layers.get(later));
      }
    }
  }

  private void reportContradictions(
      List<TopologyDevice> sorted, int[] endpoints, PathLayer earlier, PathLayer later) {
    int count = 0;
    String first = "";
    for (int i = 0; i < endpoints.length; i++) {
      for (int j = i + 1; j < endpoints.length; j++) {
        PathType before = earlier.type(endpoints[i], endpoints[j]);
        PathType after = later.type(endpoints[i], endpoints[j]);
        if (before == null || after == null || agree(before, after)) {
          continue;
        }
        count++;
        if (first.isEmpty()) {
          first =
              sorted.get(endpoints[i]).id()
                  + " and "
                  + sorted.get(endpoints[j]).id()
                  + " are "
                  + before
                  + " apart in "
                  + earlier.origin()
                  + " and "
                  + after
                  + " in "
                  + later.origin();
        }
      }
    }
    if (count > 0) {
      warnings.add(
          first
              + (count > 1 ? " (and " + (count - 1) + " more such pairs)" : "")
              + "; "
              + later.origin()
              + " wins");
    }
  }

  /** Whether two types can be true at once, because one of them says less. */
  private static boolean agree(PathType a, PathType b) {
    if (a == PathType.HOST_BRIDGE_OR_NUMA_NODE || b == PathType.HOST_BRIDGE_OR_NUMA_NODE) {
      return isHostBridgeOrNumaNode(a) && isHostBridgeOrNumaNode(b);
    }
    return a.nvidiaSmiName().equals(b.nvidiaSmiName());
  }

  private static boolean isHostBridgeOrNumaNode(PathType type) {
    return type == PathType.HOST_BRIDGE
        || type == PathType.NUMA_NODE
        || type == PathType.HOST_BRIDGE_OR_NUMA_NODE;
  }
}
