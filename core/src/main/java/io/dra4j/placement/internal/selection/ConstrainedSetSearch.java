package io.dra4j.placement.internal.selection;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Slot;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Tie;
import io.dra4j.placement.internal.server.AttributeValues;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.Uplink;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices in the difficult cases: requests want different devices, ties are not a level of
 * the tree, GPUs or NICs differ in their rates, or paths are not a tree. First uses flows, one for
 * each way to give values to ties; flows are exact in the bandwidth of pairs, but ignore shared
 * links. Then exchanges one device after the other, and examines sets one by one, with all values
 * that a score compares. After a number of steps, or when the time ends, the result is the best set
 * so far. Pairing large sets counts as more steps, so that the number of steps bounds the work.
 */
final class ConstrainedSetSearch {

  static final int MAX_STEPS = 20_000;
  private static final int STEPS_OF_FLOW = 20;

  /** The number of cells of tables of pairs that count as one step. */
  private static final int CELLS_OF_STEP = 256;

  /** The number of steps of paths through pairs that count as one flow. */
  private static final int PAIRS_OF_FLOW = 32_768;

  private static final int MAX_FLOWS = 1_000;

  private final DeviceSetRequest wanted;
  private final ServerModel kind;
  private final Scorer scorer;
  private final boolean nearFirst;
  private final @Nullable PathType within;
  private final @Nullable PathType bound;
  private final int maxSteps;
  private final Budget budget;
  private final int[] tied; // the value of each tie so far, -1 for none
  private final long[] chosen; // by slot
  private long amongGpus = -1;
  private long amongNics = -1;
  private int steps;
  private int flows;
  private final long workOfFlow;
  private double[] limits = {}; // GB/s of each NIC in flows
  private boolean decided;
  private boolean cut;
  private long most = Long.MAX_VALUE; // MB/s and classes of all pairs, without shared links
  private PairFlow.@Nullable Best bestFlow; // of the flows that meet all ties
  private long @Nullable [] best;
  private boolean seeded; // the best set may not be the first of equal ones
  private Scorer.@Nullable Value bestValue;

  /**
   * Prepares a search.
   *
   * @param scorer compares sets
   * @param nearFirst whether pairs that are near count before what the scorer compares
   * @param within the preferred maximum distance of pairs; null for any distance
   * @param bound the required maximum distance of all pairs; null for any distance
   * @param maxSteps the most steps of examining sets one by one
   */
  @SuppressWarnings("ParameterNumber") // the fields of a search, made in one place
  ConstrainedSetSearch(
      DeviceSetRequest wanted,
      ServerModel kind,
      Scorer scorer,
      boolean nearFirst,
      @Nullable PathType within,
      @Nullable PathType bound,
      int maxSteps,
      Budget budget) {
    this.wanted = wanted;
    this.kind = kind;
    this.scorer = scorer;
    this.nearFirst = nearFirst;
    this.within = within;
    this.bound = bound;
    this.maxSteps = maxSteps;
    this.budget = budget;
    this.chosen = new long[wanted.slots.size()];
    this.workOfFlow =
        PairFlow.pairs(kind, wanted.slots) * Math.max(wanted.count(true), wanted.count(false));
    this.tied = new int[wanted.ties.size()];
    Arrays.fill(tied, -1);
  }

  /** Adds a set that was found elsewhere. */
  void add(long[] slots) {
    System.arraycopy(slots, 0, chosen, 0, slots.length);
    compare(true);
    Arrays.fill(chosen, 0);
  }

  /** Searches for the best set; sets that were added before count as found. */
  Optional<long[]> best() throws BudgetExceededException {
    try {
      search();
    } catch (BudgetExceededException e) {
      wanted.budget().check(); // the search has a share of the time
      cut = true;
      decided = false;
    }
    return Optional.ofNullable(best);
  }

  /** Whether the time ended before all planned sets were examined. */
  boolean isCut() {
    return cut;
  }

  /** Whether a set not examined may be faster, or better in the first objective of the policy. */
  boolean mayBeBetter() {
    return (!decided || scorer.mayPairBetter()) && !isFastest();
  }

  /** Whether no set has more bandwidth or nearer pairs. */
  private boolean isFastest() {
    if (bestValue == null || wanted.objective == Objective.PACK || nearFirst) {
      return false;
    }
    long rate = bestValue.rank().get(0) + wanted.pairs(); // each pair is rounded
    return rate >= most >> ServerTree.RATE_SHIFT
        && bestValue.nearness() >= (most & ServerTree.CLASSES);
  }

