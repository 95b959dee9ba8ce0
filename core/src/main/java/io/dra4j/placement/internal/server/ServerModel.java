package io.dra4j.placement.internal.server;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.topology.CpuModel;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a server is, for choosing among its devices: paths and rates between its GPUs and NICs, in
 * the order in which an allocator tries them. Has no names, so that all servers of one kind share
 * it. Immutable, except for what is remembered; thread-safe.
 */
public final class ServerModel {

  /** Above, pairs are not looked at: the table of their paths would be too large. */
  private static final int MAX_PAIRS = 1 << 20;

  private static final int MAX_CHOOSERS = 8; // of 80 KB

  /**
   * What the best sets depend on.
   *
   * @param gpu GB/s of each GPU
   * @param c2c GB/s of each GPU to its processor
   * @param nic GB/s of each NIC
   * @param users pairs of others across NUMA nodes
   */
  private record ChooserKey(double gpu, double c2c, double nic, int users) {}

  private final LinkModel model;
  private final @Nullable CpuModel cpu;
  private final @Nullable PathTree tree;
  private final int[] gpuPlaces;
  private final int[] nicPlaces;
  private final ConcurrentHashMap<ChooserKey, BestSetCache> choosers = new ConcurrentHashMap<>();
  private final boolean even; // all GPUs, and all NICs, have the same rates
  private volatile @Nullable BestSetCache ofEven; // while no others cross NUMA nodes

  private volatile double fastestPair = -1; // not known yet

  public final int[] gpuOrdinals;
  public final int[] nicOrdinals;
  public final int[] gpuOf; // by ordinal, -1 for all others
  public final int[] nicOf;
  private final byte[][] types; // by GPU and NIC
  private final byte[][] peers; // by GPU and GPU
  private final double[] gpuRates; // GB/s
  private final double[] c2cRates; // 0 for GPUs without
  private final double[] nicRates;
  public final boolean assumedLinks; // of some GPU or NIC
  private final boolean crosses; // a pair is known to

  /**
   * Whether nobody knows of some pairs whether they cross as others do: these share nothing, and
   * those do, which no node of a tree tells apart.
   */
  public final boolean unsure;

  public final int[] rails; // the place of each NIC among those of the server
  private final int[] cards; // the physical function of each NIC that shares one, else -1
  private final double[] cardRates;
  private final double[][] nvLinks; // GB/s between GPUs
  private final long[] nvPeers; // the GPUs with a link to each one
  private final boolean nvSwitched;
  public final boolean nvLinkDiffers; // between some GPUs and others

  /** Those of switches and cards, where it is known that there are some. */
  public final List<Uplink> uplinks;

  private final List<Uplink> narrow; // which a pair can fill by itself

  private ServerModel(Making making) {
    this.model = making.model;
    this.cpu = making.host.cpu().orElse(null);
    this.tree = making.tree;
    this.gpuPlaces = making.gpuPlaces;
    this.nicPlaces = making.nicPlaces;
    this.gpuOrdinals = making.gpuOrdinals;
    this.nicOrdinals = making.nicOrdinals;
    this.gpuOf = making.gpuOf;
    this.nicOf = making.nicOf;
    this.types = making.types;
    this.peers = making.peers;
    this.gpuRates = making.gpuRates;
    this.c2cRates = making.c2cRates;
    this.nicRates = making.nicRates;
    this.assumedLinks = making.assumedLinks;
    this.crosses = making.crosses;
    this.unsure = making.crosses && making.unknown;
    this.rails = making.rails;
    this.cards = making.cards;
    this.cardRates = making.cardRates;
    this.nvLinks = making.nvLinks;
    this.nvPeers = new long[nvLinks.length];
    for (int i = 0; i < nvPeers.length; i++) {
      for (int j = 0; j < nvPeers.length; j++) {
        nvPeers[i] |= nvLinks[i][j] > 0 || nvLinks[j][i] > 0 ? ServerTree.bit(j) : 0;
      }
    }
    this.nvSwitched = making.nvSwitched;
    this.nvLinkDiffers = making.nvLinkDiffers;
    this.uplinks = List.copyOf(making.uplinks);
    this.narrow = // only small servers have any, whose paths are all known
        uplinks.stream()
            .filter(Uplink::isPublished)
            .filter(uplink -> uplink.gigabytesPerSecond() < fastestPair())
            .toList();
    this.even = !Double.isNaN(common(gpuRates, -1) + common(c2cRates, -1) + common(nicRates, -1));
  }

