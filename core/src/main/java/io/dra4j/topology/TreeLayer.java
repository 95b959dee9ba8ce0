package io.dra4j.topology;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Paths in a tree of PCI devices, by the rules of NCCL and nvidia-smi: count the bridges on either
 * side below the point where the paths to the root meet. If they do not meet, compare NUMA nodes.
 *
 * <p>The data of the rules is stored as numbers, so that a path costs only a few comparisons.
 */
final class TreeLayer implements PathLayer {

  /**
   * Broadcom's PCIe switches of generations 4 and 5. Inside, they are two levels of switches that
   * run at full speed, which NCCL therefore counts as one ({@code src/graph/topo.cc}).
   */
  private static final Set<Integer> BROADCOM = Set.of(0x1000_c010, 0x1000_c030);

  private static final int NONE = -1;
  private static final int[] NO_CHAIN = {};

  private final TopologySource source;
  private final String origin;
  private final boolean wholeSwitches;
  private final boolean singleNumaNode;
  private final boolean answersAll;
  private final boolean[] known;
  private final long[] card;
  private final int[] root;
  private final int[] numaNode;
  private final int[][] chain;

  private TreeLayer(Builder builder) {
    this.source = builder.source;
    this.origin = builder.origin;
    this.wholeSwitches = builder.levels == TreeOverlay.Levels.SWITCHES;
    this.singleNumaNode = builder.singleNumaNode;
    this.answersAll = builder.answersAll;
    this.known = builder.known;
    this.card = builder.card;
    this.root = builder.root;
    this.numaNode = builder.numaNode;
    this.chain = builder.chain;
  }

  @Override
  public TopologySource source() {
    return source;
  }

  @Override
  public String origin() {
    return origin;
  }

  @Override
  public @Nullable PathType type(int a, int b) {
    if (!known[a] || !known[b]) {
      return answersAll ? byNumaNode(a, b) : null;
    }
    if (card[a] == card[b] && card[a] != NONE) {
      return PathType.SAME_CARD;
    }
    if (sameRoot(a, b) == 1) {
      return withinRoot(chain[a], chain[b]);
    }
    PathType type = byNumaNode(a, b);
    return type == PathType.UNKNOWN && !answersAll ? null : type;
  }

  private PathType withinRoot(int[] a, int[] b) {
    int shared = 0;
    int end = Math.min(a.length, b.length);
    while (shared < end && a[shared] == b[shared]) {
      shared++;
    }
    if (shared == 0) {
      return wholeSwitches ? PathType.HOST_BRIDGE_OR_NUMA_NODE : PathType.HOST_BRIDGE;
    }
    // Two ports of one switch are two bridges.
    int within = wholeSwitches ? shared : shared + 1;
    return a.length <= within && b.length <= within ? PathType.SWITCH : PathType.MULTI_SWITCH;
  }

  private PathType byNumaNode(int a, int b) {
    if (numaNode[a] == NONE || numaNode[b] == NONE) {
      return singleNumaNode ? PathType.NUMA_NODE : PathType.UNKNOWN;
    }
    return numaNode[a] == numaNode[b] ? PathType.NUMA_NODE : PathType.SYSTEM;
  }

  /**
   * Returns whether two devices are below one host bridge: 1, 0, or -1 if this source does not
   * know. Devices that share the bridge below it are, whether or not the host bridge has a name.
   */
  int sameRoot(int a, int b) {
    if (root[a] != NONE && root[b] != NONE) {
      return root[a] == root[b] ? 1 : 0;
    }
    return chain[a].length > 0 && chain[b].length > 0 && chain[a][0] == chain[b][0] ? 1 : NONE;
  }

  /** Collects the locations of devices. */
  static final class Builder {

    private final TopologySource source;
    private final String origin;
    private final TreeOverlay.Levels levels;
    private final Map<PciAddress, PciIdentity> bridges;
    private final boolean flattensBroadcom;
    private final boolean[] known;
    private final long[] card;
    private final int[] root;
    private final int[] numaNode;
    private final int[][] chain;
    private final Map<String, Integer> roots = new HashMap<>();
    private final Map<PciAddress, Integer> bridgeNumbers = new HashMap<>();
    private boolean singleNumaNode;
    private boolean answersAll;

    Builder(
        TopologySource source,
        String origin,
        TreeOverlay.Levels levels,
        Map<PciAddress, PciIdentity> bridges,
        boolean flattensBroadcom,
        int devices) {
      this.source = source;
      this.origin = origin;
      this.levels = levels;
      this.bridges = bridges;
      this.flattensBroadcom = flattensBroadcom;
      this.known = new boolean[devices];
      this.card = new long[devices];
      this.root = new int[devices];
      this.numaNode = new int[devices];
      this.chain = new int[devices][];
      Arrays.fill(card, NONE);
      Arrays.fill(root, NONE);
      Arrays.fill(numaNode, NONE);
      Arrays.fill(chain, NO_CHAIN);
    }

    /** Adds the location of the device with this index. */
    Builder place(int index, TopologyDevice device) {
      Location location = device.location();
      known[index] = true;
      PciAddress physical =
          device.physicalFunction() != null ? device.physicalFunction() : device.address();
      card[index] = physical == null ? NONE : physical.card();
      root[index] = number(roots, location.root());
      numaNode[index] = location.numaNode().orElse(NONE);
      chain[index] = chain(location.bridges());
      return this;
    }

    /** Sets the NUMA node of a device that has no location in this tree. */
    Builder numaNode(int index, int node) {
      numaNode[index] = node;
      return this;
    }

    /** Sets whether the host has one NUMA node, to which devices without a node then belong. */
    Builder singleNumaNode(boolean single) {
      this.singleNumaNode = single;
      return this;
    }

    /** Makes the layer answer for every pair, with {@link PathType#UNKNOWN} if necessary. */
    Builder answersAll() {
      this.answersAll = true;
      return this;
    }

    TreeLayer build() {
      return new TreeLayer(this);
    }

    private int[] chain(List<PciAddress> path) {
      int[] numbers = new int[path.size()];
      int length = 0;
      int previous = NONE; // the Broadcom switch above
      boolean inRun = false;
      for (PciAddress bridge : path) {
        int broadcom = broadcom(bridge);
        // Keep only the first of the levels of one switch and, if ports count, the last.
        boolean deeper = broadcom != NONE && broadcom == previous;
        if (deeper && wholeSwitch()) {
          continue;
        }
        if (deeper && inRun) {
          length--;
        }
        numbers[length++] = number(bridgeNumbers, bridge);
        inRun = deeper;
        previous = broadcom;
      }
      return Arrays.copyOf(numbers, length);
    }

    private boolean wholeSwitch() {
      return levels == TreeOverlay.Levels.SWITCHES;
    }

    private int broadcom(PciAddress bridge) {
      PciIdentity identity = flattensBroadcom ? bridges.get(bridge) : null;
      if (identity == null) {
        return NONE;
      }
      int number = identity.vendor() << 16 | identity.device();
      return BROADCOM.contains(number) ? number : NONE;
    }

    private static <K> int number(Map<K, Integer> numbers, @Nullable K key) {
      if (key == null) {
        return NONE;
      }
      Integer number = numbers.putIfAbsent(key, numbers.size());
      return number != null ? number : numbers.size() - 1;
    }
  }
}