  private void search() throws BudgetExceededException {
    decided = true;
    branch(0);
    boolean none = decided && best == null;
    most = decided && bestFlow != null ? bestFlow.weight : Long.MAX_VALUE;
    searchWithinNumaNodes();
    searchWithCardLimits();
    if (!isFastest()) {
      searchWithUplinkLimits();
      exchange();
    }
    if (!none) {
      decided = true;
      enumerate(0, 0, 0, 0, 0);
    }
  }

  /** Searches each NUMA node alone, since among equal sets those on fewer NUMA nodes are better. */
  private void searchWithinNumaNodes() throws BudgetExceededException {
    ServerTree layout = kind.layout().orElse(null);
    for (int v = 0; layout != null && v < layout.nodes; v++) {
      if (layout.top[v]) {
        searchAmong(layout.gpus[v], layout.nics[v]);
      }
    }
  }

  /** Searches among some devices alone, which decides nothing about others. */
  private void searchAmong(long gpus, long nics) throws BudgetExceededException {
    boolean before = decided;
    amongGpus = gpus;
    amongNics = nics;
    bestFlow = null;
    branch(0);
    amongGpus = -1;
    amongNics = -1;
    decided = before;
  }

  /**
   * Searches sets with limited numbers of NICs of each card, since these NICs share its bandwidth.
   * Flows do not count shared links, and take all NICs of one card as readily as NICs of several
   * cards.
   */
  private void searchWithCardLimits() throws BudgetExceededException {
    boolean more = kind.cardCount() > 0;
    int[] taken = wanted.use.takenOfCards(kind);
    for (int most = 1; more; most++) {
      more = false;
      limits = new double[kind.nics()];
      Arrays.fill(limits, Double.MAX_VALUE);
      int[] counts = new int[kind.cardCount()];
      long nics = 0;
      for (int nic = 0; nic < limits.length; nic++) {
        int card = kind.card(nic);
        long bit = ServerTree.bit(nic);
        if (card < 0) {
          nics |= bit;
        } else if ((wanted.use.freeNics() & bit) != 0) {
          more |= counts[card] >= most;
          nics |= counts[card]++ < most ? bit : 0;
          limits[nic] = kind.cardRate(card) / (most + taken[card]);
        }
      }
      searchAmong(-1, nics);
    }
    limits = new double[0];
  }

  /**
   * Searches sets with limited numbers of GPUs and NICs below each uplink, since they share it if
   * their partners are elsewhere. Flows would take all devices below one uplink.
   */
  private void searchWithUplinkLimits() throws BudgetExceededException {
    long lastGpus = -1;
    long lastNics = -1;
    boolean more = !kind.uplinks.isEmpty();
    for (int count = 1; more; count++) {
      long gpus = first(wanted.use.freeGpus(), count, true);
      long nics = first(wanted.use.freeNics(), count, false);
      more = gpus != lastGpus || nics != lastNics;
      lastGpus = gpus;
      lastNics = nics;
      if (more) {
        searchAmong(gpus, nics);
      }
    }
  }

  /** The first devices below each lowest uplink, at most this many each, and all below none. */
  private long first(long some, int count, boolean ofGpus) {
    long first = some;
    long seen = 0;
    for (Uplink uplink : kind.uplinks.all) { // the lowest ones come first
      long rest = some & (ofGpus ? uplink.gpus() : uplink.nics()) & ~seen;
      seen |= rest;
      for (int i = 0; i < count; i++) {
        rest &= ~Long.highestOneBit(rest);
      }
      first &= ~rest;
    }
    return first;
  }

  /** Exchanges the devices of slots, one after the other, as long as the set gets better. */
  private void exchange() throws BudgetExceededException {
    long[] before = null;
    while (best != null && !Arrays.equals(before, best) && steps < maxSteps / 2) {
      before = best.clone();
      for (Slot slot : wanted.slots) {
        for (int device : slot.devices) {
          exchange(before, slot, ServerTree.bit(device));
        }
      }
    }
    Arrays.fill(chosen, 0);
  }

