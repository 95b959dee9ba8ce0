package io.dra4j.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Devices of a host as a tree of classes. The path between two devices has the type of the lowest
 * node above both. So the type of a node is the longest path between the devices below it.
 * Immutable and thread-safe.
 *
 * <p>Created from the paths of a {@link HostTopology}, including overlays, so that it agrees with
 * them. There is no tree if paths contradict each other, for example if a and b share a switch, b
 * and c share a switch, and a and c do not. An unknown path ({@link PathType#UNKNOWN}) follows from
 * other paths if these connect the devices; unconnected devices meet in the root. {@link
 * PathType#HOST_BRIDGE_OR_NUMA_NODE} counts as {@link PathType#NUMA_NODE}.
 */
public final class PathTree {

  /** The time grows with the square of the number of devices: half a second for this number. */
  private static final int MAX_DEVICES = 2_048;

  private static final PathType[] LEVELS = {
    PathType.SAME_CARD,
    PathType.SWITCH,
    PathType.MULTI_SWITCH,
    PathType.HOST_BRIDGE,
    PathType.NUMA_NODE,
    PathType.SYSTEM
  };

  private static final int UNKNOWN_LEVEL = LEVELS.length;

  private final int[] parents;
  private final PathType[] types;
  private final PathType[] widest;
  private final int[] homes;

  private PathTree(int[] parents, PathType[] types, PathType[] widest, int[] homes) {
    this.parents = parents;
    this.types = types;
    this.widest = widest;
    this.homes = homes;
  }

  /**
   * {@return the tree of some devices; empty if the paths contradict each other or there are more
   * than 2,048 devices}
   *
   * @param topology the host
   * @param devices devices of the host; the tree refers to devices by their positions in this list
   * @throws java.util.NoSuchElementException if the host does not have one of the devices
   */
  public static Optional<PathTree> of(HostTopology topology, List<TopologyDevice> devices) {
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(devices, "devices");
    int size = devices.size();
    if (size > MAX_DEVICES) {
      return Optional.empty();
    }
    PathMatrix paths = topology.matrix(devices);
    byte[][] levels = new byte[size][size];
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        levels[a][b] = (byte) levelOf(a == b ? PathType.SELF : paths.path(a, b));
      }
    }
    Making making = new Making(size);
    for (int level = 0; level < LEVELS.length; level++) {
      if (!making.join(levels, level)) {
        return Optional.empty();
      }
    }
    return Optional.of(making.tree());
  }

  /** The level of a path; the level of the root if the path is unknown. */
  private static int levelOf(PathType type) {
    return switch (type) {
      case SELF, SAME_CARD -> 0;
      case SWITCH -> 1;
      case MULTI_SWITCH -> 2;
      case HOST_BRIDGE -> 3;
      case HOST_BRIDGE_OR_NUMA_NODE, NUMA_NODE -> 4;
      case SYSTEM -> 5;
      case UNKNOWN -> UNKNOWN_LEVEL;
    };
  }

  /** {@return the number of nodes; the last one is the root, and children precede their parents} */
  public int size() {
    return parents.length;
  }

  /**
   * {@return the number of the parent of a node; -1 for the root}
   *
   * @param node the number of a node
   */
  public int parent(int node) {
    return parents[node];
  }

  /**
   * {@return the type of the path between two devices that meet in a node, the longest below it}
   *
   * @param node the number of a node
   */
  public PathType type(int node) {
    return types[node];
  }

  /**
   * {@return the last type, from {@link #type(int)} on, for which the devices below a node form the
   * whole group} A host bridge that is the only one of its NUMA node also represents the NUMA node.
   *
   * @param node the number of a node
   */
  public PathType widestType(int node) {
    return widest[node];
  }

  /**
   * {@return the number of the lowest node above a device}
   *
   * @param device the position of the device in the list from which the tree was created
   */
  public int nodeOf(int device) {
    return homes[device];
  }

  /** Joins devices level by level, nearest first. */
  private static final class Making {

    private final int size;
    private final int[] block; // by device, the smallest device of its block
    private final int[] home;
    private final List<Integer> parents = new ArrayList<>();
    private final List<PathType> types = new ArrayList<>();
    private final List<PathType> widest = new ArrayList<>();
    private final Map<Integer, Integer> nodes =
        new HashMap<>(); // the nodes of blocks, by smallest device

    Making(int size) {
      this.size = size;
      this.block = new int[size];
      this.home = new int[size];
      Arrays.setAll(block, device -> device);
      Arrays.fill(home, -1);
    }

    /** Joins the devices within a level; false if the joined devices are not all within it. */
    boolean join(byte[][] levels, int level) {
      int[] before = block.clone();
      boolean root = level == LEVELS.length - 1;
      for (int a = 0; a < size; a++) {
        for (int b = a + 1; b < size; b++) {
          if (root || levels[a][b] <= level) {
            union(block[a], block[b]);
          }
        }
      }
      for (int a = 0; a < size; a++) {
        for (int b = a + 1; b < size; b++) {
          if (block[a] == block[b] && levels[a][b] > level && levels[a][b] != UNKNOWN_LEVEL) {
            return false;
          }
        }
      }
      for (int first = 0; first < size; first++) {
        if (block[first] == first) {
          settle(first, before, level);
        }
      }
      return true;
    }

    private void union(int a, int b) {
      if (a == b) {
        return;
      }
      int from = Math.max(a, b);
      int to = Math.min(a, b);
      for (int device = 0; device < size; device++) {
        if (block[device] == from) {
          block[device] = to;
        }
      }
    }

    /** Creates the node of a block, or widens its existing node to this level. */
    private void settle(int first, int[] before, int level) {
      boolean grew = false;
      for (int device = 0; device < size; device++) {
        grew |= block[device] == first && before[device] != before[first];
      }
      Integer same = nodes.get(first);
      if (!grew && same != null) {
        widest.set(same, LEVELS[level]);
      } else if (grew || level == LEVELS.length - 1) {
        int node = parents.size();
        parents.add(-1);
        types.add(LEVELS[level]);
        widest.add(LEVELS[level]);
        for (int device = 0; device < size; device++) {
          if (block[device] != first) {
            continue;
          }
          Integer child = nodes.remove(before[device]);
          if (child != null) {
            parents.set(child, node);
          }
          if (home[device] < 0) {
            home[device] = node;
          }
        }
        nodes.put(first, node);
      }
    }

    PathTree tree() {
      if (parents.isEmpty()) { // no devices
        return new PathTree(
            new int[] {-1},
            new PathType[] {PathType.SYSTEM},
            new PathType[] {PathType.SYSTEM},
            new int[0]);
      }
      return new PathTree(
          parents.stream().mapToInt(Integer::intValue).toArray(),
          types.toArray(PathType[]::new),
          widest.toArray(PathType[]::new),
          home);
    }
  }
}
