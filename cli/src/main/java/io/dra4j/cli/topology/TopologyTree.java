package io.dra4j.cli.topology;

import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The relevant part of a host: NUMA nodes, host bridges, bridges with several branches, and the
 * shown devices. Bridges with only one element below them are left out.
 *
 * @param title the name of the place
 * @param detail further information; may be empty
 * @param level the kind of the place
 * @param branches the places in it
 * @param devices the devices in it
 * @param bridge the bridge; null if the place is not a bridge
 */
record TopologyTree(
    String title,
    String detail,
    Level level,
    List<TopologyTree> branches,
    List<TopologyDevice> devices,
    @Nullable PciAddress bridge) {

  /** The kinds of places. */
  enum Level {
    NUMA_NODE,
    HOST_BRIDGE,
    SWITCH
  }

  /** The number of devices without a node, after all node numbers. */
  private static final int UNKNOWN = Integer.MAX_VALUE;

  /** Returns a host's NUMA nodes, corrected by overlays; devices without a node come last. */
  static List<TopologyTree> of(HostTopology topology) {
    Map<Integer, List<TopologyDevice>> byNode = new TreeMap<>(Comparator.naturalOrder());
    boolean anyCpus = topology.numaNodes().stream().anyMatch(node -> !node.cpus().isEmpty());
    for (NumaNode node : topology.numaNodes()) {
      if (!node.cpus().isEmpty() || !anyCpus) { // otherwise it has only memory
        byNode.put(node.id(), new ArrayList<>());
      }
    }
    for (TopologyDevice device : topology.devices()) {
      if (device.kind().isEndpoint()
          || device.kind() == DeviceKind.NVME
          || device.kind() == DeviceKind.DISPLAY) {
        int node = device.location().numaNode().orElse(UNKNOWN);
        byNode.computeIfAbsent(node, any -> new ArrayList<>()).add(device);
      }
    }
    List<TopologyTree> trees = new ArrayList<>();
    byNode.forEach((node, devices) -> trees.add(numaNode(node, devices, topology)));
    return trees;
  }

  private static TopologyTree numaNode(
      int id, List<TopologyDevice> devices, HostTopology topology) {
    String detail =
        topology.numaNodes().stream()
            .filter(node -> node.id() == id && !node.cpus().isEmpty())
            .map(node -> "CPUs " + node.cpus())
            .findFirst()
            .orElse("");
    Map<String, List<TopologyDevice>> byRoot = byRoot(devices, topology);
    List<TopologyTree> roots = new ArrayList<>();
    List<TopologyDevice> loose = new ArrayList<>();
    byRoot.forEach(
        (root, some) -> {
          if (root.isEmpty()) {
            loose.addAll(some);
          } else if (isWholeSwitches(root)) {
            TopologyTree all = below(root, "", Level.HOST_BRIDGE, some, 0, topology);
            roots.addAll(all.branches);
            loose.addAll(all.devices);
          } else {
            roots.add(below(root, "", Level.HOST_BRIDGE, some, 0, topology));
          }
        });
    String title = id == UNKNOWN ? "NUMA node unknown" : "NUMA node " + id;
    return new TopologyTree(title, detail, Level.NUMA_NODE, roots, loose, null);
  }

  /**
   * Returns the devices by host bridge. NCCL's files have no host bridges. Their devices are
   * grouped by their place in the file if the host bridge is not known, or if a switch of the file
   * is below several host bridges.
   */
  private static Map<String, List<TopologyDevice>> byRoot(
      List<TopologyDevice> devices, HostTopology topology) {
    Map<String, Set<String>> hostBridges = new HashMap<>(); // by what must stay together
    for (TopologyDevice device : devices) {
      String root = device.location().root();
      if (root != null && !isWholeSwitches(root)) {
        hostBridges.computeIfAbsent(top(device, topology), any -> new HashSet<>()).add(root);
      }
    }
    Map<String, List<TopologyDevice>> byRoot = new LinkedHashMap<>();
    for (TopologyDevice device : devices) {
      String root = topology.place(device).root();
      if (root != null && isWholeSwitches(root)) {
        Set<String> known = hostBridges.getOrDefault(top(device, topology), Set.of());
        root = known.size() == 1 ? known.iterator().next() : root;
      }
      byRoot.computeIfAbsent(root == null ? "" : root, any -> new ArrayList<>()).add(device);
    }
    return byRoot;
  }

  /** Returns the topmost bridge above a device in the tree; the device itself if there is none. */
  private static String top(TopologyDevice device, HostTopology topology) {
    List<PciAddress> chain = topology.place(device).bridges();
    return chain.isEmpty() ? device.id() : chain.get(0).toString();
  }

  private static boolean isWholeSwitches(String root) {
    return root.startsWith("cpu:");
  }

  /** Returns the tree below a bridge at this depth of the chains of the devices. */
  private static TopologyTree below(
      String title,
      String detail,
      Level level,
      List<TopologyDevice> devices,
      int depth,
      HostTopology topology) {
    Map<PciAddress, List<TopologyDevice>> byBridge = new LinkedHashMap<>();
    List<TopologyDevice> here = new ArrayList<>();
    for (TopologyDevice device : devices) {
      List<PciAddress> chain = topology.place(device).bridges();
      if (chain.size() > depth) {
        byBridge.computeIfAbsent(chain.get(depth), any -> new ArrayList<>()).add(device);
      } else {
        here.add(device);
      }
    }
    List<TopologyTree> branches = new ArrayList<>();
    byBridge.forEach(
        (bridge, some) -> {
          String link =
              topology.bridges().stream()
                  .filter(known -> bridge.equals(known.address()) && known.link() != null)
                  .map(known -> String.valueOf(known.link()))
                  .findFirst()
                  .orElse("");
          TopologyTree branch =
              below(bridge.toString(), link, Level.SWITCH, some, depth + 1, topology)
                  .named(bridge, some, depth, topology);
          if (branch.branches.size() + branch.devices.size() == 1) {
            branches.addAll(branch.branches);
            here.addAll(branch.devices);
          } else {
            branches.add(branch);
          }
        });
    return new TopologyTree(title, detail, level, branches, here, null);
  }

  /** Returns the tree, titled by its bridge's kind; NCCL's files have switches, not bridges. */
  private TopologyTree named(
      PciAddress address, List<TopologyDevice> below, int depth, HostTopology topology) {
    String root = topology.place(below.get(0)).root();
    boolean wholeSwitches = root == null || isWholeSwitches(root);
    boolean hasPorts =
        below.stream()
                .map(device -> topology.place(device).bridges())
                .filter(chain -> chain.size() > depth + 1)
                .map(chain -> chain.get(depth + 1))
                .distinct()
                .count()
            > 1;
    String kind =
        wholeSwitches ? "switch " : depth == 0 ? "root port " : hasPorts ? "switch " : "port ";
    return new TopologyTree(kind + title, detail, level, branches, devices, address);
  }
}
