package io.dra4j.placement.internal.selection;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Slot;
import io.dra4j.placement.internal.selection.DeviceSetRequest.Tie;
import io.dra4j.placement.internal.server.AttributeValues;
import io.dra4j.placement.internal.server.BestSetCache;
import io.dra4j.placement.internal.server.NearestPairing;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds a set of devices. Finds it directly if requests are equal or come in equal bundles, such as
 * pairs, whose devices must agree in a level of the tree. Otherwise examines sets one by one, up to
 * a limit.
 */
public final class DeviceSetSelector {

  /** The most steps if a good set is known already. */
  private static final int STEPS_BESIDE_SET = 2_000;

  private final DeviceSetRequest wanted;
  private final ServerModel kind;
  private final TreeSetSolver solver;
  private final Objective objective;
  private final Budget budget;
  private boolean cut;
  private boolean mayBeBetter;

  public DeviceSetSelector(DeviceSetRequest wanted, TreeSetSolver solver) {
    this.wanted = wanted;
    this.kind = wanted.kind;
    this.solver = solver;
    this.objective = wanted.objective;
    this.budget = wanted.budget().half(); // the rest is for the simpler ways
    solver.limit(budget);
  }

  /** Requests that are tied to each other, or are of one claim. */
  private static final class Bundle {
    final List<Slot> slots = new ArrayList<>(2);
    int gpus; // the total of its requests
    int nics;

    void add(Slot slot) {
      slots.add(slot);
      gpus += slot.gpu ? slot.count : 0;
      nics += slot.gpu ? 0 : slot.count;
    }

    /** Whether one request is for all GPUs, and one for all NICs. */
    boolean isPlain() {
      return slots.size() == 2 && slots.get(0).gpu != slots.get(1).gpu;
    }

    int pairs() {
      return Math.min(gpus, nics);
    }

    /** Gives a device to the first slot that wants one more of its kind. */
    void add(long device, boolean gpu, long[] divided) {
      for (Slot slot : slots) {
        if (slot.gpu == gpu && Long.bitCount(divided[slot.place]) < slot.count) {
          divided[slot.place] |= device;
          return;
        }
      }
    }
  }

  /**
   * An answer.
   *
   * @param devices the devices of each request of the question; null for none
   * @param isDecided if devices is null, whether there are certainly none
   */
  public record Chosen(@Nullable List<List<NodeDevice>> devices, boolean isDecided) {}

  /**
   * Chooses within a share of the time; the result is the best set found in it.
   *
   * @param within the preferred maximum distance of pairs; null for any distance
   * @param bound the required maximum distance of all pairs; null for any distance
   * @throws BudgetExceededException if all of the time ended
   */
  public Chosen choose(@Nullable PathType within, @Nullable PathType bound)
      throws BudgetExceededException {
    try {
      return chooseInTime(within, bound);
    } catch (BudgetExceededException e) {
      wanted.budget().check();
      cut = true;
      return new Chosen(null, false);
    }
  }

  /** Returns whether the share of the time ended before all planned sets were examined. */
  public boolean isCut() {
    return cut;
  }

  /**
   * Returns whether the search ended at a limit before it was known that no other set is faster.
   */
  public boolean mayBeBetter() {
    return mayBeBetter;
  }

