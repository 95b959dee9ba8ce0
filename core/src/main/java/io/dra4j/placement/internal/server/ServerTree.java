package io.dra4j.placement.internal.server;

import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs and NICs of a server, up to 64 of each, as a tree of numbers. Has everything that is
 * needed to choose among them, without their names, so that servers of one kind share it.
 * Immutable.
 *
 * <p>A set is a mask in which the first device is the highest bit. The value of a set is the
 * bandwidth of the best pairs in it. On a tree in which longer paths are never faster, the heaviest
 * matching of GPUs and NICs is a sum over all nodes: the gain over the parent times the smaller of
 * both numbers below the node. The upper bits of a value count megabytes per second. The lower bits
 * count pairs by class, so that the nearer one of equally fast sets wins.
 *
 * <p>The potential of the free devices counts, in hundredths: pairs within one cell, which is a
 * lowest node with both kinds of devices (100); pairs of completely free cells (25); completely
 * free NUMA nodes (50); a completely free server (100); devices without a free partner (-10).
 */
public final class ServerTree {

  /** The bit where MB/s begin in a value; below are five counts of pairs by class, of six bits. */
  public static final int RATE_SHIFT = 30;

  /** The counts in a value. */
  public static final long CLASSES = (1L << RATE_SHIFT) - 1;

  public static final int MAX_DEVICES = 64;

  private static final int PAIR = 100;
  private static final int PAIR_OF_FREE_CELL = 25;
  private static final int FREE_NUMA_NODE = 50;
  private static final int FREE_SERVER = 100;
  static final int ORPHAN = -10;

  private static final long[] NO_CARDS = {};

  private static final PathType[] LEVELS = {
    PathType.SAME_CARD,
    PathType.SWITCH,
    PathType.MULTI_SWITCH,
    PathType.HOST_BRIDGE,
    PathType.NUMA_NODE,
    PathType.SYSTEM
  };

  public final int nodes;
  final int[] parent;
  final int[][] children;
  final PathType[] types;
  public final long[] gpus; // below each node
  public final long[] nics;
  public final long[] ownGpus; // directly below each node
  public final long[] ownNics;
  final long[] gain; // over the parent, of a pair
  final boolean[] cell;
  final boolean[] belowCell; // including cells themselves
  final boolean[] numaNode;
  public final boolean[] top; // directly below the root
  public final long allGpus;
  public final long allNics;

  /** The bandwidth that all pairs that meet in the root share, in MB/s; no limit if negative. */
  final long rootLimit;

  final long rootRate; // MB/s of one pair that meets in the root
  private final int rootUsers; // pairs of others that meet in the root

  /** The NICs of each physical function that carries several of them. */
  final long[] cards;

  final long[] cardRates; // MB/s
  final long cardPairRate; // MB/s of the fastest pair
  private final PathRates rates;

  private final long[] cells; // GPUs, NICs

  /**
   * The data for scoring a set, in adjacent memory. Twins are nodes of one GPU and one NIC each,
   * with the same distance in their masks and the same worth. They are counted together.
   */
  private final long[] pairTwins; // GPUs, distance, gain

  private final long[] pairNodes; // all others: GPUs, NICs, gain
  private final long[] freeTwins; // GPUs, distance, the worth of a free pair
  private final long[] freeCells; // GPUs, NICs, the worth of a pair, and of all of them
  private final long[] wholes; // of nodes above: GPUs, NICs, the worth if all are free
  private final long[] tops; // of the nodes directly below the root: GPUs, NICs, gain
  private final int hash;

  /**
   * Creates a tree.
   *
   * @param tree the tree of all devices
   * @param gpuPlaces the positions of the GPUs in the tree, in their order
   * @param nicPlaces the positions of the NICs
   * @param rates the MB/s of a pair by the class of its path
   * @param rootLimit the bandwidth that all pairs across NUMA nodes share, in MB/s; negative for no
   *     limit
   * @param cards the NICs of each physical function with several of them
   * @param cardRates the bandwidth of these physical functions, in MB/s
   */
  @SuppressWarnings("ParameterNumber") // the facts of a server; most are only numbers
  public ServerTree(
      PathTree tree,
      int[] gpuPlaces,
      int[] nicPlaces,
      PathRates rates,
      long rootLimit,
      long @Nullable [] cards,
      long @Nullable [] cardRates) {
    this(tree, gpuPlaces, nicPlaces, rates, rootLimit, cards, cardRates, 0);
  }

