package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.selection.Pairing.Flow;
import io.dra4j.placement.internal.server.BestSetCache;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rates chosen devices: the bandwidth of their pairs, their nearness, and the remaining devices.
 */
public final class Scorer {

  /** The most devices of one side of a set to pair; a claim has at most 32 devices. */
  public static final int MAX_SIDE = 256;

  /** The bit where counts of pairs by class begin; lower bits count pairs at unknown distance. */
  private static final int UNKNOWN_BITS = 9;

  private final ServerModel kind;
  private final Objective objective;
  private final ServerOccupancy before;
  private final @Nullable PathType preferred;
  private final @Nullable PathType required;
  private final Pairing pairing;

  /**
   * Prepares scores.
   *
   * @param before the devices and links that were in use before
   * @param preferred the preferred maximum distance of pairs; null for any distance
   */
  public Scorer(
      ServerModel kind, Objective objective, ServerOccupancy before, @Nullable PathType preferred) {
    this(kind, objective, before, preferred, null);
  }

  /**
   * Prepares scores.
   *
   * @param before the devices and links that were in use before
   * @param preferred the preferred maximum distance of pairs; null for any distance. If not all
   *     pairs of a set can be within it, only {@link Objective#PACK} prefers as many of them as
   *     possible
   * @param required the maximum distance of pairs that are not within the preferred one; null for
   *     any distance
   */
  public Scorer(
      ServerModel kind,
      Objective objective,
      ServerOccupancy before,
      @Nullable PathType preferred,
      @Nullable PathType required) {
    this.kind = kind;
    this.objective = objective;
    this.before = before;
    this.preferred = preferred;
    this.required = required;
    this.pairing = new Pairing(kind, objective, before, preferred, required);
  }

  /** The worth of chosen devices, from the cache of their kind of servers. */
  public SetWorth worth(ChosenDevices chosen, SetWorthCache cache) {
    long gpus = chosen.gpuMask();
    long nics = chosen.nicMask();
    boolean small = kind.isSmall();
    SetWorth worth = small ? cache.get(objective, before, preferred, required, gpus, nics) : null;
    if (worth == null) {
      worth = worth(chosen.gpus(), chosen.nics(), gpus, nics);
      if (small) {
        cache.put(worth);
      }
    }
    return worth;
  }

  /**
   * The value of a set that a policy compares.
   *
   * @param near the number of pairs within the preferred distance; all if none is preferred
   * @param rank the numbers to compare, one after the other; greater is better
   */
  public record Value(int near, List<Long> rank) {

    /** The counts of pairs by class, as in a value that begins with rates. */
    long nearness() {
      return rank.get(1) >> UNKNOWN_BITS;
    }

    public boolean isBetterThan(Value other, boolean nearFirst) {
      int better = nearFirst ? Integer.compare(near, other.near) : 0;
      for (int i = 0; i < rank.size() && better == 0; i++) {
        better = Long.compare(rank.get(i), other.rank.get(i));
      }
      return better > 0;
    }
  }

  /** The number of steps so far to pair sets that share links. */
  int stepsSoFar() {
    return pairing.stepsSoFar();
  }

  /** Whether the pairs of a set may have more bandwidth than its value. */
  boolean mayPairBetter() {
    return pairing.mayPairBetter();
  }

  /** As {@link Pairing#isMixed}. */
  boolean isMixed(List<Integer> gpus, List<Integer> nics) {
    return pairing.isMixed(gpus, nics);
  }

  /** The value of a set, without an explanation. */
  public Value value(List<Integer> gpus, List<Integer> nics) {
    return value(gpus, nics, 0);
  }

  /**
   * The value of a set; any value that is too low if the set has less bandwidth than a limit.
   *
   * @param atLeast MB/s
   */
  public Value value(List<Integer> gpus, List<Integer> nics, long atLeast) {
    double ring = nics.isEmpty() ? ring(gpus) : 0;
    List<Flow> flows = pairing.best(gpus, nics, atLeast);
    Map<PathType, Integer> paths = new EnumMap<>(PathType.class);
    flows.forEach(flow -> paths.merge(flow.type, 1, Integer::sum));
    return new Value(
        Pairing.near(flows, preferred), rank(gpus, nics, carried(nics, flows, ring), paths));
  }

  private double ring(List<Integer> gpus) {
    int[] all = gpus.stream().mapToInt(Integer::intValue).toArray();
    double ring = kind.nvLinks.ring(all);
    return ring > 0 && kind.nvLinks.isConnected(all) ? ring : 0;
  }

  private static double carried(List<Integer> nics, List<Flow> flows, double ring) {
    return nics.isEmpty() ? ring : flows.stream().mapToDouble(flow -> flow.rate).sum();
  }

  private List<Long> rank(
      List<Integer> gpus, List<Integer> nics, double carried, Map<PathType, Integer> paths) {
    ServerTree layout = kind.layout().orElse(null);
    int numaNodes = layout == null ? 0 : layout.span(Pairing.maskOf(gpus), Pairing.maskOf(nics));
    int cells = layout == null ? 0 : layout.cellsOf(Pairing.maskOf(gpus), Pairing.maskOf(nics));
    return rank(carried, paths, numaNodes, cells, fragmentationChange(gpus, nics));
  }

