package io.dra4j.placement;

import io.dra4j.inventory.Candidate;
import io.dra4j.model.DeviceId;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Scores chosen devices: pairs them, lets pairs share what they share, and says it in words. */
final class Scorer {

  /** Pairs of a larger set are not looked for; a claim has at most 32 devices. */
  static final int MAX_SIDE = 256;

  /** So many other ways to pair a set are looked at where pairs share what others do not. */
  private static final int MAX_TRIES = 64;

  /** Where counts of pairs by class begin; below, there is that of pairs nobody knows about. */
  private static final int UNKNOWN_BITS = 9;

  /** GB/s that rounding may take. */
  private static final double ROUNDING = 0.001;

  private final ServerKind kind;
  private final Objective objective;
  private final ServerUse before;
  private final @Nullable PathType wanted;
  private int triesSoFar;

  /**
   * Prepares scores.
   *
   * @param before what was in use before
   * @param wanted how far apart pairs should be at most; null for any distance
   */
  Scorer(ServerKind kind, Objective objective, ServerUse before, @Nullable PathType wanted) {
    this.kind = kind;
    this.objective = objective;
    this.before = before;
    this.wanted = wanted;
  }

  /**
   * What a set is worth, without the names of its devices, which servers of one kind share.
   *
   * @param gpus the GPUs of the set
   * @param nics the NICs of the set
   */
  record Worth(
      Objective objective,
      ServerUse before,
      @Nullable PathType wanted,
      long gpus,
      long nics,
      List<Flow> flows,
      Map<PathType, Integer> paths,
      double carried,
      double bound,
      List<Integer> rails,
      int numaNodes,
      double change,
      double ring,
      String explanation,
      List<Long> rank) {}

  /** Scores the devices of some requests. */
  PlacementScore score(List<List<Candidate>> devicesOfRequests) {
    DeviceId[] gpuIds = new DeviceId[kind.gpus()];
    DeviceId[] nicIds = new DeviceId[kind.nics()];
    long gpuMask = 0;
    long nicMask = 0;
    for (List<Candidate> devices : devicesOfRequests) {
      for (Candidate device : devices) {
        int gpu = kind.gpuOf[device.ordinal()];
        int nic = kind.nicOf[device.ordinal()];
        if (gpu >= 0) {
          gpuIds[gpu] = device.id();
          gpuMask |= ServerShape.bit(gpu);
        } else if (nic >= 0) {
          nicIds[nic] = device.id();
          nicMask |= ServerShape.bit(nic);
        }
      }
    }
    boolean small = kind.isSmall();
    Worth worth = small ? remembered(gpuMask, nicMask) : null;
    if (worth == null) {
      worth = worth(chosen(gpuIds), chosen(nicIds), gpuMask, nicMask);
      if (small) {
        kind.worths.set(place(gpuMask, nicMask), worth);
      }
    }
    List<PlacementScore.Pair> pairs = new ArrayList<>(worth.flows.size());
    for (Flow flow : worth.flows) {
      pairs.add(
          new PlacementScore.Pair(
              gpuIds[flow.gpu], nicIds[flow.nic], flow.type, rounded(flow.rate)));
    }
    return new PlacementScore(
        worth.carried,
        worth.bound,
        pairs,
        worth.paths,
        worth.rails,
        worth.numaNodes,
        worth.change,
        worth.ring,
        worth.explanation,
        worth.rank);
  }

  private int place(long gpuMask, long nicMask) {
    long mixed = gpuMask * 0x9e3779b97f4a7c15L + nicMask;
    mixed = mixed * 0xbf58476d1ce4e5b9L + before.freeGpus();
    mixed = mixed * 0x94d049bb133111ebL + before.freeNics();
    return (int) ((mixed ^ mixed >>> 29) >>> 7) & kind.worths.length() - 1;
  }

  private @Nullable Worth remembered(long gpuMask, long nicMask) {
    Worth known = kind.worths.get(place(gpuMask, nicMask));
    boolean same =
        known != null
            && known.gpus == gpuMask
            && known.nics == nicMask
            && known.objective == objective
            && known.wanted == wanted
            && known.before.equals(before);
    return same ? known : null;
  }