  public int gpus() {
    return gpuOrdinals.length;
  }

  public int nics() {
    return nicOrdinals.length;
  }

  /** Whether a mask holds all GPUs, and another one all NICs. */
  public boolean isSmall() {
    return gpus() <= ServerTree.MAX_DEVICES && nics() <= ServerTree.MAX_DEVICES;
  }

  /** Whether there are so many pairs that nobody looked at their paths. */
  public boolean hasTooManyPairs() {
    return types.length == 0 && gpus() > 0;
  }

  public PathType type(int gpu, int nic) {
    return types.length == 0 ? PathType.UNKNOWN : PathRates.type(types[gpu][nic]);
  }

  /** The nearest path between a GPU and a NIC that anything tells of; empty if nothing does. */
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

  /** What a pair carries by itself, in GB/s: no more than narrow uplinks on its way do. */
  public double rate(int gpu, int nic) {
    double rate = rate(type(gpu, nic), gpuRates[gpu], c2cRates[gpu], nicRates[nic]);
    return narrow.isEmpty() ? rate : Math.min(rate, narrowest(gpu, nic));
  }

  /**
   * What a pair carries of whose devices others have a share.
   *
   * @param usersOfGpu among how many the GPU is shared
   * @param usersOfNic among how many the NIC is shared
   */
  public double rate(int gpu, int nic, int usersOfGpu, int usersOfNic) {
    double rate =
        rate(
            type(gpu, nic),
            gpuRates[gpu] / usersOfGpu,
            c2cRates[gpu] / usersOfGpu,
            nicRates[nic] / usersOfNic);
    return narrow.isEmpty() ? rate : Math.min(rate, narrowest(gpu, nic));
  }

  /** Whether a pair can fill an uplink by itself, so that a longer path may be faster. */
  public boolean hasNarrowUplinks() {
    return !narrow.isEmpty();
  }

  private double narrowest(int gpu, int nic) {
    double least = Double.MAX_VALUE;
    for (Uplink uplink : narrow) {
      if (uplink.isCrossedBy(ServerTree.bit(gpu), ServerTree.bit(nic))) {
        least = Math.min(least, uplink.gigabytesPerSecond());
      }
    }
    return least;
  }