  /**
   * Creates a tree with use by others.
   *
   * @param rootUsers the pairs of others across NUMA nodes, which have equal shares of the limit
   */
  @SuppressWarnings("ParameterNumber") // the facts of a server; most are only numbers
  public ServerTree(
      PathTree tree,
      int[] gpuPlaces,
      int[] nicPlaces,
      PathRates rates,
      long rootLimit,
      long @Nullable [] cards,
      long @Nullable [] cardRates,
      int rootUsers) {
    this.nodes = tree.size();
    this.parent = new int[nodes];
    this.types = new PathType[nodes];
    Arrays.setAll(parent, tree::parent);
    Arrays.setAll(types, tree::type);
    this.ownGpus = own(tree, gpuPlaces);
    this.ownNics = own(tree, nicPlaces);
    this.gpus = below(ownGpus);
    this.nics = below(ownNics);
    this.children = children();
    this.cell = new boolean[nodes];
    this.belowCell = new boolean[nodes];
    this.numaNode = new boolean[nodes];
    this.top = new boolean[nodes];
    this.gain = new long[nodes];
    classify(tree, rates);
    this.allGpus = gpus[nodes - 1];
    this.allNics = nics[nodes - 1];
    this.rootRate = rates.of(types[nodes - 1]);
    boolean crosses = types[nodes - 1] == PathType.SYSTEM;
    this.rootLimit = crosses ? rootLimit : -1;
    this.rootUsers = rootUsers;
    this.cards = cards == null ? NO_CARDS : cards;
    this.cardRates = cardRates == null ? NO_CARDS : cardRates;
    this.cardPairRate = rates.of(PathType.SWITCH);
    this.rates = rates;
    this.hash = hash(rates);
    Terms terms = new Terms();
    this.cells = terms.cells.build().toArray();
    this.pairTwins = terms.pairTwins.toArray();
    this.pairNodes = terms.pairNodes.build().toArray();
    this.freeTwins = terms.freeTwins.toArray();
    this.freeCells = terms.freeCells.build().toArray();
    this.wholes = terms.wholes.build().toArray();
    this.tops = terms.tops.build().toArray();
  }

  /** The devices directly below each node. */
  private static long[] own(PathTree tree, int[] places) {
    long[] own = new long[tree.size()];
    for (int i = 0; i < places.length; i++) {
      own[tree.nodeOf(places[i])] |= bit(i);
    }
    return own;
  }

  /** All devices below each node; the parent of a node has a higher number. */
  private long[] below(long[] own) {
    long[] below = own.clone();
    for (int v = 0; v < nodes - 1; v++) {
      below[parent[v]] |= below[v];
    }
    return below;
  }

  private int[][] children() {
    int[] counts = new int[nodes];
    for (int v = 0; v < nodes - 1; v++) {
      counts[parent[v]]++;
    }
    int[][] children = new int[nodes][];
    Arrays.setAll(children, v -> new int[counts[v]]);
    for (int v = nodes - 2; v >= 0; v--) {
      children[parent[v]][--counts[parent[v]]] = v;
    }
    return children;
  }

  /** Sets the gain of each node, and what kind of node it is. */
  private void classify(PathTree tree, PathRates rates) {
    for (int v = 0; v < nodes; v++) {
      top[v] = parent[v] == nodes - 1;
      gain[v] = worth(types[v], rates) - (parent[v] < 0 ? 0 : worth(types[parent[v]], rates));
      numaNode[v] =
          types[v].isWithin(PathType.NUMA_NODE) && PathType.NUMA_NODE.isWithin(tree.widestType(v));
      boolean childHasBoth = false;
      for (int child : children[v]) {
        childHasBoth |= hasBoth(child);
      }
      cell[v] = hasBoth(v) && !childHasBoth && types[v].isWithin(PathType.NUMA_NODE);
    }
    for (int v = nodes - 1; v >= 0; v--) {
      belowCell[v] = cell[v] || (parent[v] >= 0 && belowCell[parent[v]]);
    }
  }