  private Chosen chooseInTime(@Nullable PathType within, @Nullable PathType bound)
      throws BudgetExceededException {
    boolean required = bound != null;
    Scorer scorer = new Scorer(kind, objective, wanted.use, within, bound);
    boolean nearFirst = objective == Objective.PACK && within != null;
    if (!wanted.isSmall) {
      return chooseOfMany(scorer, required || nearFirst ? within : null, bound);
    }
    boolean even = !required || wanted.count(true) == wanted.count(false);
    TreeSetSolver.Bundles near = free(bound);
    Optional<AtOnce> atOnce = atOnce(bound, near);
    long[] set = atOnce.map(found -> found.slots).orElse(null);
    if (atOnce.isPresent() && set == null && even) {
      return new Chosen(null, wanted.isWhole);
    }
    boolean hasRoomAbove = set == null || hasRoomAbove(set);
    boolean isBest = !nearFirst || within == bound;
    if (set != null && even && kind.cardCount() == 0 && isBest && hasRoomAbove) {
      return new Chosen(wanted.answer(set), true);
    }
    // If uplinks are full, the set is only a bound of the bandwidth of others.
    int steps = set == null || !hasRoomAbove ? ConstrainedSetSearch.MAX_STEPS : STEPS_BESIDE_SET;
    ConstrainedSetSearch search =
        new ConstrainedSetSearch(wanted, kind, scorer, nearFirst, within, bound, steps, budget);
    if (set != null) {
      search.add(set);
    }
    if (wanted.allowsFirstFit()) {
      search.add(wanted.firstFit());
    }
    long[] best = search.best().orElse(null);
    cut |= search.isCut();
    mayBeBetter |= search.mayBeBetter();
    return best == null
        ? new Chosen(null, search.isDecided() && wanted.isWhole)
        : new Chosen(answer(DeviceSetRequest.devices(best)), false);
  }

  private boolean hasRoomAbove(long[] set) {
    long gpus = 0;
    long nics = 0;
    for (Slot slot : kind.uplinks.isEmpty() ? List.<Slot>of() : wanted.slots) {
      gpus |= slot.gpu ? set[slot.place] : 0;
      nics |= slot.gpu ? 0 : set[slot.place];
    }
    return kind.hasRoomAbove(gpus, nics, wanted.use.others());
  }

  /** The best sets among some devices; empty if other users share some, which are then slower. */
  private Optional<BestSetCache> chooser(long gpus, long nics) {
    return wanted.use.others().shareDevices()
        ? Optional.empty()
        : kind.chooser(gpus, nics, wanted.use.others().pairsAcross());
  }

  /** The most near pairs that are possible, in words. */
  public String possible(PathType within) throws BudgetExceededException {
    int all =
        kind.layout()
            .map(shape -> shape.pairsWithin(wanted.use.freeGpus(), wanted.use.freeNics(), within))
            .orElse(-1);
    int near =
        new PairFlow(kind, wanted.use, wanted.budget(), within, null)
            .best(wanted.slots)
            .map(best -> best.near)
            .orElse(0);
    String pairs = all == 1 ? "pair" : "pairs";
    return (all < 0 ? "" : "%d such %s can be made, and ".formatted(all, pairs))
        + (near < wanted.pairs()
            ? "%d of devices that the claim may have".formatted(near)
            : "none that its constraints allow")
        + explainUnpublished(within);
  }

  /** States that the required distance is not published, if this is why there are no such pairs. */
  private String explainUnpublished(PathType within) {
    if (kind.hasTooManyPairs() || kind.gpus() == 0 || kind.nics() == 0) {
      return "";
    }
    PathType nearest = kind.nearestPath().orElse(null);
    if (nearest == null) {
      return "; nothing says how far apart its devices are: they publish neither %s nor a NUMA node,"
              .formatted(StandardAttributes.PCIE_ROOT)
          + " and there is no overlay";
    } else if (nearest.isWithin(within) || within.compareTo(PathType.HOST_BRIDGE) > 0) {
      return "";
    }
    return "; the nearest published path there is %s; nearer paths %s"
        .formatted(
            nearest,
            within == PathType.HOST_BRIDGE
                ? "come from the attribute " + StandardAttributes.PCIE_ROOT + " or an overlay"
                : "come from an overlay, since devices do not publish their switches");
  }