  /**
   * What the fastest pair of the server would carry by itself, if no uplink were narrow, in GB/s; 0
   * where there is none.
   */
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
    // Through C2C and the memory of the processor, without the PCIe link of the GPU (NCCL's P2C):
    // a way that what is nearer has as well, so that a longer path is never faster.
    double rate = model.gigabytesPerSecond(type, gpu, nic, cpu);
    return type.isWithin(PathType.NUMA_NODE) ? Math.max(rate, Math.min(c2c, nic)) : rate;
  }

  /** What all pairs across NUMA nodes carry together, in GB/s. */
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

  /**
   * What a ring over some GPUs carries by NVLink at most, in GB/s: as much as the links of the GPU
   * that is connected worst; 0 if one is not connected. There is none if the GPUs are not {@link
   * #isRing a ring}.
   */
  public double nvLinkRing(int... gpus) {
    if (gpus.length < 2 || nvLinks.length == 0) {
      return 0;
    }
    double worst = Double.MAX_VALUE;
    for (int gpu : gpus) {
      double[] links = nvLinks[gpu];
      double sum = 0;
      for (int other : gpus) {
        double link = gpu == other ? 0 : links[other];
        sum = nvSwitched ? Math.max(sum, link) : sum + link;
      }
      worst = Math.min(worst, sum);
    }
    return worst;
  }

  /** Whether NVLinks among some GPUs lead from each to each other one, as those of a ring do. */
  public boolean isRing(int... gpus) {
    long missing = 0;
    for (int gpu : gpus) {
      missing |= ServerTree.bit(gpu);
    }
    long open = nvPeers.length == 0 ? 0 : Long.highestOneBit(missing);
    missing &= ~open;
    while (open != 0 && missing != 0) {
      long next = nvPeers[Long.numberOfLeadingZeros(open)] & missing;
      missing &= ~next;
      open = (open & ~Long.highestOneBit(open)) | next;
    }
    return missing == 0;
  }

  /** All NVLinks among some GPUs, in GB/s. */
  public double nvLinkSum(int... gpus) {
    double sum = 0;
    for (int gpu : gpus) {
      for (int other : gpus) {
        sum += gpu < other ? nvLinks[gpu][other] : 0;
      }
    }
    return sum;
  }

  /** How near some GPUs are to each other: pairs by the class of their path, as in a value. */
  public long nearness(int... gpus) {
    long sum = 0;
    for (int gpu : gpus) {
      for (int other : gpus) {
        sum += gpu < other ? ServerTree.unit(PathRates.type(peers[gpu][other])) : 0;
      }
    }
    return sum;
  }

  public boolean isNvSwitched() {
    return nvSwitched;
  }

  public boolean hasNvLinks() {
    return Arrays.stream(nvLinks).anyMatch(row -> Arrays.stream(row).anyMatch(rate -> rate > 0));
  }

  /**
   * The best sets among some devices.
   *
   * @param gpus the GPUs in question
   * @param nics the NICs in question
   * @param users the pairs of others across NUMA nodes, as of {@link #across}
   * @return empty if the paths make no tree, the devices are too many, or the class of a path does
   *     not say what it carries, since their own rates differ, or the server is {@link #unsure}
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

  /**
   * The places of the devices, for what does not depend on rates.
   *
   * @return empty if the paths make no tree, or the devices are too many
   */
  public Optional<ServerTree> layout() {
    long firstGpu = gpus() == 0 ? 0 : ServerTree.bit(0);
    long firstNic = nics() == 0 ? 0 : ServerTree.bit(0);
    return ofTree(firstGpu, firstNic, 0).map(chooser -> chooser.shape);
  }

  /** How many pairs of a set that another claim has can only be made across NUMA nodes. */
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

  /** The same on a server of any size. */
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
   * Whether no uplink is slower than the pairs of a set that go through it, so that the set carries
   * what its pairs carry by themselves.
   */
  public boolean hasRoomAbove(long gpus, long nics, ServerOccupancy.Others others) {
    int[] crossings = new int[uplinks.size()];
    Arrays.setAll(crossings, i -> uplinks.get(i).crossings(gpus, nics));
    if (hasRoomAbove(crossings, others)) {
      return true;
    }
    ServerTree shape = layout().orElse(null);
    if (shape == null) {
      return false;
    }
    Arrays.fill(crossings, 0);
    for (NearestPairing.Pair pair : NearestPairing.of(shape, gpus, nics, ServerTree.MAX_DEVICES)) {
      for (int i = 0; i < crossings.length; i++) {
        crossings[i] += uplinks.get(i).isCrossedBy(pair.gpu(), pair.nic()) ? 1 : 0;
      }
    }
    return hasRoomAbove(crossings, others);
  }

  private boolean hasRoomAbove(int[] crossings, ServerOccupancy.Others others) {
    for (int i = 0; i < crossings.length; i++) {
      int all = crossings[i] + others.ofUplink(i);
      if (crossings[i] > 0
          && (all > 1 || uplinks.get(i).isPublished())
          && all * fastestPair() > uplinks.get(i).gigabytesPerSecond()) {
        return false;
      }
    }
    return true;
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

  /** The rate that all have; 0 of none; not a number if they differ. */
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

  /** Puts the facts of one server together. */
  public static final class Making {

    private final HostTopology host;
    private final LinkModel model;
    private final int[] gpuOf;
    private final int[] nicOf;
    private final int[] gpuOrdinals;
    private final int[] nicOrdinals;
    private final int[] gpuPlaces;
    private final int[] nicPlaces;
    private @Nullable PathTree tree;
    private byte[][] types = {};
    private byte[][] peers = {};
    private final double[] gpuRates;
    private final double[] c2cRates;
    private final double[] nicRates;
    private boolean assumedLinks;
    private boolean crosses;
    private boolean unknown; // the path of some pair
    private final int[] rails;
    private final int[] cards;
    private double[] cardRates = {};
    private final double[][] nvLinks;
    private boolean nvSwitched;
    private boolean nvLinkDiffers;
    private final List<Uplink> uplinks = new ArrayList<>();

    /**
     * Looks at the devices.
     *
     * @param devices by ordinal; null for one that the topology does not know
     * @param capabilities the compute capability by ordinal; empty if not known
     */
    public Making(
        HostTopology host,
        LinkModel model,
        List<@Nullable TopologyDevice> devices,
        List<String> capabilities) {
      this.host = host;
      this.model = model;
      this.gpuOf = new int[devices.size()];
      this.nicOf = new int[devices.size()];
      Arrays.fill(gpuOf, -1);
      Arrays.fill(nicOf, -1);
      List<TopologyDevice> gpus = new ArrayList<>();
      List<TopologyDevice> nics = new ArrayList<>();
      List<String> gpuCapabilities = new ArrayList<>();
      List<Integer> ordinalsOfGpus = new ArrayList<>();
      List<Integer> ordinalsOfNics = new ArrayList<>();
      for (int i = 0; i < devices.size(); i++) {
        TopologyDevice device = devices.get(i);
        if (device == null) {
          continue;
        }
        if (device.kind() == DeviceKind.GPU || device.kind() == DeviceKind.ACCELERATOR) {
          gpuOf[i] = gpus.size();
          gpus.add(device);
          gpuCapabilities.add(capabilities.get(i));
          ordinalsOfGpus.add(i);
        } else if (device.kind() == DeviceKind.NIC) {
          nicOf[i] = nics.size();
          nics.add(device);
          ordinalsOfNics.add(i);
        }
      }
      this.gpuOrdinals = ordinalsOfGpus.stream().mapToInt(Integer::intValue).toArray();
      this.nicOrdinals = ordinalsOfNics.stream().mapToInt(Integer::intValue).toArray();
      this.gpuPlaces = new int[gpus.size()];
      this.nicPlaces = new int[nics.size()];
      Arrays.setAll(gpuPlaces, i -> i);
      Arrays.setAll(nicPlaces, i -> gpuPlaces.length + i);
      this.gpuRates = new double[gpus.size()];
      this.c2cRates = new double[gpus.size()];
      this.nicRates = new double[nics.size()];
      this.rails = new int[nics.size()];
      this.cards = new int[nics.size()];
      boolean few = gpus.size() <= ServerTree.MAX_DEVICES;
      this.nvLinks = few ? new double[gpus.size()][gpus.size()] : new double[0][0];
      rates(gpus, nics);
      paths(gpus, nics);
      cards(nics);
      rails(nics);
      c2c(gpus);
      nvLinks(gpus, gpuCapabilities);
      uplinks(gpus, nics);
    }

    private void rates(List<TopologyDevice> gpus, List<TopologyDevice> nics) {
      for (int i = 0; i < gpuRates.length; i++) {
        gpuRates[i] = model.pcieGigabytesPerSecond(gpus.get(i).link());
        assumedLinks |= gpus.get(i).link() == null;
      }
      for (int i = 0; i < nicRates.length; i++) {
        long rate = nics.get(i).megabitsPerSecond().orElse(0);
        nicRates[i] = model.nicGigabytesPerSecond(nics.get(i).link(), rate);
        assumedLinks |= rate == 0;
      }
    }

    private void paths(List<TopologyDevice> gpus, List<TopologyDevice> nics) {
      if ((long) gpus.size() * nics.size() > MAX_PAIRS) {
        return;
      }
      if (gpus.size() <= ServerTree.MAX_DEVICES && nics.size() <= ServerTree.MAX_DEVICES) {
        List<TopologyDevice> all = new ArrayList<>(gpus);
        all.addAll(nics);
        tree = PathTree.of(host, all).orElse(null);
      }
      PathCompletion paths = new PathCompletion(host, tree, gpus, nics);
      types = new byte[gpus.size()][nics.size()];
      for (int i = 0; i < types.length; i++) {
        for (int j = 0; j < nics.size(); j++) {
          PathType type = paths.path(gpuPlaces[i], nicPlaces[j]);
          types[i][j] = PathRates.number(type);
          crosses |= type == PathType.SYSTEM;
          unknown |= type == PathType.UNKNOWN;
        }
      }
      if (gpus.size() <= ServerTree.MAX_DEVICES) {
        peers = new byte[gpus.size()][gpus.size()];
      }
      for (int i = 0; i < peers.length; i++) {
        for (int j = 0; j < peers.length; j++) {
          peers[i][j] = PathRates.number(paths.path(gpuPlaces[i], gpuPlaces[j]));
        }
      }
    }

    /** Functions of one physical function share what its port carries. */
    private void cards(List<TopologyDevice> nics) {
      Map<PciAddress, List<Integer>> functions = new HashMap<>();
      for (int i = 0; i < cards.length; i++) {
        cards[i] = -1;
        PciAddress physical = nics.get(i).physicalFunction();
        PciAddress own = physical != null ? physical : nics.get(i).address();
        if (own != null) {
          functions.computeIfAbsent(own, any -> new ArrayList<>()).add(i);
        }
      }
      List<Double> capacities = new ArrayList<>();
      for (int i = 0; i < cards.length; i++) {
        PciAddress physical = nics.get(i).physicalFunction();
        List<Integer> together = physical == null ? List.of() : functions.get(physical);
        if (together != null && together.size() > 1 && cards[i] < 0) {
          double rate = 0;
          for (int nic : together) {
            cards[nic] = capacities.size();
            rate = Math.max(rate, nicRates[nic]);
          }
          capacities.add(rate);
        }
      }
      cardRates = capacities.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The place of each NIC among those of the server, by their addresses. */
    private void rails(List<TopologyDevice> nics) {
      int[] own = nics.stream().mapToInt(nic -> host.indexOf(nic.id())).toArray();
      int[] sorted = own.clone();
      Arrays.sort(sorted);
      for (int i = 0; i < rails.length; i++) {
        rails[i] = Arrays.binarySearch(sorted, own[i]);
      }
    }

    private void c2c(List<TopologyDevice> gpus) {
      Map<String, Double> rates = new HashMap<>();
      for (DirectLink link : host.links()) {
        if (link.type() == DirectLink.Type.C2C) {
          double rate = link.count() * (link.megabytesPerSecond() / 1_000.0);
          rates.merge(link.a(), rate, Double::sum);
        }
      }
      Arrays.setAll(
          c2cRates,
          i ->
              Math.min(
                  rates.getOrDefault(gpus.get(i).id(), 0.0), LinkModel.MAX_GIGABYTES_PER_SECOND));
    }

    private void nvLinks(List<TopologyDevice> gpus, List<String> capabilities) {
      for (int i = 0; i < nvLinks.length; i++) {
        int own = host.indexOf(gpus.get(i).id());
        double perLink = model.nvLinkGigabytesPerSecond(capabilities.get(i));
        int count = 0;
        for (int j = 0; j < nvLinks.length; j++) {
          DirectLink link =
              i == j ? null : host.directLink(own, host.indexOf(gpus.get(j).id())).orElse(null);
          if (link != null) {
            double rate =
                link.megabytesPerSecond() > 0 ? link.megabytesPerSecond() / 1_000.0 : perLink;
            nvLinks[i][j] = link.count() * rate;
            count += link.count();
          }
        }
        // More than it has: those to each peer are the same ones, through switches.
        nvSwitched |= count > nvLinksOfGpu(capabilities.get(i));
      }
      for (int i = 0; i < nvLinks.length; i++) {
        for (int j = 0; j < nvLinks.length; j++) {
          nvLinkDiffers |= i != j && nvLinks[i][j] != nvLinks[0][Math.min(1, nvLinks.length - 1)];
        }
      }
    }

    /**
     * How many NVLinks a GPU has at most, as NCCL counts them (nccl 5067397c, src/graph/xml.cc): 4
     * of Pascal, 6 of Volta, 12 of Ampere, 18 of later ones and of those that are not known.
     */
    private static int nvLinksOfGpu(String computeCapability) {
      return switch (computeCapability.substring(0, computeCapability.indexOf('.') + 1)) {
        case "6." -> 4;
        case "7." -> 6;
        case "8." -> 12;
        default -> 18;
      };
    }

    /**
     * What is known to be a switch, or a card of several functions, has a link above, whose rate is
     * that of the last bridge that all devices below have in common; where nobody says it, that of
     * the fastest link below, of which that of a GPU is known or assumed. A card of NICs whose
     * links nobody knows has none.
     */
    private void uplinks(List<TopologyDevice> gpus, List<TopologyDevice> nics) {
      PathTree paths = tree;
      for (int v = 0; paths != null && v < paths.size() - 1; v++) {
        if (!paths.type(v).isWithin(PathType.MULTI_SWITCH)) {
          continue;
        }
        long gpuMask = 0;
        long nicMask = 0;
        List<TopologyDevice> below = new ArrayList<>();
        for (int i = 0; i < gpus.size(); i++) {
          if (PathCompletion.isBelow(paths, gpuPlaces[i], v)) {
            below.add(gpus.get(i));
            gpuMask |= c2cRates[i] > 0 ? 0 : ServerTree.bit(i);
          }
        }
        for (int i = 0; i < nics.size(); i++) {
          if (PathCompletion.isBelow(paths, nicPlaces[i], v)) {
            below.add(nics.get(i));
            nicMask |= ServerTree.bit(i);
          }
        }
        boolean isCard = paths.type(v).isWithin(PathType.SAME_CARD);
        double published = rateAbove(below);
        double fastest = published > 0 ? published : fastestBelow(below);
        double rate = fastest > 0 || isCard ? fastest : model.pcieGigabytesPerSecond(null);
        if (rate > 0) {
          uplinks.add(new Uplink(gpuMask, nicMask, rate, published > 0));
        }
      }
    }

    /** What the last bridge carries that some devices have in common; 0 if nobody says it. */
    private double rateAbove(List<TopologyDevice> below) {
      List<PciAddress> common = host.place(below.get(0)).bridges();
      for (TopologyDevice device : below) {
        List<PciAddress> own = host.place(device).bridges();
        int same = 0;
        while (same < Math.min(common.size(), own.size())
            && common.get(same).equals(own.get(same))) {
          same++;
        }
        common = common.subList(0, same);
      }
      if (!common.isEmpty()) {
        String bridge = common.get(common.size() - 1).toString();
        for (TopologyDevice known : host.bridges()) {
          if (known.id().equals(bridge) && known.link() != null) {
            return model.pcieGigabytesPerSecond(known.link());
          }
        }
      }
      return 0;
    }

    private double fastestBelow(List<TopologyDevice> below) {
      double fastest = 0;
      for (TopologyDevice device : below) {
        boolean isKnown = device.link() != null || device.kind() != DeviceKind.NIC;
        fastest = Math.max(fastest, isKnown ? model.pcieGigabytesPerSecond(device.link()) : 0);
      }
      return fastest;
    }

    /** How much memory the tables of paths take. */
    int bytesOfPaths() {
      return gpuPlaces.length * (types.length == 0 ? 0 : nicPlaces.length + Integer.BYTES);
    }

    /** The SHA-256 of all facts: servers with the same one are of one kind. */
    ByteBuffer signature() {
      MessageDigest digest = sha256();
      OutputStream hashed = new DigestOutputStream(OutputStream.nullOutputStream(), digest);
      try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(hashed))) {
        ints(out, gpuOf);
        ints(out, nicOf);
        ints(out, rails);
        ints(out, cards);
        doubles(out, gpuRates);
        doubles(out, c2cRates);
        doubles(out, nicRates);
        doubles(out, cardRates);
        for (Uplink uplink : uplinks) {
          out.writeLong(uplink.gpus());
          out.writeLong(uplink.nics());
          out.writeDouble(uplink.gigabytesPerSecond());
          out.writeBoolean(uplink.isPublished());
        }
        for (double[] row : nvLinks) {
          doubles(out, row);
        }
        for (byte[] row : types) {
          out.write(row);
        }
        for (byte[] row : peers) {
          out.write(row);
        }
        out.writeBoolean(assumedLinks);
        byte[] processor = String.valueOf(host.cpu().orElse(null)).getBytes(StandardCharsets.UTF_8);
        out.writeInt(processor.length);
        out.write(processor);
        out.writeBoolean(nvSwitched);
        PathTree known = tree;
        for (int v = 0; known != null && v < known.size(); v++) {
          out.writeInt(known.parent(v));
          out.writeByte(PathRates.number(known.type(v)));
          out.writeByte(PathRates.number(known.widestType(v)));
        }
        for (int i = 0; known != null && i < gpuPlaces.length + nicPlaces.length; i++) {
          out.writeInt(known.nodeOf(i));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e); // nothing is written anywhere
      }
      return ByteBuffer.wrap(digest.digest());
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("a Java without SHA-256", e); // every one has it
      }
    }

    private static void ints(DataOutputStream out, int[] values) throws IOException {
      out.writeInt(values.length);
      for (int value : values) {
        out.writeInt(value);
      }
    }

    private static void doubles(DataOutputStream out, double[] values) throws IOException {
      out.writeInt(values.length);
      for (double value : values) {
        out.writeDouble(value);
      }
    }

    public ServerModel kind() {
      return new ServerModel(this);
    }
  }
}
