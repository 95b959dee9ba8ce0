package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.BestSetCache;
import io.dra4j.placement.internal.server.Hungarian;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import io.dra4j.placement.internal.server.Uplink;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rates chosen devices: pairs them, lets pairs share links, and says the result in words. */
public final class Scorer {

  /** Pairs of a larger set are not looked for; a claim has at most 32 devices. */
  public static final int MAX_SIDE = 256;

  /** Where counts of pairs by class begin; below, there is that of pairs nobody knows about. */
  private static final int UNKNOWN_BITS = 9;

  /** So many steps of pairing are as much work as looking at a set without. */
  private static final int SEARCH_STEPS = 8;

  /** GB/s that rounding may take. */
  private static final double ROUNDING = 0.001;

  private final ServerModel kind;
  private final Objective objective;
  private final ServerOccupancy before;
  private final @Nullable PathType preferred;
  private final @Nullable PathType required;
  private int stepsSoFar;
  private boolean mayPairBetter;

  /**
   * Prepares scores.
   *
   * @param before what was in use before
   * @param preferred how far apart pairs should be at most; null for any distance
   */
  public Scorer(
      ServerModel kind, Objective objective, ServerOccupancy before, @Nullable PathType preferred) {
    this(kind, objective, before, preferred, null);
  }

  /**
   * Prepares scores.
   *
   * @param before what was in use before
   * @param preferred how far apart pairs should be at most; null for any distance. Where not all
   *     pairs of a set can be, only {@link Objective#PACK} has as many of them as can be
   * @param required how far apart pairs have to be at most where they are not as preferred; null
   *     for any distance
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
  }

  /** What chosen devices are worth, as the cache of their kind of servers has it. */
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
   * What a policy compares of sets.
   *
   * @param near how many pairs are as near as preferred; all if nothing is
   * @param rank numbers that decide one after the other, the greater the better
   */
  public record Value(int near, List<Long> rank) {

    /** The counts of pairs by class, as in a value, where rates come first. */
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

  /** How much was looked at so far to pair sets that share links. */
  int stepsSoFar() {
    return stepsSoFar;
  }

  /** Whether the pairs of a set may carry more than its value says. */
  boolean mayPairBetter() {
    return mayPairBetter;
  }

  /** The value of a set, without words. */
  public Value value(List<Integer> gpus, List<Integer> nics) {
    return value(gpus, nics, 0);
  }

  /**
   * The same of a set whose value does not matter, or is too low, if it carries less than that.
   *
   * @param atLeast MB/s
   */
  public Value value(List<Integer> gpus, List<Integer> nics, long atLeast) {
    double ring = nics.isEmpty() ? ring(gpus) : 0;
    List<Flow> flows = flows(gpus, nics, atLeast);
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
    return near(flows, preferred);
  }

  private static int near(List<Flow> flows, @Nullable PathType within) {
    return (int)
        flows.stream().filter(flow -> within == null || isWithin(flow.type, within)).count();
  }

  private static double carried(List<Integer> nics, List<Flow> flows, double ring) {
    return nics.isEmpty() ? ring : flows.stream().mapToDouble(flow -> flow.rate).sum();
  }

  private List<Long> rank(
      List<Integer> gpus, List<Integer> nics, double carried, Map<PathType, Integer> paths) {
    ServerTree layout = kind.layout().orElse(null);
    int numaNodes = layout == null ? 0 : layout.span(maskOf(gpus), maskOf(nics));
    int cells = layout == null ? 0 : layout.cellsOf(maskOf(gpus), maskOf(nics));
    return rank(carried, paths, numaNodes, cells, fragmentationChange(gpus, nics));
  }

  private SetWorth worth(List<Integer> gpus, List<Integer> nics, long gpuMask, long nicMask) {
    double ring = ring(gpus);
    List<Flow> flows =
        gpus.size() > MAX_SIDE || nics.size() > MAX_SIDE ? List.of() : flows(gpus, nics, 0);
    Map<PathType, Integer> paths = new EnumMap<>(PathType.class);
    flows.forEach(flow -> paths.merge(flow.type, 1, Integer::sum));
    boolean onlyGpus = nics.isEmpty();
    double carried = carried(nics, flows, ring);
    double bound = onlyGpus ? boundOfRing(gpus.size(), ring) : bound(gpus, nics, carried);
    double change = fragmentationChange(gpus, nics);
    ServerTree layout = kind.layout().orElse(null);
    int numaNodes = layout == null ? 0 : layout.span(maskOf(gpus), maskOf(nics));
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
        explain(gpus, nics, flows, carried, bound, ring),
        rank(gpus, nics, carried, paths));
  }