  /**
   * Chooses if a mask cannot hold the devices of the server: by the bandwidth of pairs without
   * shared links, and by the constraints that {@link ConstrainedFlow} supports.
   */
  private Chosen chooseOfMany(Scorer scorer, @Nullable PathType within, @Nullable PathType bound)
      throws BudgetExceededException {
    if (wanted.isTooLarge()) {
      return new Chosen(null, false);
    }
    PairFlow.Best free =
        new PairFlow(kind, wanted.use, budget, within, bound).best(wanted.slots).orElse(null);
    if (free == null) {
      return new Chosen(null, wanted.isWhole);
    }
    int[][] best =
        new ConstrainedFlow(wanted, kind, within, bound, budget).best(free).orElse(free).devices;
    Scorer.Value found = value(scorer, best);
    for (int[][] other : spreadOverCards(within, bound)) {
      Scorer.Value value = value(scorer, other);
      if (value.isBetterThan(found, within != null)) {
        best = other;
        found = value;
      }
    }
    int[][] firstFit = wanted.firstFit();
    Scorer.Value first = value(scorer, firstFit);
    if (bound == null && first.isBetterThan(found, within != null)) {
      best = firstFit;
      found = first;
    }
    mayBeBetter |=
        objective == Objective.BEST
            && found.rank().get(0) + wanted.pairs() < free.weight >> ServerTree.RATE_SHIFT;
    return new Chosen(answer(best), true);
  }

  private Scorer.Value value(Scorer scorer, int[][] devices) {
    return scorer.value(chosen(devices, true), chosen(devices, false));
  }

  /** Sets with limited NICs per card, for at most two million pairs; empty if requests are tied. */
  private List<int[][]> spreadOverCards(@Nullable PathType within, @Nullable PathType bound)
      throws BudgetExceededException {
    List<int[][]> sets = new ArrayList<>();
    int[] nics =
        wanted.slots.stream()
            .filter(slot -> !slot.gpu)
            .flatMapToInt(slot -> Arrays.stream(slot.devices))
            .distinct()
            .toArray();
    int[] taken = wanted.use.takenOfCards(kind);
    boolean more = kind.cardCount() > 0 && wanted.ties.isEmpty();
    long looked = 0;
    for (int most = 1; more && looked < ConstrainedFlow.MAX_PAIRS; most++) {
      more = false;
      int[] counts = new int[kind.cardCount()];
      double[] limits = new double[kind.nics()]; // 0 for NICs that are too many
      for (int nic : nics) {
        int card = kind.card(nic);
        boolean fits = card < 0 || counts[card]++ < most;
        more |= !fits;
        limits[nic] = card < 0 ? Double.MAX_VALUE : 0;
        if (card >= 0 && fits) {
          limits[nic] = kind.cardRate(card) / (most + taken[card]);
        }
      }
      List<Slot> slots = new ArrayList<>();
      for (Slot slot : wanted.slots) {
        slots.add(
            slot.gpu
                ? slot
                : slot.among(Arrays.stream(slot.devices).filter(nic -> limits[nic] > 0).toArray()));
      }
      looked += kind.gpus() + kind.nics() + PairFlow.pairs(kind, slots);
      new PairFlow(kind, wanted.use, budget, within, bound)
          .limitedTo(limits)
          .best(slots)
          .ifPresent(flow -> sets.add(flow.devices));
    }
    return sets;
  }

  private List<List<NodeDevice>> answer(int[][] devices) throws BudgetExceededException {
    try {
      return wanted.answer(PairSwapSearch.of(wanted, kind, devices, budget));
    } catch (BudgetExceededException e) {
      wanted.budget().check();
      cut = true;
      return wanted.answer(devices);
    }
  }

  private List<Integer> chosen(int[][] devices, boolean gpu) {
    return wanted.slots.stream()
        .filter(slot -> slot.gpu == gpu)
        .flatMap(slot -> Arrays.stream(devices[slot.place]).boxed())
        .distinct()
        .toList();
  }

  /** The best set, if it follows without a search. */
  private static final class AtOnce {
    final long @Nullable [] slots; // the devices of each slot; null if no set was found

