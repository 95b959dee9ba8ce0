package io.dra4j.topology;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds a {@link HostTopology}. */
public final class HostTopologyBuilder {

  /** The maximum number of devices for which overlays are compared with each other. */
  private static final int MAX_COMPARED = 512;

  private static final Comparator<TopologyDevice> ORDER =
      Comparator.comparing(
              TopologyDevice::address, Comparator.nullsLast(Comparator.<PciAddress>naturalOrder()))
          .thenComparing(TopologyDevice::id, new NumberedNames());

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
   * Adds devices. If two devices have one id, the first one is kept.
   *
   * @param devices the devices
   * @return this builder
   */
  public HostTopologyBuilder devices(Collection<TopologyDevice> devices) {
    Objects.requireNonNull(devices, "devices");
    for (TopologyDevice device : devices) {
      Objects.requireNonNull(device, "device");
      if (this.devices.putIfAbsent(device.id(), device) != null) {
        warnings.add("device " + device.id() + " occurs twice; the second is left out");
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
    Objects.requireNonNull(nodes, "nodes");
    for (NumaNode node : nodes) {
      Objects.requireNonNull(node, "node");
    }
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
   * Adds a record of another tool. It takes precedence over the host and over earlier overlays,
   * unless it only has less information ({@link TopologyOverlay}).
   *
   * @param overlay the record
   * @return this builder
   */
  public HostTopologyBuilder overlay(TopologyOverlay overlay) {
    overlays.add(Objects.requireNonNull(overlay, "overlay"));
    return this;
  }

  /**
   * Sets the NUMA node of devices that name none to the NUMA node of their PCIe root. If the
   * devices of a root name several nodes, the node of the root is unknown.
   */
  HostTopologyBuilder numaNodesOfRoots() {
    Map<String, Set<Integer>> nodes = new HashMap<>();
    for (TopologyDevice device : devices.values()) {
      Location place = device.location();
      if (place.root() != null && place.numaNode().isPresent()) {
        nodes
            .computeIfAbsent(place.root(), any -> new TreeSet<>())
            .add(place.numaNode().getAsInt());
      }
    }
    devices.replaceAll(
        (id, device) -> {
          Location place = device.location();
          Set<Integer> known =
              place.root() == null ? Set.of() : nodes.getOrDefault(place.root(), Set.of());
          return place.numaNode().isEmpty() && known.size() == 1
              ? device.withNumaNode(known.iterator().next())
              : device;
        });
    nodes.forEach(
        (root, several) -> {
          if (several.size() > 1) {
            warn("PCIe root " + root + " is on NUMA nodes " + several + " by its devices");
          }
        });
    return this;
  }

  void warn(String warning) {
    warnings.add(warning);
  }

  /**
   * Sets whether the two levels inside Broadcom's switches of PCIe generations 4 and 5 count as one
   * level, as in NCCL. They do unless set otherwise.
   *
   * @param flattens whether they count as one
   * @return this builder
   */
  public HostTopologyBuilder flattenBroadcomSwitches(boolean flattens) {
    this.flattensBroadcom = flattens;
    return this;
  }

  /** {@return the topology with the warnings about all data so far} The builder stays usable. */
  public HostTopology build() {
    TopologyParts parts =
        new TopologyParts(devices.values(), numaNodes, cpu, warnings, flattensBroadcom);
    List<OverlayContribution> contributions =
        overlays.stream().map(OverlayContribution::of).toList();
    contributions.forEach(contribution -> contribution.addTo(parts));

    List<TopologyDevice> sorted = parts.devices.values().stream().sorted(ORDER).toList();
    for (OverlayContribution contribution : contributions) {
      sorted = contribution.correct(sorted, parts.warnings);
    }

    Map<String, Integer> indices = new LinkedHashMap<>();
    sorted.forEach(device -> indices.put(device.id(), indices.size()));
    TreeLayer base = base(sorted, parts.identities());
    LinkTable links = new LinkTable(indices, sorted);
    List<PathLayer> layers = new ArrayList<>();
    for (OverlayContribution contribution : contributions) {
      layers.add(contribution.layer(sorted, parts));
      links.add(contribution.links());
    }
    reportContradictions(sorted, layers, parts.warnings);

    return new HostTopology(
        sorted, indices, parts, links, base, ImmutableList.copyOf(layers).reverse());
  }

  private TreeLayer base(List<TopologyDevice> sorted, Map<PciAddress, PciIdentity> identities) {
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
      if (devices.containsKey(device.id())) {
        layer.place(i, device);
        anyNumaNode |= device.location().numaNode().isPresent();
      } else if (device.location().numaNode().isPresent()) {
        layer.numaNode(i, device.location().numaNode().getAsInt());
      }
    }
    // A kernel without NUMA lists no nodes, and no device names one.
    boolean withoutNuma = source == TopologySource.SYSFS && numaNodes.isEmpty() && !anyNumaNode;
    return layer
        .singleNumaNode(!devices.isEmpty() && (numaNodes.size() == 1 || withoutNuma))
        .answersAll()
        .build();
  }

  private static void reportContradictions(
      List<TopologyDevice> sorted, List<PathLayer> layers, List<String> warnings) {
    int[] endpoints =
        IntStream.range(0, sorted.size()).filter(i -> sorted.get(i).kind().isEndpoint()).toArray();
    if (endpoints.length > MAX_COMPARED) {
      return;
    }
    for (int later = 1; later < layers.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        reportContradictions(sorted, endpoints, layers.get(earlier), layers.get(later), warnings);
      }
    }
  }

  private static void reportContradictions(
      List<TopologyDevice> sorted,
      int[] endpoints,
      PathLayer earlier,
      PathLayer later,
      List<String> warnings) {
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

  /** Whether two types are compatible, because one of them is less specific. */
  private static boolean agree(PathType a, PathType b) {
    return a.leavesOpen(b) || b.leavesOpen(a) || a.nvidiaSmiName().equals(b.nvidiaSmiName());
  }
}
