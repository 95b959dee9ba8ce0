package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.Hungarian;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.Uplink;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pairs the GPUs and NICs of a set, and divides links among the pairs that share them. */
final class Pairing {

  /** The number of steps of pairing that take as long as examining a set without them. */
  private static final int SEARCH_STEPS = 8;

  /** The largest rounding error, in GB/s. */
  private static final double ROUNDING = 0.001;

  private final ServerModel kind;
  private final Objective objective;
  private final ServerOccupancy before;
  private final @Nullable PathType preferred;
  private final @Nullable PathType required;
  private int stepsSoFar;
  private boolean mayPairBetter;

  /** Prepares pairings, with the parameters of {@link Scorer}. */
  Pairing(
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

  /** A pair with its bandwidth. */
  static final class Flow {
    final int gpu;
    final int nic;
    final PathType type;
    final double alone; // without sharing with other pairs
    double rate;

    Flow(int gpu, int nic, PathType type, double alone) {
      this.gpu = gpu;
      this.nic = nic;
      this.type = type;
      this.alone = alone;
      this.rate = alone;
    }
  }

  /** The number of steps so far to pair sets that share links. */
  int stepsSoFar() {
    return stepsSoFar;
  }

  /** Whether the pairs of a set may have more bandwidth than its value. */
  boolean mayPairBetter() {
    return mayPairBetter;
  }

  /**
   * The pairs with the most bandwidth; among equally fast pairs the nearer ones.
   *
   * @param atLeast MB/s; the pairs of a set with less bandwidth need not be the best ones
   */
  List<Flow> best(List<Integer> gpus, List<Integer> nics, long atLeast) {
    if (gpus.isEmpty() || nics.isEmpty()) {
      return new ArrayList<>();
    }
    double[] limits = limits(nics);
    PathType within = null; // the distance for as many pairs as possible
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

  /**
   * The pairs of which most are within the distance; among them the pairs with the most bandwidth.
   */
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

  /**
   * Searches for faster pairs if the given pairs share links that other pairs may not share.
   * Returns the given pairs if there are none.
   */
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

  /**
   * Whether the pairs with the most bandwidth may differ from the pairs of which most are within
   * the preferred distance.
   */
  boolean isMixed(List<Integer> gpus, List<Integer> nics) {
    return preferred != null && !ratesFollowPaths(gpus, nics);
  }

  /** Whether, of any two pairs of a set, the nearer one has at least the same bandwidth alone. */
  private boolean ratesFollowPaths(List<Integer> gpus, List<Integer> nics) {
    return !kind.uplinks.hasNarrow()
        && !before.others().shareDevices()
        && (kind.cardCount() == 0 || nics.stream().allMatch(nic -> kind.card(nic) < 0))
        && kind.chooser(maskOf(gpus), maskOf(nics), 0).isPresent();
  }

  /** The pairs of others across NUMA nodes. */
  int others() {
    return before.others().pairsAcross();
  }

  /** The maximum bandwidth of each of a number of pairs across NUMA nodes. */
  double shareAcross(int pairs) {
    return kind.interSocket() / pairs;
  }

  /** Whether two pairs with a common device go through the same uplinks. */
  boolean haveEqualCrossings(Flow one, Flow other) {
    for (Uplink uplink : kind.uplinks.all) {
      if (isCrossed(uplink, one) != isCrossed(uplink, other)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The maximum bandwidth of each NIC of the server, in GB/s. Each NIC that is in use, by any
   * claim, has an equal share of its card. Pairs are thus chosen by the bandwidth that remains for
   * them.
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

  /**
   * Divides the bandwidth of shared links among flows: of uplinks, and of the link between sockets.
   */
  void share(List<Flow> flows) {
    for (int i = 0; i < kind.uplinks.all.size(); i++) {
      share(flows, kind.uplinks.all.get(i), before.others().ofUplink(i));
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

  /** The number of pairs within a distance; all if it is null. */
  static int near(List<Flow> flows, @Nullable PathType within) {
    return (int)
        flows.stream().filter(flow -> within == null || Scorer.isWithin(flow.type, within)).count();
  }

  /** The first 64 of some devices as a mask. */
  static long maskOf(List<Integer> devices) {
    long mask = 0;
    for (int device : devices) {
      mask |= ServerTree.bit(device);
    }
    return mask;
  }
}
