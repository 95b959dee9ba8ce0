package io.dra4j.placement.internal.server;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.topology.CpuModel;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The model of a server for choosing among its devices: paths and rates between its GPUs and NICs,
 * in the order in which an allocator tries them. Has no names, so that all servers of one kind
 * share it. Immutable, except for its caches; thread-safe.
 */
public final class ServerModel {

  private static final int MAX_CHOOSERS = 8; // of 80 KB

  /**
   * The values on which the best sets depend.
   *
   * @param gpu GB/s of each GPU
   * @param c2c GB/s of each GPU to its processor
   * @param nic GB/s of each NIC
   * @param users the pairs of others across NUMA nodes
   */
  private record ChooserKey(double gpu, double c2c, double nic, int users) {}

  private final LinkModel model;
  private final @Nullable CpuModel cpu;
  private final @Nullable PathTree tree;
  private final int[] gpuPlaces;
  private final int[] nicPlaces;
  private final ConcurrentHashMap<ChooserKey, BestSetCache> choosers = new ConcurrentHashMap<>();
  private final boolean even; // all GPUs, and all NICs, have the same rates
  private volatile @Nullable BestSetCache ofEven; // while no pairs of others cross NUMA nodes

  private volatile double fastestPair = -1; // not known yet
  private volatile @Nullable Object memo;

  public final int[] gpuOrdinals;
  public final int[] nicOrdinals;
  public final int[] gpuOf; // by ordinal, -1 for other devices
  public final int[] nicOf;
  private final byte[][] types; // by GPU and NIC
  private final byte[][] peers; // by GPU and GPU
  private final double[] gpuRates; // GB/s
  private final double[] c2cRates; // 0 for GPUs without
  private final double[] nicRates;
  public final boolean assumedLinks; // for some GPU or NIC
  private final boolean crosses; // a pair is known to cross NUMA nodes

  /**
   * Whether for some pairs it is unknown whether they cross NUMA nodes, while other pairs do. Only
   * the latter share a link, which a tree cannot express.
   */
  public final boolean unsure;

  public final int[] rails; // the position of each NIC among the NICs of the server
  private final int[] cards; // the physical function of each NIC that shares one, else -1
  private final double[] cardRates;
  public final NvLinks nvLinks;
  public final Uplinks uplinks;

  ServerModel(ServerModelBuilder facts) {
    this.model = facts.model;
    this.cpu = facts.host.cpu().orElse(null);
    this.tree = facts.tree;
    this.gpuPlaces = facts.gpuPlaces;
    this.nicPlaces = facts.nicPlaces;
    this.gpuOrdinals = facts.gpuOrdinals;
    this.nicOrdinals = facts.nicOrdinals;
    this.gpuOf = facts.gpuOf;
    this.nicOf = facts.nicOf;
    this.types = facts.types;
    this.peers = facts.peers;
    this.gpuRates = facts.gpuRates;
    this.c2cRates = facts.c2cRates;
    this.nicRates = facts.nicRates;
    this.assumedLinks = facts.assumedLinks;
    this.crosses = facts.crosses;
    this.unsure = facts.crosses && facts.unknown;
    this.rails = facts.rails;
    this.cards = facts.cards;
    this.cardRates = facts.cardRates;
    this.nvLinks = facts.nvLinks;
    this.uplinks = new Uplinks(facts.uplinks, this::fastestPair);
    this.even = !Double.isNaN(common(gpuRates, -1) + common(c2cRates, -1) + common(nicRates, -1));
  }

  public int gpus() {
    return gpuOrdinals.length;
  }

  public int nics() {
    return nicOrdinals.length;
  }

  /** Returns whether all GPUs fit in a mask, and all NICs in another one. */
  public boolean isSmall() {
    return gpus() <= ServerTree.MAX_DEVICES && nics() <= ServerTree.MAX_DEVICES;
  }

  /** Returns whether there are so many pairs that their paths were not examined. */
  public boolean hasTooManyPairs() {
    return types.length == 0 && gpus() > 0;
  }

  public PathType type(int gpu, int nic) {
    return types.length == 0 ? PathType.UNKNOWN : PathRates.type(types[gpu][nic]);
  }