  private boolean hasBoth(int v) {
    return gpus[v] != 0 && nics[v] != 0;
  }

  /** Collects the data for scoring a set. */
  private final class Terms {
    final LongStream.Builder cells = LongStream.builder();
    final Twins pairTwins = new Twins();
    final LongStream.Builder pairNodes = LongStream.builder();
    final Twins freeTwins = new Twins();
    final LongStream.Builder freeCells = LongStream.builder();
    final LongStream.Builder wholes = LongStream.builder();
    final LongStream.Builder tops = LongStream.builder();

    Terms() {
      for (int v = 0; v < nodes; v++) {
        boolean single = Long.bitCount(gpus[v]) == 1 && Long.bitCount(nics[v]) == 1;
        addPairs(v, single);
        addPotential(v, single);
        if (top[v]) {
          tops.add(gpus[v]).add(nics[v]).add(gain[v]);
        }
      }
    }

    private void addPairs(int v, boolean single) {
      if (top[v] || v == nodes - 1) {
        return; // these are added separately
      }
      if (single) {
        pairTwins.add(gpus[v], nics[v], gain[v]);
      } else if (hasBoth(v)) {
        pairNodes.add(gpus[v]).add(nics[v]).add(gain[v]);
      }
    }

    private void addPotential(int v, boolean single) {
      int whole = worthWhole(v);
      int pair = PAIR - 2 * ORPHAN; // all devices count as without a partner
      if (cell[v]) {
        cells.add(gpus[v]).add(nics[v]);
      }
      if (cell[v] && single) {
        freeTwins.add(gpus[v], nics[v], pair + whole);
      } else if (cell[v]) {
        freeCells.add(gpus[v]).add(nics[v]).add(pair).add(whole);
      } else if (whole > 0) {
        wholes.add(gpus[v]).add(nics[v]).add(whole);
      }
    }
  }

  /** Collects twins. */
  private static final class Twins {

    private record Key(int distance, long worth) {}

    private final Map<Key, Long> gpus = new LinkedHashMap<>();

    /** Adds a node of one GPU and one NIC. */
    void add(long gpu, long nic, long worth) {
      int distance = Long.numberOfLeadingZeros(nic) - Long.numberOfLeadingZeros(gpu);
      gpus.merge(new Key(distance, worth), gpu, (one, other) -> one | other);
    }

    /** The GPUs, the distance and the worth of each kind. */
    long[] toArray() {
      LongStream.Builder all = LongStream.builder();
      gpus.forEach((key, mask) -> all.add(mask).add(key.distance).add(key.worth));
      return all.build().toArray();
    }

    /** The worth of the pairs with both devices in the masks. */
    static long worth(long[] twins, long someGpus, long someNics) {
      long sum = 0;
      for (int i = 0; i < twins.length; i += 3) {
        long both = someGpus & Long.rotateLeft(someNics, (int) twins[i + 1]) & twins[i];
        sum += twins[i + 2] * Long.bitCount(both);
      }
      return sum;
    }
  }

  /** The potential that a node adds if all devices below it are free. */
  private int worthWhole(int v) {
    return (cell[v]
            ? PAIR_OF_FREE_CELL * Math.min(Long.bitCount(gpus[v]), Long.bitCount(nics[v]))
            : 0)
        + (numaNode[v] ? FREE_NUMA_NODE : 0)
        + (v == nodes - 1 ? FREE_SERVER : 0);
  }

  private int hash(PathRates rates) {
    int result = rates.hashCode();
    result = 31 * result + Arrays.hashCode(parent);
    result = 31 * result + Arrays.hashCode(ownGpus);
    result = 31 * result + Arrays.hashCode(ownNics);
    return result;
  }

  public static long bit(int device) {
    return Long.MIN_VALUE >>> device;
  }

  /** The mask of the first devices; a mask holds at most 64. */
  public static long first(int count) {
    return count >= MAX_DEVICES ? -1 : ~(-1L >>> count);
  }

