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
 * The part of a host that people want to see: NUMA nodes, host bridges, the bridges where ways
 * part, and the devices that matter. Bridges with one thing below them are left out.
 *
 * @param title what it is
 * @param detail more about it; may be empty
 * @param level what kind of place it is
 * @param branches the places in it
 * @param devices the devices in it
 * @param bridge the bridge that it is; null if it is none
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

  /** The number that stands for no node, after those of all nodes. */
  private static final int UNKNOWN = Integer.MAX_VALUE;

  /** The NUMA nodes of a host as the overlays correct it; what has none comes last. */
  static List<TopologyTree> of(HostTopology topology) {
    Map<Integer, List<TopologyDevice>> byNode = new TreeMap<>(Comparator.naturalOrder());
    boolean anyCpus = topology.numaNodes().stream().anyMatch(node -> !node.cpus().isEmpty());
    for (NumaNode node : topology.numaNodes()) {
      if (!node.cpus().isEmpty() || !anyCpus) { // else it is memory alone
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
   * The devices by host bridge; by the place of NCCL's files, which have none, if the host does not
   * know it either or has a switch of the file below several.
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

  /** The topmost bridge above a device in the tree that its paths follow; itself if none is. */
  private static String top(TopologyDevice device, HostTopology topology) {
    List<PciAddress> chain = topology.place(device).bridges();
    return chain.isEmpty() ? device.id() : chain.get(0).toString();
  }

  private static boolean isWholeSwitches(String root) {
    return root.startsWith("cpu:");
  }

  /** What is below a bridge at this depth of the devices' chains. */
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

  /** A bridge is called what it is; NCCL's files have whole switches instead of bridges. */
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