  /** The nearest published path between a GPU and a NIC; empty without one. */
  public Optional<PathType> nearestPath() {
    PathType nearest = null;
    for (byte[] row : types) {
      for (byte number : row) {
        PathType type = PathRates.type(number);
        boolean isKnown = type != PathType.UNKNOWN;
        nearest = isKnown && (nearest == null || type.compareTo(nearest) < 0) ? type : nearest;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** The bandwidth of a pair alone, in GB/s, limited by narrow uplinks on its way. */
  public double rate(int gpu, int nic) {
    double rate = rate(type(gpu, nic), gpuRates[gpu], c2cRates[gpu], nicRates[nic]);
    return uplinks.hasNarrow() ? Math.min(rate, uplinks.narrowest(gpu, nic)) : rate;
  }

  /**
   * The bandwidth of a pair whose devices are shared, in GB/s.
   *
   * @param usersOfGpu the number of users of the GPU
   * @param usersOfNic the number of users of the NIC
   */
  public double rate(int gpu, int nic, int usersOfGpu, int usersOfNic) {
    double rate =
        rate(
            type(gpu, nic),
            gpuRates[gpu] / usersOfGpu,
            c2cRates[gpu] / usersOfGpu,
            nicRates[nic] / usersOfNic);
    return uplinks.hasNarrow() ? Math.min(rate, uplinks.narrowest(gpu, nic)) : rate;
  }

  /** The GB/s of the fastest GPU-NIC pair alone, without narrow uplinks; 0 if there is none. */
  public double fastestPair() {
    double known = fastestPair;
    if (known < 0) {
      known = hasTooManyPairs() ? fastestUnknown() : fastestOfPaths();
      fastestPair = known;
    }
    return known;
  }

  private double fastestUnknown() {
    double gpu = Arrays.stream(gpuRates).max().orElse(0);
    double nic = Arrays.stream(nicRates).max().orElse(0);
    return rate(PathType.UNKNOWN, gpu, 0, nic);
  }

  private double fastestOfPaths() {
    double fastest = 0;
    for (int gpu = 0; gpu < gpus(); gpu++) {
      for (int nic = 0; nic < nics(); nic++) {
        fastest =
            Math.max(fastest, rate(type(gpu, nic), gpuRates[gpu], c2cRates[gpu], nicRates[nic]));
      }
    }
    return fastest;
  }

  private double rate(PathType type, double gpu, double c2c, double nic) {
    // Through C2C and the memory of the processor, without the PCIe link of the GPU (NCCL's P2C).
    // Nearer devices have this way as well, so that a longer path is never faster.
    double rate = model.gigabytesPerSecond(type, gpu, nic, cpu);
    return type.isWithin(PathType.NUMA_NODE) ? Math.max(rate, Math.min(c2c, nic)) : rate;
  }

  /** The bandwidth that all pairs across NUMA nodes share, in GB/s. */
  public double interSocket() {
    return model.interSocketGigabytesPerSecond(cpu);
  }

  /** The physical function that a NIC shares with others; -1 if it shares none. */
  public int card(int nic) {
    return cards[nic];
  }

  public double cardRate(int card) {
    return cardRates[card];
  }

  public int cardCount() {
    return cardRates.length;
  }

  /** The nearness of some GPUs: counts of pairs by the class of their path, as in a value. */
  public long nearness(int... gpus) {
    long sum = 0;
    for (int gpu : gpus) {
      for (int other : gpus) {
        sum += gpu < other ? ServerTree.unit(PathRates.type(peers[gpu][other])) : 0;
      }
    }
    return sum;
  }

  /**
   * {@return the best sets among some devices; empty if the paths are not a tree, if there are too
   * many devices, if the class of a path does not determine its bandwidth because the rates of
   * devices differ, or if the server is {@link #unsure}}
   *
   * @param gpus the candidate GPUs
   * @param nics the candidate NICs
   * @param users the pairs of others across NUMA nodes, from {@link #across}
   */
  public Optional<BestSetCache> chooser(long gpus, long nics, int users) {
    return unsure ? Optional.empty() : ofTree(gpus, nics, users);
  }

  private Optional<BestSetCache> ofTree(long gpus, long nics, int users) {
    if (tree == null) {
      return Optional.empty();
    }
    boolean usual = even && users == 0 && gpus != 0 && nics != 0;
    BestSetCache ready = usual ? ofEven : null;
    if (ready != null) {
      return Optional.of(ready);
    }
    double gpu = common(gpuRates, gpus);
    double c2c = common(c2cRates, gpus);
    double nic = common(nicRates, nics);
    if (Double.isNaN(gpu) || Double.isNaN(c2c) || Double.isNaN(nic)) {
      return Optional.empty();
    }
    ChooserKey key = new ChooserKey(gpu, c2c, nic, users);
    BestSetCache known = choosers.get(key);
    if (known == null) {
      if (choosers.size() >= MAX_CHOOSERS) {
        choosers.clear();
      }
      known = choosers.computeIfAbsent(key, this::chooser);
    }
    if (usual) {
      ofEven = known;
    }
    return Optional.of(known);
  }

  /** {@return the tree, regardless of rates; empty if paths are no tree or devices are too many} */
  public Optional<ServerTree> layout() {
    long firstGpu = gpus() == 0 ? 0 : ServerTree.bit(0);
    long firstNic = nics() == 0 ? 0 : ServerTree.bit(0);
    return ofTree(firstGpu, firstNic, 0).map(chooser -> chooser.shape);
  }

  /** The number of pairs in a set of another claim that are only possible across NUMA nodes. */
  public int across(long gpus, long nics) {
    ServerTree shape = crosses ? layout().orElse(null) : null;
    if (shape == null || !unsure) {
      return shape == null ? 0 : shape.meetingInRoot(gpus, nics);
    }
    int across = 0;
    for (NearestPairing.Pair pair : NearestPairing.of(shape, gpus, nics, ServerTree.MAX_DEVICES)) {
      int gpu = Long.numberOfLeadingZeros(pair.gpu());
      int nic = Long.numberOfLeadingZeros(pair.nic());
      across += type(gpu, nic) == PathType.SYSTEM ? 1 : 0;
    }
    return across;
  }

  /** The number of pairs in another claim's set that are only possible across NUMA nodes. */
  public int across(List<Integer> gpus, List<Integer> nics) {
    long[][] isWithin = new long[gpus.size()][nics.size()];
    for (int i = 0; i < isWithin.length && crosses; i++) {
      for (int j = 0; j < nics.size(); j++) {
        isWithin[i][j] = type(gpus.get(i), nics.get(j)) == PathType.SYSTEM ? 0 : 1;
      }
    }
    int pairs = crosses ? Math.min(gpus.size(), nics.size()) : 0;
    return pairs - (int) Hungarian.weight(isWithin, Hungarian.match(isWithin));
  }

  /** Whether pairs share links that others may use: between NUMA nodes, or above a switch. */
  boolean sharesLinks() {
    return crosses || !uplinks.isEmpty();
  }

  /**
   * Returns whether no uplink is slower than the pairs of a set that go through it, so that uplinks
   * do not slow down the set.
   */
  public boolean hasRoomAbove(long gpus, long nics, ServerOccupancy.Others others) {
    return uplinks.haveRoom(gpus, nics, others, this::layout);
  }

  private BestSetCache chooser(ChooserKey key) {
    long[] masks = new long[cardRates.length];
    for (int nic = 0; nic < cards.length; nic++) {
      if (cards[nic] >= 0) {
        masks[cards[nic]] |= ServerTree.bit(nic);
      }
    }
    return new BestSetCache(
        new ServerTree(
            Objects.requireNonNull(tree),
            gpuPlaces,
            nicPlaces,
            PathRates.of(type -> Math.round(rate(type, key.gpu, key.c2c, key.nic) * 1_000)),
            crosses ? Math.round(interSocket() * 1_000) : -1,
            masks,
            Arrays.stream(cardRates).mapToLong(rate -> Math.round(rate * 1_000)).toArray(),
            key.users));
  }

  /**
   * The rate that all devices of a mask have; 0 for an empty mask; not a number if rates differ.
   */
  private static double common(double[] rates, long mask) {
    double common = -1;
    for (int i = 0; i < rates.length; i++) {
      if ((mask & ServerTree.bit(i)) != 0) {
        if (common >= 0 && common != rates[i]) {
          return Double.NaN;
        }
        common = rates[i];
      }
    }
    return Math.max(0, common);
  }

  /**
   * Returns the cache of the policy for this server, and creates it in the first call. If two
   * threads call it first, both may create a cache, and one of them is kept.
   *
   * @param type the type of the cache, always the same
   * @param maker creates the cache
   */
  public <T> T memo(Class<T> type, Supplier<T> maker) {
    Object known = memo;
    if (known == null) {
      known = maker.get();
      memo = known;
    }
    return type.cast(known);
  }
}