  private static List<SetWorth.Pair> pairs(List<Flow> flows) {
    List<SetWorth.Pair> pairs = new ArrayList<>(flows.size());
    for (Flow flow : flows) {
      pairs.add(new SetWorth.Pair(flow.gpu, flow.nic, flow.type, rounded(flow.rate)));
    }
    return pairs;
  }

  private static double rounded(double number) {
    return Math.round(number * 100) / 100.0;
  }

  /** A pair, and what it carries. */
  static final class Flow {
    final int gpu;
    final int nic;
    final PathType type;
    final double alone; // if it shared nothing with other pairs
    double rate;

    Flow(int gpu, int nic, PathType type, double alone) {
      this.gpu = gpu;
      this.nic = nic;
      this.type = type;
      this.alone = alone;
      this.rate = alone;
    }
  }

  /** The pairs that carry most, nearer ones first where they carry the same. */
  private List<Flow> flows(List<Integer> gpus, List<Integer> nics, long atLeast) {
    if (gpus.isEmpty() || nics.isEmpty()) {
      return new ArrayList<>();
    }
    double[] limits = limits(nics);
    PathType within = null; // that as many pairs are as can be
    List<Flow> flows = List.of();
    if (isMixed(gpus, nics)) {
      within = preferred;
      flows = nearest(gpus, nics, limits, within);
      if (objective != Objective.PACK && near(flows, within) < flows.size()) {
        within = required == preferred ? null : required;
        flows = within == null ? List.of() : nearest(gpus, nics, limits, within);
        within = near(flows, within) < flows.size() ? null : within;
      }
    }
    if (within == null) {
      flows = fastest(gpus, nics, limits);
    }
    share(flows);
    double apart = 0;
    double together = 0;
    for (Flow flow : flows) {
      apart += flow.alone;
      together += flow.rate;
    }
    boolean isBest =
        together >= apart - ROUNDING
            || Math.round(apart * 1_000) < atLeast
            || (kind.uplinks.isEmpty() && ratesFollowPaths(gpus, nics)); // the nearest share least
    return isBest ? flows : searched(flows, gpus, nics, limits, within, atLeast);
  }