  private SetWorth worth(List<Integer> gpus, List<Integer> nics, long gpuMask, long nicMask) {
    double ring = ring(gpus);
    List<Flow> flows =
        gpus.size() > MAX_SIDE || nics.size() > MAX_SIDE ? List.of() : pairing.best(gpus, nics, 0);
    Map<PathType, Integer> paths = new EnumMap<>(PathType.class);
    flows.forEach(flow -> paths.merge(flow.type, 1, Integer::sum));
    boolean onlyGpus = nics.isEmpty();
    double carried = carried(nics, flows, ring);
    double bound = onlyGpus ? boundOfRing(gpus.size(), ring) : bound(gpus, nics, carried);
    double change = fragmentationChange(gpus, nics);
    ServerTree layout = kind.layout().orElse(null);
    int numaNodes = layout == null ? 0 : layout.span(Pairing.maskOf(gpus), Pairing.maskOf(nics));
    return new SetWorth(
        objective,
        before,
        preferred,
        required,
        gpuMask,
        nicMask,
        pairs(flows),
        Collections.unmodifiableMap(paths),
        rounded(carried),
        rounded(bound),
        nics.stream().map(nic -> kind.rails[nic]).sorted().toList(),
        numaNodes,
        rounded(change),
        rounded(ring),
        new ScoreText(kind, preferred, pairing.mayPairBetter())
            .explain(gpus, nics, flows, carried, bound, ring),
        rank(gpus, nics, carried, paths));
  }

  private static List<SetWorth.Pair> pairs(List<Flow> flows) {
    List<SetWorth.Pair> pairs = new ArrayList<>(flows.size());
    for (Flow flow : flows) {
      pairs.add(new SetWorth.Pair(flow.gpu, flow.nic, flow.type, rounded(flow.rate)));
    }
    return pairs;
  }

  /** Rounds to two decimals. */
  static double rounded(double number) {
    return Math.round(number * 100) / 100.0;
  }

  private double bound(List<Integer> gpus, List<Integer> nics, double reached) {
    int pairs = Math.min(gpus.size(), nics.size());
    long allGpus = ServerTree.first(kind.gpus());
    long allNics = ServerTree.first(kind.nics());
    BestSetCache chooser = kind.chooser(allGpus, allNics, 0).orElse(null);
    double best;
    if (chooser != null) {
      best = (chooser.shape.bound(allGpus, allNics, pairs) >> ServerTree.RATE_SHIFT) / 1_000.0;
    } else {
      best = pairs * kind.fastestPair();
    }
    return Math.max(best, reached);
  }

  /** An upper bound of a ring over GPUs: the rate of the links of the GPU with the most links. */
  private double boundOfRing(int size, double reached) {
    if (!kind.nvLinks.isAny() || kind.gpus() > ServerTree.MAX_DEVICES || size < 2) {
      return reached;
    }
    double best = reached;
    List<Integer> all = new ArrayList<>();
    for (int gpu = 0; gpu < kind.gpus(); gpu++) {
      all.add(gpu);
    }
    for (int gpu : all) {
      double[] links = new double[all.size()];
      for (int other : all) {
        links[other] = kind.nvLinks.ring(gpu, other);
      }
      Arrays.sort(links);
      double sum = 0;
      for (int i = 0; i < size - 1; i++) {
        double link = links[links.length - 1 - i];
        sum = kind.nvLinks.isSwitched() ? Math.max(sum, link) : sum + link;
      }
      best = Math.max(best, sum);
    }
    return best;
  }

  private double fragmentationChange(List<Integer> gpus, List<Integer> nics) {
    ServerTree shape = kind.layout().orElse(null);
    if (shape == null) {
      return 0;
    }
    long takenGpus = Pairing.maskOf(gpus);
    long takenNics = Pairing.maskOf(nics);
    return (shape.potential(before.freeGpus() & ~takenGpus, before.freeNics() & ~takenNics)
            - shape.potential(before.freeGpus() | takenGpus, before.freeNics() | takenNics))
        / 100.0;
  }

  /**
   * The values that {@link TreeSetSolver} compares, in its order. Pairs at an unknown distance
   * count as nearer than pairs across NUMA nodes. The solver does not distinguish them, since it is
   * not used on servers with both.
   */
  private List<Long> rank(
      double carried, Map<PathType, Integer> paths, long numaNodes, int cells, double change) {
    long rate = Math.round(carried * 1_000);
    long units = 0;
    for (Map.Entry<PathType, Integer> path : paths.entrySet()) {
      PathType type = path.getKey();
      units += nearness(type) * path.getValue();
    }
    long left = Math.round(change * 100);
    return switch (objective) {
      case BEST -> List.of(rate, units, -numaNodes, left);
      case PACK -> List.of(left, -numaNodes, rate, units);
      case SPREAD -> List.of(rate, units, cells + numaNodes, left);
    };
  }

  /** The value of a pair of a type in the comparison of equally fast sets. */
  static long nearness(PathType type) {
    long unit = ServerTree.unit(type) << UNKNOWN_BITS;
    return type == PathType.UNKNOWN ? unit + 1 : unit;
  }

  /** Returns whether a path is known to be no longer than a type. */
  public static boolean isWithin(PathType path, PathType within) {
    return path.isWithin(within) && (path != PathType.UNKNOWN || within == PathType.SYSTEM);
  }
}
