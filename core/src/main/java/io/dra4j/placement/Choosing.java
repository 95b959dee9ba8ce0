package io.dra4j.placement;

import io.dra4j.inventory.Candidate;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.placement.Wish.Slot;
import io.dra4j.placement.Wish.Tie;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for a wish: at once where requests want the same or come in equal bundles, as pairs
 * do, that have to agree in what is a level of the tree; by looking at sets one by one where not,
 * as long as there are not too many.
 */
final class Choosing {

  /** Where a good set is known, so that few more are looked at. */
  private static final int STEPS_BESIDE_SET = 2_000;

  private final Wish wish;
  private final ServerKind kind;
  private final SetSolver solver;
  private final Objective objective;
  private final Budget budget;

  Choosing(Wish wish, ServerKind kind, SetSolver solver, Objective objective, Budget budget) {
    this.wish = wish;
    this.kind = kind;
    this.solver = solver;
    solver.limit(budget);
    this.objective = objective;
    this.budget = budget;
  }

  /** Requests that are tied to each other, or are of one claim. */
  private record Bundle(List<Slot> slots) {

    int count(boolean gpu) {
      int sum = 0;
      for (Slot slot : slots) {
        sum += slot.gpu == gpu ? slot.count : 0;
      }
      return sum;
    }

    int pairs() {
      return Math.min(count(true), count(false));
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
   * @param devices those of each request of the question; null for none
   * @param isDecided whether there are none, where there are none here
   */
  record Chosen(@Nullable List<List<Candidate>> devices, boolean isDecided) {}

  /**
   * Chooses.
   *
   * @param within how far apart pairs may be at most; null for any distance
   * @param required whether there is no answer where a pair is farther apart
   */
  Chosen choose(@Nullable PathType within, boolean required) throws BudgetExceededException {
    Scorer scorer =
        new Scorer(
            kind,
            objective,
            wish.freeGpus,
            wish.freeNics,
            Optional.ofNullable(within),
            wish.usersOfSockets);
    boolean nearFirst = objective == Objective.PACK && within != null;
    if (!wish.isSmall) {
      return chooseOfMany(scorer, required || nearFirst ? within : null, required);
    }
    boolean even = !required || wish.count(true) == wish.count(false);
    SetSolver.Bundles near = required ? free(within) : null;
    Optional<AtOnce> atOnce = atOnce(required ? within : null, near);
    long[] set = atOnce.map(found -> found.slots).orElse(null);
    if (atOnce.isPresent() && set == null && even) {
      return new Chosen(null, wish.isWhole);
    }
    if (set != null && even && kind.cardCount() == 0 && (required || !nearFirst)) {
      return new Chosen(wish.answer(set), true);
    }
    int steps = set == null ? TieSearch.MAX_STEPS : STEPS_BESIDE_SET;
    TieSearch search =
        new TieSearch(wish, kind, scorer, nearFirst, within, required, steps, budget);
    if (set != null) {
      search.add(set);
    }
    if (wish.allowsFirstFit()) {
      search.add(wish.firstFit());
    }
    long[] best = search.best().orElse(null);
    return best == null
        ? new Chosen(null, search.isDecided() && wish.isWhole)
        : new Chosen(answer(Wish.devices(best)), false);
  }

  /** How many near pairs there are at most, in words. */
  String possible(PathType within) throws BudgetExceededException {
    int all =
        kind.layout()
            .map(shape -> shape.pairsWithin(wish.freeGpus, wish.freeNics, within))
            .orElse(-1);
    int near =
        new PairFlow(kind, budget, within, false)
            .best(wish.demands())
            .map(best -> best.near)
            .orElse(0);
    return (all < 0 ? "" : "%d such pairs can be made, and ".formatted(all))
        + (near < wish.pairs()
            ? "%d with what the claim can have".formatted(near)
            : "none that its constraints allow");
  }

  /**
   * Chooses where a mask does not hold the devices of the server: by what pairs carry alone, and by
   * constraints as far as {@link TiedFlow} goes.
   */
  private Chosen chooseOfMany(Scorer scorer, @Nullable PathType within, boolean required)
      throws BudgetExceededException {
    if (wish.isTooLarge()) {
      return new Chosen(null, false);
    }
    PairFlow.Best free =
        new PairFlow(kind, budget, within, required).best(wish.demands()).orElse(null);
    if (free == null) {
      return new Chosen(null, wish.isWhole);
    }
    int[][] flow =
        new TiedFlow(wish, kind, within, required, budget).best(free).orElse(free).devices;
    Scorer.Value found = scorer.value(chosen(flow, true), chosen(flow, false));
    int[][] firstFit = wish.firstFit();
    Scorer.Value first = scorer.value(chosen(firstFit, true), chosen(firstFit, false));
    boolean keeps = !required && first.isBetterThan(found, within != null);
    return new Chosen(answer(keeps ? firstFit : flow), true);
  }

  private List<List<Candidate>> answer(int[][] devices) throws BudgetExceededException {
    return wish.answer(Uncrossing.of(wish, kind, devices, budget));
  }

  private List<Integer> chosen(int[][] devices, boolean gpu) {
    return wish.slots.stream()
        .filter(slot -> slot.gpu == gpu)
        .flatMap(slot -> Arrays.stream(devices[slot.place]).boxed())
        .toList();
  }

  /** The best set, where it follows without looking at sets. */
  private static final class AtOnce {
    final long @Nullable [] slots; // the devices of each slot; null if there are none

    AtOnce(long @Nullable [] slots) {
      this.slots = slots;
    }
  }

  private Optional<AtOnce> atOnce(@Nullable PathType within, SetSolver.@Nullable Bundles near)
      throws BudgetExceededException {
    Optional<Long> gpus = wish.common(true);
    Optional<Long> nics = wish.common(false);
    if (gpus.isEmpty() || nics.isEmpty()) {
      return Optional.empty();
    }
    if (nics.get() == 0 && wish.ties.isEmpty() && kind.nvLinkDiffers) {
      return new RingSearch(kind, objective, budget)
          .best(gpus.get(), wish.count(true), wish.freeGpus, wish.freeNics)
          .map(mask -> new AtOnce(divide(mask, 0)));
    }
    Optional<Chooser> chooser = kind.chooser(gpus.get(), nics.get(), wish.usersOfSockets);
    if (chooser.isEmpty()) {
      return Optional.empty();
    }
    if (wish.ties.isEmpty()) {
      return Optional.of(
          new AtOnce(atOnce(chooser.get(), gpus.get(), nics.get(), near, null).orElse(null)));
    }
    List<Bundle> bundles = bundles();
    SetSolver.Bundles tied = tied(chooser.get().shape, bundles, gpus.get(), nics.get());
    return tied == null || (within != null && !tied.within().isWithin(within))
        ? Optional.empty()
        : Optional.of(
            new AtOnce(atOnce(chooser.get(), gpus.get(), nics.get(), tied, bundles).orElse(null)));
  }

  /**
   * A wish for so many GPUs and NICs of some, each as good as the other.
   *
   * @param shape the server
   * @param gpus the GPUs that it may have
   * @param nics the NICs that it may have
   * @param bundles what has to stay together; null if nothing
   */
  record Plain(ServerShape shape, long gpus, long nics, SetSolver.@Nullable Bundles bundles) {}

  /**
   * Tells whether the wish is plain, so that devices can be chosen for it together with others.
   *
   * @param within how far apart pairs may be at most; null for any distance
   * @return empty if sets have to be looked at one by one
   */
  Optional<Plain> plain(@Nullable PathType within) {
    if (!wish.isSmall || !wish.isRead) {
      return Optional.empty();
    }
    Optional<Long> gpus = wish.common(true);
    Optional<Long> nics = wish.common(false);
    if (gpus.isEmpty() || nics.isEmpty() || (nics.get() == 0 && kind.nvLinkDiffers)) {
      return Optional.empty();
    }
    Chooser chooser = kind.chooser(gpus.get(), nics.get(), wish.usersOfSockets).orElse(null);
    if (chooser == null) {
      return Optional.empty();
    }
    if (wish.ties.isEmpty()) {
      boolean uneven = within != null && wish.count(true) != wish.count(false);
      return uneven
          ? Optional.empty()
          : Optional.of(new Plain(chooser.shape, gpus.get(), nics.get(), free(within)));
    }
    SetSolver.Bundles tied = tied(chooser.shape, bundles(), gpus.get(), nics.get());
    return tied == null || (within != null && !tied.within().isWithin(within))
        ? Optional.empty()
        : Optional.of(new Plain(chooser.shape, gpus.get(), nics.get(), tied));
  }

  /** Pairs that have to be near, where there are as many GPUs as NICs. */
  private SetSolver.@Nullable Bundles free(@Nullable PathType within) {
    return within == null || wish.count(true) != wish.count(false)
        ? null
        : new SetSolver.Bundles(within, 1, 1);
  }

  private Optional<long[]> atOnce(
      Chooser chooser,
      long gpus,
      long nics,
      SetSolver.@Nullable Bundles tied,
      @Nullable List<Bundle> bundles)
      throws BudgetExceededException {
    Chooser.Chosen chosen =
        chooser.best(
            solver,
            objective,
            wish.freeGpus,
            wish.freeNics,
            gpus,
            nics,
            wish.count(true),
            wish.count(false),
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

  /** Gives each slot its number of devices, in their order, where there are no pairs. */
  private long[] divide(long gpus, long nics) {
    long[] divided = new long[wish.slots.size()];
    long restOfGpus = gpus;
    long restOfNics = nics;
    for (Slot slot : wish.slots) {
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
  private long[] divide(ServerShape shape, long gpus, long nics) {
    List<Bundle> claims = new ArrayList<>();
    int last = -1;
    for (Slot slot : wish.slots) {
      if (slot.claim != last) {
        claims.add(new Bundle(new ArrayList<>()));
        last = slot.claim;
      }
      claims.get(claims.size() - 1).slots.add(slot);
    }
    if (gpus == 0 || nics == 0 || wish.slots.size() <= 2) {
      return divide(gpus, nics); // there is one way only
    }
    long[] divided = new long[wish.slots.size()];
    divide(shape, gpus, nics, claims, divided);
    return divided;
  }

  /** Gives each bundle devices of one group, the first groups first. */
  private long[] divide(
      ServerShape shape, Chooser.Chosen chosen, SetSolver.Bundles tied, List<Bundle> bundles) {
    long[] divided = new long[wish.slots.size()];
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

  /** Gives each of some bundles as many of the nearest pairs as it can have, and then the rest. */
  private static void divide(
      ServerShape shape, long gpus, long nics, List<Bundle> bundles, long[] divided) {
    int count = 0;
    for (Bundle bundle : bundles) {
      count += bundle.pairs();
    }
    List<NearPairs.Pair> pairs = NearPairs.of(shape, gpus, nics, count);
    long restOfGpus = gpus;
    long restOfNics = nics;
    int next = 0;
    for (Bundle bundle : bundles) {
      for (int i = bundle.pairs(); i > 0; i--) {
        NearPairs.Pair pair = pairs.get(next++);
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

  /** The slots that are tied to each other, each slot in one bundle; in the order of the slots. */
  private List<Bundle> bundles() {
    int[] first = new int[wish.slots.size()]; // a slot of the same bundle that comes before
    Arrays.setAll(first, i -> i);
    for (Tie tie : wish.ties) {
      for (Slot slot : tie.slots()) {
        int one = root(first, tie.slots().get(0).place);
        int other = root(first, slot.place);
        first[Math.max(one, other)] = Math.min(one, other);
      }
    }
    Bundle[] byFirst = new Bundle[first.length];
    List<Bundle> bundles = new ArrayList<>();
    for (Slot slot : wish.slots) {
      int root = root(first, slot.place);
      if (root == slot.place) {
        byFirst[root] = new Bundle(new ArrayList<>());
        bundles.add(byFirst[root]);
      }
      byFirst[root].slots.add(slot);
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

  /**
   * What ties are, in terms of the tree: null if bundles differ, or a value of the attribute is no
   * group of the tree.
   */
  private SetSolver.@Nullable Bundles tied(
      ServerShape shape, List<Bundle> bundles, long gpus, long nics) {
    int gpusOfOne = bundles.get(0).count(true);
    int nicsOfOne = bundles.get(0).count(false);
    int[] sizes = new int[wish.slots.size()]; // of the bundle of each slot
    for (Bundle bundle : bundles) {
      if (bundle.count(true) != gpusOfOne || bundle.count(false) != nicsOfOne) {
        return null;
      }
      bundle.slots.forEach(slot -> sizes[slot.place] = bundle.slots.size());
    }
    boolean[] isTied = new boolean[sizes.length];
    for (Tie tie : wish.ties) {
      for (Slot slot : tie.slots()) {
        if (tie.slots().size() != sizes[slot.place]) {
          return null; // a part of the bundle is free
        }
        isTied[slot.place] = true;
      }
    }
    for (boolean one : isTied) {
      if (!one) {
        return null;
      }
    }
    if (gpusOfOne == 0 || nicsOfOne == 0) {
      return null;
    }
    Map<String, PathType> levels = new HashMap<>(); // pairs are all tied by few attributes
    PathType[] nearest = new PathType[sizes.length]; // of the ties of each slot
    for (Tie tie : wish.ties) {
      PathType of = levels.get(tie.attribute());
      if (of == null) {
        of = tie.distinct() ? null : levelOf(shape, tie.attribute(), gpus, nics);
        if (of == null) {
          return null;
        }
        levels.put(tie.attribute(), of);
      }
      for (Slot slot : tie.slots()) {
        PathType before = nearest[slot.place];
        nearest[slot.place] = before == null || of.isWithin(before) ? of : before;
      }
    }
    for (PathType level : nearest) {
      if (level != nearest[0]) {
        return null; // bundles differ in how near they have to be
      }
    }
    return new SetSolver.Bundles(nearest[0], gpusOfOne, nicsOfOne);
  }

  /** The level of the tree whose groups are the values of an attribute; null if there is none. */
  private @Nullable PathType levelOf(ServerShape shape, String attribute, long gpus, long nics) {
    Map<DeviceAttribute, Integer> numbers = new HashMap<>();
    int[] ofGpus = wish.values(attribute, true, numbers);
    int[] ofNics = wish.values(attribute, false, numbers);
    if (ofGpus == null || ofNics == null) {
      return null;
    }
    long[] gpuMasks = new long[numbers.size()];
    long[] nicMasks = new long[numbers.size()];
    fill(ofGpus, gpus, gpuMasks);
    fill(ofNics, nics, nicMasks);
    for (PathType level :
        List.of(
            PathType.SWITCH,
            PathType.MULTI_SWITCH,
            PathType.HOST_BRIDGE,
            PathType.NUMA_NODE,
            PathType.SYSTEM)) {
      if (isLevel(shape, new SetSolver.Bundles(level, 1, 1), gpuMasks, nicMasks, gpus, nics)) {
        return level;
      }
    }
    return null;
  }

  private static void fill(int[] values, long some, long[] masks) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] >= 0) {
        masks[values[i]] |= some & ServerShape.bit(i);
      }
    }
  }

  /** Whether every value with GPUs and NICs is a group, and every such group a value. */
  private static boolean isLevel(
      ServerShape shape,
      SetSolver.Bundles groups,
      long[] gpuMasks,
      long[] nicMasks,
      long gpus,
      long nics) {
    int values = 0;
    for (int i = 0; i < gpuMasks.length; i++) {
      values += gpuMasks[i] != 0 && nicMasks[i] != 0 ? 1 : 0;
    }
    int found = 0;
    for (int v = 0; v < shape.nodes; v++) {
      long ofGpus = shape.gpus[v] & gpus;
      long ofNics = shape.nics[v] & nics;
      if (groups.isGroup(shape, v) && ofGpus != 0 && ofNics != 0) {
        boolean value = false;
        for (int i = 0; i < gpuMasks.length; i++) {
          value |= gpuMasks[i] == ofGpus && nicMasks[i] == ofNics;
        }
        if (!value) {
          return false;
        }
        found++;
      }
    }
    return found == values;
  }
}