  /** The value that a pair of a class adds to a set. */
  private static long worth(PathType type, PathRates rates) {
    return (rates.of(type) << RATE_SHIFT) + unit(type);
  }

  /** The value of one pair in the counts by class; lower if the pair is farther apart. */
  public static long unit(PathType type) {
    return switch (type) {
      case SELF, SAME_CARD -> 1L << 24;
      case SWITCH -> 1L << 18;
      case MULTI_SWITCH -> 1L << 12;
      case HOST_BRIDGE -> 1L << 6;
      case HOST_BRIDGE_OR_NUMA_NODE, NUMA_NODE -> 1;
      case UNKNOWN, SYSTEM -> 0;
    };
  }

  /**
   * The value of a set: its bandwidth and its pairs by class, shared limits included.
   *
   * @param freeNics the NICs that no other claim has, including the NICs of the set
   */
  public long value(long someGpus, long someNics, long freeNics) {
    return value(someGpus, someNics, freeNics, rootLimit >= 0);
  }

  /**
   * An upper bound of the value of any set of some of these GPUs and all of these NICs. On a tree,
   * more GPUs never reduce the value, and shared links between NUMA nodes never increase it.
   *
   * @param freeNics the NICs that no other claim has, including the NICs of the set
   */
  public long valueOfMost(long someGpus, long someNics, long freeNics) {
    return value(someGpus, someNics, freeNics, false);
  }

  private long value(long someGpus, long someNics, long freeNics, boolean limited) {
    int meeting = pairs(someGpus & allGpus, someNics & allNics);
    long sum = gain[nodes - 1] * meeting + Twins.worth(pairTwins, someGpus, someNics);
    for (int i = 0; i < tops.length; i += 3) {
      int pairs = pairs(someGpus & tops[i], someNics & tops[i + 1]);
      sum += tops[i + 2] * pairs;
      meeting -= pairs;
    }
    for (int i = 0; i < pairNodes.length; i += 3) {
      sum += pairNodes[i + 2] * pairs(someGpus & pairNodes[i], someNics & pairNodes[i + 1]);
    }
    long excess = cards.length == 0 ? 0 : excessOfCards(someNics, freeNics);
    excess += limited && meeting > 0 ? excessOfRoot(meeting) : 0;
    return sum - (excess << RATE_SHIFT);
  }

  private static int pairs(long someGpus, long someNics) {
    return Math.min(Long.bitCount(someGpus), Long.bitCount(someNics));
  }

  /** The number of pairs of a set that meet only in the root. */
  int meetingInRoot(long someGpus, long someNics) {
    int meeting = pairs(someGpus & allGpus, someNics & allNics);
    for (int i = 0; i < tops.length; i += 3) {
      meeting -= pairs(someGpus & tops[i], someNics & tops[i + 1]);
    }
    return meeting;
  }

  /** The bandwidth of pairs across NUMA nodes in excess of the limit, in MB/s. */
  long excessOfRoot(long pairs) {
    return rootLimit < 0 || pairs == 0
        ? 0
        : Math.max(0, pairs * rootRate - rootLimit * pairs / (pairs + rootUsers));
  }

  /**
   * The MB/s of NICs in excess of the rate of the physical function that they share, if all were
   * paired. Each NIC in use has an equal share; {@code free} are the NICs that no other claim has.
   */
  long excessOfCards(long some, long free) {
    long excess = 0;
    for (int i = 0; i < cards.length; i++) {
      int mine = Long.bitCount(some & cards[i]);
      if (mine > 0) {
        int others = Long.bitCount(allNics & cards[i] & ~free);
        excess += Math.max(0, mine * cardPairRate - cardRates[i] * mine / (mine + others));
      }
    }
    return excess;
  }