    AtOnce(long @Nullable [] slots) {
      this.slots = slots;
    }
  }

  private Optional<AtOnce> atOnce(@Nullable PathType within, TreeSetSolver.@Nullable Bundles near)
      throws BudgetExceededException {
    Optional<Long> gpus = wanted.common(true);
    Optional<Long> nics = wanted.common(false);
    if (gpus.isEmpty() || nics.isEmpty()) {
      return Optional.empty();
    }
    if (nics.get() == 0 && wanted.ties.isEmpty() && kind.nvLinks.differ()) {
      NvLinkRingSearch rings = new NvLinkRingSearch(kind, objective, budget);
      Optional<Long> best =
          rings.best(gpus.get(), wanted.count(true), wanted.use.freeGpus(), wanted.use.freeNics());
      mayBeBetter |= rings.mayBeBetter();
      return best.map(mask -> new AtOnce(divide(mask, 0)));
    }
    Optional<BestSetCache> chooser = chooser(gpus.get(), nics.get());
    if (chooser.isEmpty()) {
      return Optional.empty();
    }
    if (wanted.ties.isEmpty()) {
      return Optional.of(
          new AtOnce(atOnce(chooser.get(), gpus.get(), nics.get(), near, null).orElse(null)));
    }
    List<Bundle> bundles = bundles();
    TreeSetSolver.Bundles tied = tied(chooser.get().shape, bundles, gpus.get(), nics.get());
    return tied == null || (within != null && !tied.within().isWithin(within))
        ? Optional.empty()
        : Optional.of(
            new AtOnce(atOnce(chooser.get(), gpus.get(), nics.get(), tied, bundles).orElse(null)));
  }

  /**
   * {@return the demand as plain numbers of devices; empty if sets must be examined one by one}
   *
   * @param within the maximum distance of pairs; null for any distance
   */
  public Optional<PlainDemand> plain(@Nullable PathType within) {
    if (!wanted.isSmall || !wanted.isRead) {
      return Optional.empty();
    }
    Optional<Long> gpus = wanted.common(true);
    Optional<Long> nics = wanted.common(false);
    if (gpus.isEmpty() || nics.isEmpty() || (nics.get() == 0 && kind.nvLinks.differ())) {
      return Optional.empty();
    }
    BestSetCache chooser = chooser(gpus.get(), nics.get()).orElse(null);
    if (chooser == null) {
      return Optional.empty();
    }
    if (wanted.ties.isEmpty()) {
      boolean uneven = within != null && wanted.count(true) != wanted.count(false);
      return uneven
          ? Optional.empty()
          : Optional.of(plain(chooser.shape, gpus.get(), nics.get(), free(within)));
    }
    TreeSetSolver.Bundles tied = tied(chooser.shape, bundles(), gpus.get(), nics.get());
    return tied == null || (within != null && !tied.within().isWithin(within))
        ? Optional.empty()
        : Optional.of(plain(chooser.shape, gpus.get(), nics.get(), tied));
  }

  private PlainDemand plain(
      ServerTree shape, long gpus, long nics, TreeSetSolver.@Nullable Bundles bundles) {
    return new PlainDemand(
        kind,
        shape,
        wanted.count(true),
        wanted.count(false),
        wanted.use.freeGpus(),
        wanted.use.freeNics(),
        gpus,
        nics,
        bundles,
        wanted.use.others().pairsAcross());
  }

  /** Pairs that must be near, if there are as many GPUs as NICs. */
  private TreeSetSolver.@Nullable Bundles free(@Nullable PathType within) {
    return within == null || wanted.count(true) != wanted.count(false)
        ? null
        : new TreeSetSolver.Bundles(within, 1, 1);
  }