  private List<Flow> fastest(List<Integer> gpus, List<Integer> nics, double[] limits) {
    long[][] weights = new long[gpus.size()][nics.size()];
    for (int i = 0; i < weights.length; i++) {
      for (int j = 0; j < nics.size(); j++) {
        int nic = nics.get(j);
        weights[i][j] = PairFlow.worth(kind, before, gpus.get(i), nic, limits[nic]);
      }
    }
    int[] matched = Hungarian.match(weights);
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < matched.length; i++) {
      if (matched[i] >= 0) {
        flows.add(flow(gpus.get(i), nics.get(matched[i]), limits));
      }
    }
    return flows;
  }

  /** The pairs of which most are as near as that, and of those that carry most. */
  private List<Flow> nearest(
      List<Integer> gpus, List<Integer> nics, double[] limits, @Nullable PathType within) {
    int[] partners = PairFlow.partners(kind, before, within, limits, gpus, nics);
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < partners.length; i++) {
      if (partners[i] >= 0) {
        flows.add(flow(gpus.get(i), partners[i], limits));
      }
    }
    return flows;
  }

  private Flow flow(int gpu, int nic, double[] limits) {
    double alone = Math.min(before.rate(kind, gpu, nic), limits[nic]);
    return new Flow(gpu, nic, kind.type(gpu, nic), alone);
  }

  /** Pairs that carry more, or the same ones, where pairs share what others may not. */
  private List<Flow> searched(
      List<Flow> flows,
      List<Integer> gpus,
      List<Integer> nics,
      double[] limits,
      @Nullable PathType within,
      long atLeast) {
    boolean turned = gpus.size() > nics.size();
    List<Integer> few = turned ? nics : gpus;
    List<Integer> many = turned ? gpus : nics;
    Flow[][] pairs = new Flow[few.size()][many.size()];
    int[] first = new int[few.size()];
    for (int i = 0; i < pairs.length; i++) {
      for (int j = 0; j < many.size(); j++) {
        int gpu = turned ? many.get(j) : few.get(i);
        int nic = turned ? few.get(i) : many.get(j);
        pairs[i][j] = flow(gpu, nic, limits);
      }
    }
    for (Flow flow : flows) {
      int place = few.indexOf(turned ? flow.nic : flow.gpu);
      first[place] = many.indexOf(turned ? flow.gpu : flow.nic);
    }
    int across = kind.unsure || !kind.isSmall() ? 0 : kind.across(maskOf(gpus), maskOf(nics));
    int tooFar = within == null ? 0 : flows.size() - near(flows, within);
    PairSearch search = new PairSearch(this, pairs, others() + across, within, tooFar, atLeast);
    int[] partners = search.best(first);
    mayPairBetter |= search.mayBeBetter();
    stepsSoFar += search.steps() / SEARCH_STEPS;
    List<Flow> best = new ArrayList<>();
    for (int i = 0; i < partners.length; i++) {
      Flow flow = pairs[i][partners[i]];
      flow.rate = flow.alone;
      best.add(flow);
    }
    share(best);
    return best;
  }

  /** Whether the pairs that carry most need not be those of which most are as near as preferred. */
  boolean isMixed(List<Integer> gpus, List<Integer> nics) {
    return preferred != null && !ratesFollowPaths(gpus, nics);
  }

  /** Whether of two pairs of a set the nearer one carries no less by itself. */
  private boolean ratesFollowPaths(List<Integer> gpus, List<Integer> nics) {
    return !kind.hasNarrowUplinks()
        && !before.others().shareDevices()
        && (kind.cardCount() == 0 || nics.stream().allMatch(nic -> kind.card(nic) < 0))
        && kind.chooser(maskOf(gpus), maskOf(nics), 0).isPresent();
  }

  /** The pairs of others across NUMA nodes. */
  int others() {
    return before.others().pairsAcross();
  }

  /** What each of so many pairs across NUMA nodes carries at most. */
  double shareAcross(int pairs) {
    return kind.interSocket() / pairs;
  }

  /** Whether two pairs go through the same uplinks if they have a device in common. */
  boolean crossAlike(Flow one, Flow other) {
    for (Uplink uplink : kind.uplinks) {
      if (isCrossed(uplink, one) != isCrossed(uplink, other)) {
        return false;
      }
    }
    return true;
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
      if (kind.card(nic) >= 0 && (before.isTaken(nic) || nics.contains(nic))) {
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
  void share(List<Flow> flows) {
    for (int i = 0; i < kind.uplinks.size(); i++) {
      share(flows, kind.uplinks.get(i), before.others().ofUplink(i));
    }
    int across = others();
    for (Flow flow : flows) {
      across += flow.type == PathType.SYSTEM ? 1 : 0;
    }
    for (Flow flow : flows) {
      if (flow.type == PathType.SYSTEM) {
        flow.rate = Math.min(flow.rate, shareAcross(across));
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
    return flow.gpu < ServerTree.MAX_DEVICES
        && flow.nic < ServerTree.MAX_DEVICES
        && uplink.isCrossedBy(ServerTree.bit(flow.gpu), ServerTree.bit(flow.nic));
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

  /** No ring over so many GPUs is faster than the links of the GPU that has most of them. */
  private double boundOfRing(int size, double reached) {
    if (!kind.hasNvLinks() || kind.gpus() > ServerTree.MAX_DEVICES || size < 2) {
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
    ServerTree shape = kind.layout().orElse(null);
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
      mask |= ServerTree.bit(device);
    }
    return mask;
  }

  /**
   * What {@link TreeSetSolver} compares, in its order. Pairs at a distance that nobody knows are
   * nearer than those across NUMA nodes, which the solver does not tell apart, since it is not
   * asked where there are both.
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

  /** A pair of a type in what sets are compared by, where they carry the same. */
  static long nearness(PathType type) {
    long unit = ServerTree.unit(type) << UNKNOWN_BITS;
    return type == PathType.UNKNOWN ? unit + 1 : unit;
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
    if (mayPairBetter) {
      text.append("; other pairs of these devices may carry more");
    }
    if (preferred != null) {
      addPrice(text, preferred, flows, bound);
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
  public static boolean isWithin(PathType path, PathType within) {
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