  private static List<Integer> chosen(@Nullable DeviceId[] ids) {
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] != null) {
        chosen.add(i);
      }
    }
    return chosen;
  }

  /**
   * What a policy compares of sets.
   *
   * @param near how many pairs are as near as wanted; all if nothing is
   * @param rank numbers that decide one after the other, the greater the better
   */
  record Value(int near, List<Long> rank) {

    /** The counts of pairs by class, as in a value, where rates come first. */
    long nearness() {
      return rank.get(1) >> UNKNOWN_BITS;
    }

    boolean isBetterThan(Value other, boolean nearFirst) {
      int better = nearFirst ? Integer.compare(near, other.near) : 0;
      for (int i = 0; i < rank.size() && better == 0; i++) {
        better = Long.compare(rank.get(i), other.rank.get(i));
      }
      return better > 0;
    }
  }

  /** How many other ways to pair sets were looked at so far. */
  int triesSoFar() {
    return triesSoFar;
  }

  /** The value of a set, without words. */
  Value value(List<Integer> gpus, List<Integer> nics) {
    double ring = nics.isEmpty() ? ring(gpus) : 0;
    List<Flow> flows = flows(gpus, nics);
    Map<PathType, Integer> paths = new EnumMap<>(PathType.class);
    flows.forEach(flow -> paths.merge(flow.type, 1, Integer::sum));
    return new Value(near(flows), rank(gpus, nics, carried(nics, flows, ring), paths));
  }

  private double ring(List<Integer> gpus) {
    int[] all = gpus.stream().mapToInt(Integer::intValue).toArray();
    double ring = kind.nvLinkRing(all);
    return ring > 0 && kind.isRing(all) ? ring : 0;
  }

  private int near(List<Flow> flows) {
    return (int)
        flows.stream().filter(flow -> wanted == null || isWithin(flow.type, wanted)).count();
  }

  private static double carried(List<Integer> nics, List<Flow> flows, double ring) {
    return nics.isEmpty() ? ring : flows.stream().mapToDouble(flow -> flow.rate).sum();
  }

  private List<Long> rank(
      List<Integer> gpus, List<Integer> nics, double carried, Map<PathType, Integer> paths) {
    ServerShape layout = kind.layout().orElse(null);
    int numaNodes = layout == null ? 0 : layout.span(maskOf(gpus), maskOf(nics));
    int cells = layout == null ? 0 : layout.cellsOf(maskOf(gpus), maskOf(nics));
    return rank(carried, paths, numaNodes, cells, fragmentationChange(gpus, nics));
  }

  private Worth worth(List<Integer> gpus, List<Integer> nics, long gpuMask, long nicMask) {
    double ring = ring(gpus);
    List<Flow> flows =
        gpus.size() > MAX_SIDE || nics.size() > MAX_SIDE ? List.of() : flows(gpus, nics);
    Map<PathType, Integer> paths = new EnumMap<>(PathType.class);
    flows.forEach(flow -> paths.merge(flow.type, 1, Integer::sum));
    boolean onlyGpus = nics.isEmpty();
    double carried = carried(nics, flows, ring);
    double bound = onlyGpus ? boundOfRing(gpus.size(), ring) : bound(gpus, nics, carried);
    double change = fragmentationChange(gpus, nics);
    ServerShape layout = kind.layout().orElse(null);
    int numaNodes = layout == null ? 0 : layout.span(maskOf(gpus), maskOf(nics));
    return new Worth(
        objective,
        before,
        wanted,
        gpuMask,
        nicMask,
        List.copyOf(flows),
        Collections.unmodifiableMap(paths),
        rounded(carried),
        rounded(bound),
        nics.stream().map(nic -> kind.rails[nic]).sorted().toList(),
        numaNodes,
        rounded(change),
        rounded(ring),
        explain(gpus, nics, flows, carried, bound, ring),
        rank(gpus, nics, carried, paths));
  }

  private static double rounded(double number) {
    return Math.round(number * 100) / 100.0;
  }

  /** A pair, and what it carries; does not change once a score has it. */
  static final class Flow {
    final int gpu;
    final int nic;
    final PathType type;
    double rate;

    Flow(int gpu, int nic, PathType type, double rate) {
      this.gpu = gpu;
      this.nic = nic;
      this.type = type;
      this.rate = rate;
    }
  }

  /** The pairs that carry most, nearer ones first where they carry the same. */
  private List<Flow> flows(List<Integer> gpus, List<Integer> nics) {
    double[] limits = limits(nics);
    long[][] weights = new long[gpus.size()][nics.size()];
    for (int i = 0; i < weights.length; i++) {
      for (int j = 0; j < nics.size(); j++) {
        int nic = nics.get(j);
        weights[i][j] = PairFlow.worth(kind, before, gpus.get(i), nic, limits[nic]);
      }
    }
    List<Flow> flows = new ArrayList<>();
    if (gpus.isEmpty() || nics.isEmpty()) {
      return flows;
    }
    int[] matched = isMixed(gpus, nics) ? nearest(gpus, nics, limits) : Hungarian.match(weights);
    for (int i = 0; i < matched.length; i++) {
      if (matched[i] >= 0) {
        int gpu = gpus.get(i);
        int nic = nics.get(matched[i]);
        double rate = Math.min(before.rate(kind, gpu, nic), limits[nic]);
        flows.add(new Flow(gpu, nic, kind.type(gpu, nic), rate));
      }
    }
    share(flows);
    boolean mayShareLess = kind.unsure || (!kind.uplinks.isEmpty() && !isMixed(gpus, nics));
    return mayShareLess ? uncrowded(flows, gpus, nics, weights, limits) : flows;
  }

  /**
   * The same pairs, or others that are worth the same by themselves and share less: one pair has
   * another NIC or GPU, or two change theirs, until nothing carries more.
   */
  private List<Flow> uncrowded(
      List<Flow> flows, List<Integer> gpus, List<Integer> nics, long[][] weights, double[] limits) {
    List<Flow> best = flows;
    double most = sum(flows);
    double apart = flows.stream().mapToDouble(flow -> alone(flow.gpu, flow.nic, limits)).sum();
    int tries = 0;
    for (int i = 0; i < best.size() && most < apart - ROUNDING; i++) {
      for (int side = 0; side < gpus.size() + nics.size() && tries < MAX_TRIES; side++) {
        List<Flow> other =
            side < gpus.size()
                ? changed(best, i, gpus.get(side), best.get(i).nic, gpus, nics, weights, limits)
                : changed(
                    best,
                    i,
                    best.get(i).gpu,
                    nics.get(side - gpus.size()),
                    gpus,
                    nics,
                    weights,
                    limits);
        if (other.isEmpty()) {
          continue;
        }
        tries++;
        triesSoFar++;
        share(other);
        if (sum(other) > most + ROUNDING) {
          best = other;
          most = sum(other);
          i = -1;
          break;
        }
      }
    }
    return best;
  }

  /** The pairs of which one has another GPU or NIC; empty if they are not worth the same. */
  private List<Flow> changed(
      List<Flow> flows,
      int place,
      int gpu,
      int nic,
      List<Integer> gpus,
      List<Integer> nics,
      long[][] weights,
      double[] limits) {
    Flow changing = flows.get(place);
    if (gpu == changing.gpu && nic == changing.nic) {
      return List.of();
    }
    List<Flow> other = new ArrayList<>(flows.size());
    long difference = 0;
    for (int i = 0; i < flows.size(); i++) {
      Flow flow = flows.get(i);
      int itsGpu = i == place ? gpu : flow.gpu == gpu ? changing.gpu : flow.gpu;
      int itsNic = i == place ? nic : flow.nic == nic ? changing.nic : flow.nic;
      if (itsGpu != flow.gpu || itsNic != flow.nic) {
        difference += weights[gpus.indexOf(itsGpu)][nics.indexOf(itsNic)];
        difference -= weights[gpus.indexOf(flow.gpu)][nics.indexOf(flow.nic)];
      }
      other.add(new Flow(itsGpu, itsNic, kind.type(itsGpu, itsNic), alone(itsGpu, itsNic, limits)));
    }
    return difference == 0 ? other : List.of();
  }

  private double alone(int gpu, int nic, double[] limits) {
    return Math.min(before.rate(kind, gpu, nic), limits[nic]);
  }

  private static double sum(List<Flow> flows) {
    return flows.stream().mapToDouble(flow -> flow.rate).sum();
  }

  /** Whether the pairs that carry most need not be those of which most are as near as wanted. */
  boolean isMixed(List<Integer> gpus, List<Integer> nics) {
    return wanted != null
        && (before.others().shareDevices()
            || nics.stream().anyMatch(nic -> kind.card(nic) >= 0)
            || kind.chooser(maskOf(gpus), maskOf(nics), 0).isEmpty());
  }

  /** The pairs of which most are as near as wanted, and of those that carry most. */
  private int[] nearest(List<Integer> gpus, List<Integer> nics, double[] limits) {
    int[] partners = PairFlow.partners(kind, before, wanted, limits, gpus, nics);
    return Arrays.stream(partners).map(nics::indexOf).toArray();
  }

  /**
   * What each NIC of the server carries at most, in GB/s: each one that is in use, whoever has it,
   * has an equal share of its card. So pairs are chosen by what is left for them.
   */
  private double[] limits(List<Integer> nics) {
    double[] limits = new double[kind.nics()];
    Arrays.fill(limits, Double.MAX_VALUE);
    int[] users = new int[kind.cardCount()];
    for (int nic = 0; nic < kind.nics() && users.length > 0; nic++) {
      boolean busy =
          nic < ServerShape.MAX_DEVICES && (before.freeNics() & ServerShape.bit(nic)) == 0;
      if (kind.card(nic) >= 0 && (busy || nics.contains(nic))) {
        users[kind.card(nic)]++;
      }
    }
    for (int nic = 0; nic < limits.length && users.length > 0; nic++) {
      int card = kind.card(nic);
      limits[nic] = card < 0 ? limits[nic] : kind.cardRate(card) / Math.max(1, users[card]);
    }
    return limits;
  }

  /** Lets flows share what they share: uplinks, and the link between sockets. */
  private void share(List<Flow> flows) {
    for (int i = 0; i < kind.uplinks.size(); i++) {
      share(flows, kind.uplinks.get(i), before.others().ofUplink(i));
    }
    int across = before.others().pairsAcross();
    for (Flow flow : flows) {
      across += flow.type == PathType.SYSTEM ? 1 : 0;
    }
    for (Flow flow : flows) {
      if (flow.type == PathType.SYSTEM) {
        flow.rate = Math.min(flow.rate, kind.interSocket() / across);
      }
    }
  }

  private static void share(List<Flow> flows, Uplink uplink, int others) {
    int crossing = others;
    for (Flow flow : flows) {
      crossing += isCrossed(uplink, flow) ? 1 : 0;
    }
    for (Flow flow : crossing > 1 ? flows : List.<Flow>of()) {
      if (isCrossed(uplink, flow)) {
        flow.rate = Math.min(flow.rate, uplink.gigabytesPerSecond() / crossing);
      }
    }
  }

  private static boolean isCrossed(Uplink uplink, Flow flow) {
    return flow.gpu < ServerShape.MAX_DEVICES
        && flow.nic < ServerShape.MAX_DEVICES
        && uplink.isCrossedBy(ServerShape.bit(flow.gpu), ServerShape.bit(flow.nic));
  }

  private double bound(List<Integer> gpus, List<Integer> nics, double reached) {
    int pairs = Math.min(gpus.size(), nics.size());
    long allGpus = ServerShape.first(kind.gpus());
    long allNics = ServerShape.first(kind.nics());
    Chooser chooser = kind.chooser(allGpus, allNics, 0).orElse(null);
    double best;
    if (chooser != null) {
      best = (chooser.shape.bound(allGpus, allNics, pairs) >> ServerShape.RATE_SHIFT) / 1_000.0;
    } else {
      best = pairs * kind.fastestPair();
    }
    return Math.max(best, reached);
  }

  /** No ring over so many GPUs is faster than the links of the GPU that has most of them. */
  private double boundOfRing(int size, double reached) {
    if (!kind.hasNvLinks() || kind.gpus() > ServerShape.MAX_DEVICES || size < 2) {
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
        links[other] = kind.nvLinkRing(gpu, other);
      }
      Arrays.sort(links);
      double sum = 0;
      for (int i = 0; i < size - 1; i++) {
        double link = links[links.length - 1 - i];
        sum = kind.isNvSwitched() ? Math.max(sum, link) : sum + link;
      }
      best = Math.max(best, sum);
    }
    return best;
  }

  private double fragmentationChange(List<Integer> gpus, List<Integer> nics) {
    ServerShape shape = kind.layout().orElse(null);
    if (shape == null) {
      return 0;
    }
    long takenGpus = maskOf(gpus);
    long takenNics = maskOf(nics);
    return (shape.potential(before.freeGpus() & ~takenGpus, before.freeNics() & ~takenNics)
            - shape.potential(before.freeGpus() | takenGpus, before.freeNics() | takenNics))
        / 100.0;
  }

  private static long maskOf(List<Integer> devices) {
    long mask = 0;
    for (int device : devices) {
      mask |= ServerShape.bit(device);
    }
    return mask;
  }

  /**
   * What {@link SetSolver} compares, in its order. Pairs at a distance that nobody knows are nearer
   * than those across NUMA nodes, which the solver does not tell apart, since it is not asked where
   * there are both.
   */
  private List<Long> rank(
      double carried, Map<PathType, Integer> paths, long numaNodes, int cells, double change) {
    long rate = Math.round(carried * 1_000);
    long units = 0;
    for (Map.Entry<PathType, Integer> path : paths.entrySet()) {
      PathType type = path.getKey();
      long unit = ServerShape.unit(type) << UNKNOWN_BITS;
      units += (type == PathType.UNKNOWN ? unit + 1 : unit) * path.getValue();
    }
    long left = Math.round(change * 100);
    return switch (objective) {
      case BEST -> List.of(rate, units, -numaNodes, left);
      case PACK -> List.of(left, -numaNodes, rate, units);
      case SPREAD -> List.of(rate, units, cells + numaNodes, left);
    };
  }

  private String explain(
      List<Integer> gpus,
      List<Integer> nics,
      List<Flow> flows,
      double carried,
      double bound,
      double ring) {
    if (gpus.isEmpty() || nics.isEmpty()) {
      if (ring > 0) {
        return "a ring over %d GPUs carries at most %s GB/s by NVLink"
            .formatted(gpus.size(), text(ring));
      }
      return nics.isEmpty() && kind.nvLinkRing(gpus.stream().mapToInt(i -> i).toArray()) > 0
          ? "%d GPUs that NVLink does not connect to one ring".formatted(gpus.size())
          : "no GPU and NIC together, so that there is no bandwidth to predict";
    }
    if (flows.isEmpty()) {
      return "too many devices to look for pairs";
    }
    StringBuilder text = new StringBuilder();
    Map<PathType, Integer> counts = new EnumMap<>(PathType.class);
    flows.forEach(flow -> counts.merge(flow.type, 1, Integer::sum));
    counts.forEach(
        (type, count) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(count)
                .append(count == 1 ? " pair " : " pairs ")
                .append(
                    kind.hasTooManyPairs()
                        ? "at a distance that nobody looked at, on a node of so many devices"
                        : (count > 1 && isInOnePlace(type) ? "each " : "") + words(type)));
    text.append(": ")
        .append(text(carried))
        .append(" of at most ")
        .append(text(bound))
        .append(" GB/s");
    addShared(text, flows);
    if (wanted != null) {
      addPrice(text, wanted, flows, bound);
    }
    if (kind.assumedLinks) {
      text.append(", where links and rates that nobody publishes count as the profile assumes");
    }
    return text.toString();
  }

  /** Says how many pairs are slower than by themselves. */
  private void addShared(StringBuilder text, List<Flow> flows) {
    long shared =
        flows.stream()
            .filter(flow -> rounded(flow.rate) < rounded(kind.rate(flow.gpu, flow.nic)))
            .count();
    if (shared > 0) {
      text.append("; ").append(shared).append(shared == 1 ? " pair shares" : " pairs share");
      text.append(" links");
    }
  }

  /** Says what it costs that pairs are far apart, whatever they share. */
  private void addPrice(StringBuilder text, PathType within, List<Flow> flows, double bound) {
    if (flows.stream().allMatch(flow -> flow.type == PathType.UNKNOWN)) {
      text.append("; whether that is within ")
          .append(within)
          .append(", as preferred, is not known");
      return;
    }
    long near = flows.stream().filter(flow -> isWithin(flow.type, within)).count();
    text.append("; ")
        .append(near)
        .append(" of ")
        .append(flows.size())
        .append(" within ")
        .append(within);
    if (near < flows.size()) {
      double alone = flows.stream().mapToDouble(flow -> kind.rate(flow.gpu, flow.nic)).sum();
      text.append(", as preferred, and the rest costs ")
          .append(text(Math.max(0, bound - alone)))
          .append(" GB/s");
    }
  }

  /** Whether a path is known to be no longer than a type. */
  static boolean isWithin(PathType path, PathType within) {
    return path.isWithin(within) && (path != PathType.UNKNOWN || within == PathType.SYSTEM);
  }

  private static boolean isInOnePlace(PathType type) {
    return words(type).contains(" one ");
  }

  private static String words(PathType type) {
    return switch (type) {
      case SELF, SAME_CARD -> "on one card";
      case SWITCH -> "on one PCIe switch";
      case MULTI_SWITCH -> "across PCIe switches";
      case HOST_BRIDGE -> "on one PCIe root";
      case HOST_BRIDGE_OR_NUMA_NODE, NUMA_NODE -> "in one NUMA node";
      case UNKNOWN -> "at a distance that nobody publishes";
      case SYSTEM -> "across NUMA nodes";
    };
  }

  private static String text(double number) {
    long tenths = Math.round(number * 10);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
  }
}