  private Optional<long[]> atOnce(
      BestSetCache chooser,
      long gpus,
      long nics,
      TreeSetSolver.@Nullable Bundles tied,
      @Nullable List<Bundle> bundles)
      throws BudgetExceededException {
    BestSetCache.Chosen chosen =
        chooser.best(
            solver,
            objective,
            wanted.use.freeGpus(),
            wanted.use.freeNics(),
            gpus,
            nics,
            wanted.count(true),
            wanted.count(false),
            tied);
    solver.check();
    if (!chosen.found()) {
      return Optional.empty();
    }
    return Optional.of(
        tied == null || bundles == null
            ? divide(chooser.shape, chosen.gpus(), chosen.nics())
            : divide(chooser.shape, chosen, tied, bundles));
  }

  /** Gives each slot its number of devices, in their order, if there are no pairs. */
  private long[] divide(long gpus, long nics) {
    long[] divided = new long[wanted.slots.size()];
    long restOfGpus = gpus;
    long restOfNics = nics;
    for (Slot slot : wanted.slots) {
      long some = first(slot.gpu ? restOfGpus : restOfNics, slot.count);
      divided[slot.place] = some;
      restOfGpus &= slot.gpu ? ~some : -1;
      restOfNics &= slot.gpu ? -1 : ~some;
    }
    return divided;
  }

