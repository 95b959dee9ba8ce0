package io.dra4j.placement.internal.server;

import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paths between the GPUs and NICs of a server. Paths that are not published are derived, so
 * that they agree with the tree of the server. Devices that other devices connect have the distance
 * in the tree. If a device of one group is across NUMA nodes from a device of another group, so are
 * all devices of both groups.
 */
final class PathCompletion {

  private final HostTopology host;
  private final @Nullable PathTree tree;
  private final int[] places; // positions in the topology
  private int[] groups = {}; // by device: the first device of its widest group below the root
  private boolean[][] apart = {}; // by the first devices of two groups

  /** Reads the paths; {@code tree} has the GPUs, then the NICs, and is null if there is none. */
  PathCompletion(
      HostTopology host,
      @Nullable PathTree tree,
      List<TopologyDevice> gpus,
      List<TopologyDevice> nics) {
    this.host = host;
    this.tree = tree;
    List<TopologyDevice> all = new ArrayList<>(gpus);
    all.addAll(nics);
    this.places = all.stream().mapToInt(device -> host.indexOf(device.id())).toArray();
    if (tree != null) {
      group(tree);
    }
  }

  private void group(PathTree known) {
    groups = new int[places.length];
    apart = new boolean[places.length][places.length];
    for (int a = 0; a < groups.length; a++) {
      groups[a] = a;
      for (int b = a - 1; b >= 0; b--) {
        groups[a] = meeting(known, a, b) != PathType.SYSTEM ? b : groups[a];
      }
    }
    for (int a = 0; a < groups.length; a++) {
      for (int b = 0; b < a; b++) {
        if (host.path(places[a], places[b]) == PathType.SYSTEM) {
          apart[groups[a]][groups[b]] = true;
          apart[groups[b]][groups[a]] = true;
        }
      }
    }
  }

  /** The path between two devices. GPUs have the first numbers, NICs the numbers after all GPUs. */
  PathType path(int a, int b) {
    PathType path = host.path(places[a], places[b]);
    PathTree known = tree;
    if (path != PathType.UNKNOWN || known == null) {
      return path;
    }
    PathType most = meeting(known, a, b);
    return most == PathType.SYSTEM && !apart[groups[a]][groups[b]] ? path : most;
  }

  private static PathType meeting(PathTree tree, int a, int b) {
    int node = tree.nodeOf(a);
    while (!isBelow(tree, b, node)) {
      node = tree.parent(node);
    }
    return tree.type(node);
  }

  /** Whether a device is below a node. */
  static boolean isBelow(PathTree tree, int device, int node) {
    int at = tree.nodeOf(device);
    while (at >= 0 && at != node) {
      at = tree.parent(at);
    }
    return at == node;
  }
}