  /** The potential of free devices, in hundredths. */
  public long potential(long freeGpus, long freeNics) {
    long sum =
        (long) ORPHAN * (Long.bitCount(freeGpus & allGpus) + Long.bitCount(freeNics & allNics))
            + Twins.worth(freeTwins, freeGpus, freeNics);
    for (int i = 0; i < freeCells.length; i += 4) {
      long ofGpus = freeGpus & freeCells[i];
      long ofNics = freeNics & freeCells[i + 1];
      boolean whole = ofGpus == freeCells[i] && ofNics == freeCells[i + 1];
      sum += freeCells[i + 2] * pairs(ofGpus, ofNics) + (whole ? freeCells[i + 3] : 0);
    }
    for (int i = 0; i < wholes.length; i += 3) {
      sum += ((wholes[i] & ~freeGpus) | (wholes[i + 1] & ~freeNics)) == 0 ? wholes[i + 2] : 0;
    }
    return sum;
  }

  /** The number of nodes and lone devices directly below the root over which a set is spread. */
  public int span(long someGpus, long someNics) {
    int root = nodes - 1;
    int sum = Long.bitCount(someGpus & ownGpus[root]) + Long.bitCount(someNics & ownNics[root]);
    for (int i = 0; i < tops.length; i += 3) {
      sum += ((someGpus & tops[i]) | (someNics & tops[i + 1])) != 0 ? 1 : 0;
    }
    return sum;
  }

  /** The number of cells with a device of a set. */
  public int cellsOf(long someGpus, long someNics) {
    int sum = 0;
    for (int cell = 0; cell < cells(); cell++) {
      sum += ((someGpus & gpusOfCell(cell)) | (someNics & nicsOfCell(cell))) != 0 ? 1 : 0;
    }
    return sum;
  }

  /** The number of cells: lowest nodes with GPUs and NICs. */
  public int cells() {
    return cells.length / 2;
  }

  public long gpusOfCell(int cell) {
    return cells[2 * cell];
  }

  public long nicsOfCell(int cell) {
    return cells[2 * cell + 1];
  }

  /** The part of the potential that depends on the numbers of free devices below a node. */
  public long potential(int v, int freeGpus, int freeNics) {
    long sum = 0;
    int totalGpus = Long.bitCount(gpus[v]);
    int totalNics = Long.bitCount(nics[v]);
    boolean whole = freeGpus == totalGpus && freeNics == totalNics;
    if (cell[v]) {
      int pairs = Math.min(freeGpus, freeNics);
      sum += (long) PAIR * pairs + (long) ORPHAN * (freeGpus + freeNics - 2 * pairs);
    }
    sum += whole ? worthWhole(v) : 0;
    return sum;
  }

  /**
   * An upper bound of the value of any set with a number of pairs of free devices. For each class
   * together with all nearer classes, it counts as many pairs as are possible, but not more than
   * wanted.
   */
  public long bound(long freeGpus, long freeNics, int pairs) {
    long sum = 0;
    long farther = 0;
    for (int i = LEVELS.length - 1; i >= 0; i--) {
      long worth = worth(LEVELS[i], rates);
      sum += (worth - farther) * Math.min(pairs, pairsWithin(freeGpus, freeNics, LEVELS[i]));
      farther = worth;
    }
    return sum;
  }

  /** The greatest number of disjoint pairs within a distance. */
  public int pairsWithin(long freeGpus, long freeNics, PathType within) {
    int sum = 0;
    for (int v = 0; v < nodes; v++) {
      boolean group =
          types[v].isWithin(within) && (parent[v] < 0 || !types[parent[v]].isWithin(within));
      if (group) {
        sum += Math.min(Long.bitCount(freeGpus & gpus[v]), Long.bitCount(freeNics & nics[v]));
      }
    }
    return sum;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof ServerTree shape && isSame(shape));
  }

  private boolean isSame(ServerTree shape) {
    return hash == shape.hash
        && Arrays.equals(parent, shape.parent)
        && Arrays.equals(types, shape.types)
        && Arrays.equals(ownGpus, shape.ownGpus)
        && Arrays.equals(ownNics, shape.ownNics)
        && Arrays.equals(gain, shape.gain)
        && Arrays.equals(numaNode, shape.numaNode)
        && rootLimit == shape.rootLimit
        && rootUsers == shape.rootUsers
        && rootRate == shape.rootRate
        && cardPairRate == shape.cardPairRate
        && Arrays.equals(cards, shape.cards)
        && Arrays.equals(cardRates, shape.cardRates);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