  private static long first(long mask, int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some |= Long.highestOneBit(mask & ~some);
    }
    return some;
  }

  /** Gives each claim whole pairs, nearest ones first. */
  private long[] divide(ServerTree shape, long gpus, long nics) {
    if (gpus == 0 || nics == 0 || wanted.slots.size() <= 2) {
      return divide(gpus, nics); // there is only one way
    }
    List<Bundle> claims = new ArrayList<>();
    int last = -1;
    for (Slot slot : wanted.slots) {
      if (slot.claim != last) {
        claims.add(new Bundle());
        last = slot.claim;
      }
      claims.get(claims.size() - 1).add(slot);
    }
    long[] divided = new long[wanted.slots.size()];
    divide(shape, gpus, nics, claims, divided);
    return divided;
  }

  /** Gives each bundle devices of one group, the first groups first. */
  private long[] divide(
      ServerTree shape,
      BestSetCache.Chosen chosen,
      TreeSetSolver.Bundles tied,
      List<Bundle> bundles) {
    long[] divided = new long[wanted.slots.size()];
    int next = 0;
    long left = chosen.gpus();
    while (left != 0) {
      long first = Long.highestOneBit(left);
      for (int v = 0; v < shape.nodes; v++) {
        if ((shape.gpus[v] & first) != 0 && tied.isGroup(shape, v)) {
          long here = chosen.gpus() & shape.gpus[v];
          int end = next + Long.bitCount(here) / tied.gpus();
          divide(shape, here, chosen.nics() & shape.nics[v], bundles.subList(next, end), divided);
          next = end;
          left &= ~here;
        }
      }
    }
    return divided;
  }

  /** Gives each bundle as many of the nearest pairs as possible, and then the rest. */
  private static void divide(
      ServerTree shape, long gpus, long nics, List<Bundle> bundles, long[] divided) {
    if (bundles.size() == 1 && bundles.get(0).isPlain()) {
      for (Slot slot : bundles.get(0).slots) {
        divided[slot.place] = slot.gpu ? gpus : nics;
      }
      return;
    }
    int count = 0;
    for (Bundle bundle : bundles) {
      count += bundle.pairs();
    }
    List<NearestPairing.Pair> pairs = NearestPairing.of(shape, gpus, nics, count);
    long restOfGpus = gpus;
    long restOfNics = nics;
    int next = 0;
    for (Bundle bundle : bundles) {
      for (int i = bundle.pairs(); i > 0; i--) {
        NearestPairing.Pair pair = pairs.get(next++);
        bundle.add(pair.gpu(), true, divided);
        bundle.add(pair.nic(), false, divided);
        restOfGpus &= ~pair.gpu();
        restOfNics &= ~pair.nic();
      }
    }
    for (Bundle bundle : bundles) {
      for (Slot slot : bundle.slots) {
        int missing = slot.count - Long.bitCount(divided[slot.place]);
        long some = first(slot.gpu ? restOfGpus : restOfNics, missing);
        divided[slot.place] |= some;
        restOfGpus &= slot.gpu ? ~some : -1;
        restOfNics &= slot.gpu ? -1 : ~some;
      }
    }
  }

  /** The bundles of slots tied to each other, in the order of slots. Each slot is in one bundle. */
  private List<Bundle> bundles() {
    int[] first = new int[wanted.slots.size()]; // an earlier slot of the same bundle
    Arrays.setAll(first, i -> i);
    for (Tie tie : wanted.ties) {
      for (Slot slot : tie.slots()) {
        int one = root(first, tie.slots().get(0).place);
        int other = root(first, slot.place);
        first[Math.max(one, other)] = Math.min(one, other);
      }
    }
    Bundle[] byFirst = new Bundle[first.length];
    List<Bundle> bundles = new ArrayList<>();
    for (Slot slot : wanted.slots) {
      int root = root(first, slot.place);
      if (root == slot.place) {
        byFirst[root] = new Bundle();
        bundles.add(byFirst[root]);
      }
      byFirst[root].add(slot);
    }
    return bundles;
  }

  private static int root(int[] first, int slot) {
    int root = slot;
    while (first[root] != root) {
      root = first[root];
    }
    return root;
  }

  /** The ties as groups of the tree; null if bundles differ, or if a value is not such a group. */
  private TreeSetSolver.@Nullable Bundles tied(
      ServerTree shape, List<Bundle> bundles, long gpus, long nics) {
    Bundle first = bundles.get(0);
    for (Bundle bundle : bundles) {
      if (bundle.gpus != first.gpus || bundle.nics != first.nics) {
        return null;
      }
    }
    if (!areTied(bundles) || first.gpus == 0 || first.nics == 0) {
      return null;
    }
    PathType level = commonLevel(shape, gpus, nics);
    return level == null ? null : new TreeSetSolver.Bundles(level, first.gpus, first.nics);
  }

  /** Whether all slots have ties, each with all slots of their bundle. */
  private boolean areTied(List<Bundle> bundles) {
    int[] sizes = new int[wanted.slots.size()]; // of the bundle of each slot
    for (Bundle bundle : bundles) {
      for (Slot slot : bundle.slots) {
        sizes[slot.place] = bundle.slots.size();
      }
    }
    boolean[] isTied = new boolean[sizes.length];
    for (Tie tie : wanted.ties) {
      for (Slot slot : tie.slots()) {
        if (tie.slots().size() != sizes[slot.place]) {
          return false; // a part of the bundle is free
        }
        isTied[slot.place] = true;
      }
    }
    for (boolean one : isTied) {
      if (!one) {
        return false;
      }
    }
    return true;
  }

  /**
   * The level of the tree that is the nearest one of the ties of each slot; null if slots differ,
   * or if a tie is not a level. All slots have ties.
   */
  private @Nullable PathType commonLevel(ServerTree shape, long gpus, long nics) {
    PathType[] nearest = new PathType[wanted.slots.size()]; // of the ties of each slot
    AttributeValues last = null; // pairs are all tied by one attribute, or by few
    PathType of = null;
    for (Tie tie : wanted.ties) {
      if (tie.values() != last) {
        last = tie.values();
        of = tie.distinct() ? null : last.level(shape, gpus, nics);
      }
      if (of == null || tie.distinct()) {
        return null;
      }
      for (Slot slot : tie.slots()) {
        PathType before = nearest[slot.place];
        nearest[slot.place] = before == null || of.isWithin(before) ? of : before;
      }
    }
    for (PathType level : nearest) {
      if (level != nearest[0]) {
        return null; // bundles differ in their required distance
      }
    }
    return nearest[0];
  }
}