  private void exchange(long[] set, Slot slot, long other) throws BudgetExceededException {
    long taken = 0;
    for (Slot any : wanted.slots) {
      taken |= any.gpu == slot.gpu ? set[any.place] : 0;
    }
    long own = (taken & other) == 0 ? set[slot.place] : 0;
    for (; own != 0 && steps < maxSteps / 2; own &= ~Long.highestOneBit(own)) {
      steps++;
      budget.spend(4);
      System.arraycopy(set, 0, chosen, 0, set.length);
      chosen[slot.place] = (set[slot.place] & ~Long.highestOneBit(own)) | other;
      if (meetsTies()) {
        compare(true);
      }
    }
  }

  private boolean meetsTies() {
    for (Tie tie : wanted.ties) {
      Set<Integer> values = new HashSet<>();
      int devices = 0;
      for (Slot slot : tie.slots()) {
        for (long rest = chosen[slot.place]; rest != 0; rest &= ~Long.highestOneBit(rest)) {
          values.add(tie.values().of(slot.gpu, Long.numberOfLeadingZeros(rest)));
          devices++;
        }
      }
      if (values.contains(-1) || values.size() != (tie.distinct() ? devices : 1)) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is no other set: no set was omitted because of the limit of steps. */
  boolean isDecided() {
    return decided;
  }

  /** Gives each tie in turn a value, first the values whose pairs have the most bandwidth. */
  private void branch(int tie) throws BudgetExceededException {
    int next = tie;
    while (next < tied.length && wanted.ties.get(next).distinct()) {
      next++;
    }
    if (next == tied.length) {
      Optional<PairFlow.Best> flow = flow();
      if (flow.isPresent() && meetsDistinct(flow.get().devices)) {
        add(flow.get().devices);
        bestFlow = flow.get().isBetterThan(bestFlow) ? flow.get() : bestFlow;
      } else if (flow.isPresent()) {
        decided = false;
      }
      return;
    }
    record Way(int value, PairFlow.Best flow) {}
    List<Way> ways = new ArrayList<>();
    for (int value = 0; value < wanted.ties.get(next).values().size; value++) {
      if (flows >= MAX_FLOWS) {
        decided = false;
        break;
      }
      flows += 1 + (int) (workOfFlow / PAIRS_OF_FLOW);
      tied[next] = value;
      int fixed = value;
      flow().ifPresent(flow -> ways.add(new Way(fixed, flow)));
    }
    ways.sort(
        Comparator.comparingInt((Way way) -> -way.flow.near)
            .thenComparing(way -> -way.flow.weight));
    for (Way way : ways) {
      if (bestFlow != null && !way.flow.isBetterThan(bestFlow)) {
        break; // with more ties it only becomes less
      }
      tied[next] = way.value;
      branch(next + 1);
    }
    tied[next] = -1;
  }

  private boolean meetsDistinct(int[][] devices) {
    for (Tie tie : wanted.ties) {
      Set<Integer> values = new HashSet<>();
      for (Slot slot : tie.slots()) {
        for (int device : devices[slot.place]) {
          int value = tie.values().of(slot.gpu, device);
          if (tie.distinct() && (value < 0 || !values.add(value))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Adds a set of devices, given as numbers. */
  void add(int[][] devices) {
    long[] slots = new long[devices.length];
    for (int i = 0; i < slots.length; i++) {
      for (int device : devices[i]) {
        slots[i] |= ServerTree.bit(device);
      }
    }
    add(slots);
  }

  /** The best devices whose ties have the values so far; ignores constraints on distinct values. */
  private Optional<PairFlow.Best> flow() throws BudgetExceededException {
    List<Slot> slots = new ArrayList<>();
    for (Slot slot : wanted.slots) {
      int[] devices =
          Arrays.stream(slot.devices).filter(device -> hasValues(slot, device)).toArray();
      if (devices.length < slot.count) {
        return Optional.empty();
      }
      slots.add(slot.among(devices));
    }
    PathType near = bound != null || nearFirst ? within : null;
    return new PairFlow(kind, wanted.use, budget, near, bound).limitedTo(limits).best(slots);
  }

  private boolean hasValues(Slot slot, int device) {
    if (((slot.gpu ? amongGpus : amongNics) & ServerTree.bit(device)) == 0) {
      return false;
    }
    for (int i = 0; i < tied.length; i++) {
      Tie tie = wanted.ties.get(i);
      if (tied[i] >= 0
          && tie.slots().contains(slot)
          && tie.values().of(slot.gpu, device) != tied[i]) {
        return false;
      }
    }
    return true;
  }

  /** Examines the sets one by one, slot after slot. */
  private void enumerate(int slot, int count, int from, long gpus, long nics)
      throws BudgetExceededException {
    if (steps >= maxSteps) {
      decided = false;
      return;
    }
    steps++;
    budget.spend(4);
    if (slot == wanted.slots.size()) {
      compare(false);
      return;
    }
    Slot here = wanted.slots.get(slot);
    if (count == here.count) {
      enumerate(slot + 1, 0, 0, gpus, nics);
      return;
    }
    int size = here.gpu ? kind.gpus() : kind.nics();
    for (int device = from; device < size; device++) {
      long bit = ServerTree.bit(device);
      if ((here.some & bit) == 0 || ((here.gpu ? gpus : nics) & bit) != 0) {
        continue;
      }
      int[] before = tied.clone();
      if (tie(here, device)) {
        chosen[slot] |= bit;
        enumerate(
            slot,
            count + 1,
            device + 1,
            here.gpu ? gpus | bit : gpus,
            here.gpu ? nics : nics | bit);
        chosen[slot] &= ~bit;
      }
      System.arraycopy(before, 0, tied, 0, tied.length);
    }
  }

  /** Whether a device has the values that the ties of its slot have so far, or a new one. */
  private boolean tie(Slot slot, int device) {
    for (int i = 0; i < tied.length; i++) {
      Tie tie = wanted.ties.get(i);
      if (!tie.slots().contains(slot)) {
        continue;
      }
      int value = tie.values().of(slot.gpu, device);
      boolean fits = tie.distinct() ? !isUsed(i, value) : tied[i] < 0 || tied[i] == value;
      if (value < 0 || !fits) {
        return false;
      }
      tied[i] = tie.distinct() ? -1 : value;
    }
    return true;
  }

  /** Whether a chosen device has a value of a tie. */
  private boolean isUsed(int tie, int value) {
    AttributeValues values = wanted.ties.get(tie).values();
    for (Slot slot : wanted.ties.get(tie).slots()) {
      long rest = chosen[slot.place];
      for (; rest != 0; rest &= ~Long.highestOneBit(rest)) {
        if (values.of(slot.gpu, Long.numberOfLeadingZeros(rest)) == value) {
          return true;
        }
      }
    }
    return false;
  }

  /** The number of pairs within the preferred or required distance. */
  private int near(Scorer.Value value, List<Integer> gpus, List<Integer> nics) {
    return bound == within
        ? value.near()
        : new Scorer(kind, wanted.objective, wanted.use, bound).value(gpus, nics).near();
  }

  /** The MB/s that a set needs to be as good as the best set so far. */
  private long atLeast() {
    return bestValue == null || wanted.objective == Objective.PACK ? 0 : bestValue.rank().get(0);
  }

  /**
   * Compares the chosen set with the best set so far. Sets are examined in the order of their
   * devices, so that a later set must be better to replace it.
   */
  private void compare(boolean seed) {
    List<Integer> gpus = new ArrayList<>();
    List<Integer> nics = new ArrayList<>();
    for (Slot slot : wanted.slots) {
      for (long rest = chosen[slot.place]; rest != 0; rest &= ~Long.highestOneBit(rest)) {
        List<Integer> side = slot.gpu ? gpus : nics;
        int device = Long.numberOfLeadingZeros(rest);
        if (!side.contains(device)) {
          side.add(device); // a device that several requests share is in at most one pair
        }
      }
    }
    steps += scorer.isMixed(gpus, nics) ? STEPS_OF_FLOW : 0;
    steps += gpus.size() * nics.size() * Math.min(gpus.size(), nics.size()) / CELLS_OF_STEP;
    int before = scorer.stepsSoFar();
    Scorer.Value value = scorer.value(gpus, nics, atLeast());
    steps += scorer.stepsSoFar() - before;
    if (bound != null && near(value, gpus, nics) < wanted.pairs()) {
      return;
    }
    Scorer.Value last = bestValue;
    boolean equal = seeded && !seed; // and comes before what was added
    if (last == null
        || (equal ? !last.isBetterThan(value, nearFirst) : value.isBetterThan(last, nearFirst))) {
      best = chosen.clone();
      bestValue = value;
      seeded = seed;
    }
  }
}
