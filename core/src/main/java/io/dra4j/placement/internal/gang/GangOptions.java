package io.dra4j.placement.internal.gang;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sets of devices that a gang can have on one server in one state: for each number of its pods,
 * sets of NICs with the GPUs that fit them best. Immutable, so that servers in the same state share
 * it.
 */
public final class GangOptions {

  /** The most sets of NICs of one server that are examined for one number of pods. */
  private static final int MAX_SETS = 2_000;

  private static final int INDEX_BITS = 11; // of fewer than 2,048 sets

  /** The most sets of NICs of one server that are examined for all numbers of pods together. */
  private static final int MAX_ALL_SETS = 20_000;

  /**
   * A server, as a gang sees it.
   *
   * @param shape its GPUs and NICs
   * @param freeGpus the free GPUs
   * @param freeNics the free NICs
   * @param someGpus the free GPUs that the pods may have
   * @param someNics the free NICs that the pods may have
   * @param rails the rail of each NIC
   * @param kinds the kinds of pods that may run there, a bit for each of the demand
   * @param bundles the devices of the pods that must stay together; null if there are none
   */
  public record State(
      ServerTree shape,
      long freeGpus,
      long freeNics,
      long someGpus,
      long someNics,
      Rails rails,
      int kinds,
      TreeSetSolver.@Nullable Bundles bundles) {

    /** Mixes the highest bits of the masks, on which the hash of a record would hardly depend. */
    @Override
    public int hashCode() {
      long mixed = mixed(shape.hashCode() * 31L + rails.hashCode(), freeGpus);
      return (int) mixed(mixed(mixed(mixed, freeNics), someGpus), someNics);
    }

    private static long mixed(long one, long other) {
      long product = (one ^ other) * 0x9e3779b97f4a7c15L;
      return product ^ product >>> 32;
    }
  }

  /** Rails by NIC; compared by value. */
  public static final class Rails {
    private final int[] numbers;
    private final long[] bits; // by NIC, where no two are on one rail
    private final boolean distinct;
    private final int hash;

    /**
     * Creates rails.
     *
     * @param numbers the rail of each NIC, as the number of its first bit in a mask; a rail has as
     *     many bits as a server has NICs on it. Negative for a NIC without a rail
     */
    public Rails(int... numbers) {
      this.numbers = numbers.clone();
      this.hash = Arrays.hashCode(numbers);
      this.bits = new long[numbers.length];
      long all = 0;
      boolean once = true;
      for (int nic = 0; nic < numbers.length; nic++) {
        bits[nic] = numbers[nic] < 0 ? 0 : 1L << numbers[nic];
        once &= (all & bits[nic]) == 0;
        all |= bits[nic];
      }
      this.distinct = once;
    }

    /** The rail of a NIC; negative for none. */
    int of(int nic) {
      return numbers[nic];
    }

    int size() {
      return numbers.length;
    }

    /**
     * The rails of some NICs as a set that can be intersected. Two NICs of the same rail are two
     * members, so that the intersection of two servers has each rail as often as both have it.
     */
    long mask(long nics) {
      long mask = 0;
      for (long rest = nics; rest != 0; rest &= ~Long.highestOneBit(rest)) {
        int nic = Long.numberOfLeadingZeros(rest);
        if (nic < numbers.length && numbers[nic] >= 0) {
          mask = distinct ? mask | bits[nic] : with(mask, numbers[nic]);
        }
      }
      return mask;
    }

    /** Adds a rail to a mask: its first bit or, if that is set already, the next one. */
    private static long with(long mask, int rail) {
      for (int place = rail; place < Long.SIZE; place++) {
        if ((mask & 1L << place) == 0) {
          return mask | 1L << place;
        }
      }
      return mask;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Rails rails
          && hash == rails.hash
          && Arrays.equals(numbers, rails.numbers);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * The sets with the most bandwidth for one number of pods; among sets with the same rails, the
   * set that leaves the most. Sets with less bandwidth are in no best plan: another set of the
   * server would make the plan better, with any rails.
   */
  static final class Sets {
    final int nics;
    private int size;
    private long value = Long.MIN_VALUE;
    private final long[] rails;
    private final long[] rests;
    private final long[] gpuSets;
    private final long[] nicSets;
    private final short[] places; // by rails: the set plus 1; 0 for none
    private int most; // the one that leaves most
    private long union; // of all rails
    private volatile short @Nullable [] byRest; // the sets that leave most first; created on demand

    Sets(int nics, int room) {
      this.nics = nics;
      this.rails = new long[room];
      this.rests = new long[room];
      this.gpuSets = new long[room];
      this.nicSets = new long[room];
      this.places = new short[Math.max(1, Integer.highestOneBit(room) * 4)]; // a power of two
    }

    int size() {
      return size;
    }

    /** The bandwidth of each of the sets, as {@link ServerTree#value}. */
    long value() {
      return value;
    }

    long rails(int set) {
      return rails[set];
    }

    long rest(int set) {
      return rests[set];
    }

    long gpus(int set) {
      return gpuSets[set];
    }

    long nics(int set) {
      return nicSets[set];
    }

    private void add(long railMask, long carried, long rest, long gpuSet, long nicSet) {
      if (carried < value) {
        return;
      } else if (carried > value) {
        value = carried;
        size = 0;
        most = 0;
        union = 0;
        Arrays.fill(places, (short) 0);
      }
      int set = find(railMask);
      if (set < 0) {
        set = size++;
        rails[set] = railMask;
        union |= railMask;
        places[place(railMask)] = (short) size;
      } else if (rest <= rests[set]) {
        return;
      }
      rests[set] = rest;
      gpuSets[set] = gpuSet;
      nicSets[set] = nicSet;
      most = rest > rests[most] ? set : most;
    }

    /** The index of the rails in the table, or the index at which they would be. */
    private int place(long railMask) {
      int at = (int) ((railMask * 0x9e3779b97f4a7c15L) >>> 40) & (places.length - 1);
      while (places[at] != 0 && rails[places[at] - 1] != railMask) {
        at = (at + 1) & (places.length - 1);
      }
      return at;
    }

    private int find(long railMask) {
      return places[place(railMask)] - 1;
    }

    /** The set that leaves most and has all of some rails; negative if there is none. */
    int best(long wanted) {
      if (size == 0) {
        return -1;
      } else if (wanted == 0) {
        return most;
      } else if ((union & wanted) != wanted) {
        return -1;
      } else if (Long.bitCount(wanted) == nics) {
        return find(wanted);
      }
      short[] sorted = byRest;
      if (sorted == null) {
        sorted = sorted();
        byRest = sorted;
      }
      for (short set : sorted) {
        if ((rails[set] & wanted) == wanted) {
          return set;
        }
      }
      return -1;
    }

    private short[] sorted() {
      long[] keys = new long[size];
      for (int set = 0; set < size; set++) {
        keys[set] = (-rests[set] << INDEX_BITS) + set; // of rests below 2^50
      }
      Arrays.sort(keys);
      short[] sorted = new short[size];
      for (int i = 0; i < size; i++) {
        sorted[i] = (short) (keys[i] & ((1 << INDEX_BITS) - 1));
      }
      return sorted;
    }
  }

  private final State state;
  private final TreeSetSolver solver;
  private final Budget budget;
  private final long potential; // of the devices that are free before
  private int room; // for so many sets
  private final Sets[] byCount; // by the number of a count; of no pods, an empty one
  private boolean exact = true;

  GangOptions(State state, GangSolver.Counts counts, TreeSetSolver solver, Budget budget)
      throws BudgetExceededException {
    this.state = state;
    this.solver = solver;
    this.budget = budget;
    this.potential = state.shape.potential(state.freeGpus, state.freeNics);
    this.byCount = new Sets[counts.size()];
    int gpus = Long.bitCount(state.someGpus);
    int nics = Long.bitCount(state.someNics);
    for (int count = 0; count < byCount.length; count++) {
      budget.spend(1);
      int wanted = counts.nics(count);
      boolean fits =
          count > 0
              && counts.gpus(count) <= gpus
              && wanted <= nics
              && (counts.kinds(count) & ~state.kinds) == 0;
      long all = fits ? binomial(nics, wanted) : 0;
      boolean tooMany = all > MAX_SETS || room + all > MAX_ALL_SETS;
      Sets sets = new Sets(wanted, tooMany ? ServerTree.MAX_DEVICES + 1 : (int) all);
      byCount[count] = sets;
      room += sets.rails.length;
      if (tooMany) {
        exact = false;
        fillSome(sets, counts.gpus(count));
      } else if (fits) {
        boolean paired = state.bundles == null && counts.gpus(count) == wanted;
        if (paired) {
          choose(state.someNics, 0, wanted, nicSet -> addNear(sets, nicSet));
        }
        int ofGpus = counts.gpus(count);
        choose(state.someNics, 0, wanted, nicSet -> addFar(sets, nicSet, ofGpus, paired));
      }
    }
  }

  /** The number of sets for which there is room; each takes 40 bytes of memory. */
  int room() {
    return room;
  }

  Sets of(int count) {
    return byCount[count];
  }

  /** Whether all sets were examined. */
  boolean isExact() {
    return exact;
  }

  /** Adds the best set, and the sets of neighbouring rails, which other servers have as well. */
  private void fillSome(Sets sets, int gpus) throws BudgetExceededException {
    if (solve(state.someNics, gpus, sets.nics)) {
      add(sets, solver.gpus(), solver.nics());
    }
    for (int first = 0; first < ServerTree.MAX_DEVICES; first++) {
      budget.spend(8);
      long window = 0;
      for (int nic = 0; nic < state.rails.size(); nic++) {
        boolean in = state.rails.of(nic) >= first && state.rails.of(nic) < first + sets.nics;
        window |= in ? state.someNics & ServerTree.bit(nic) : 0;
      }
      if (Long.bitCount(window) == sets.nics && solve(window, gpus, sets.nics)) {
        add(sets, solver.gpus(), solver.nics());
      }
    }
  }

  /** Takes a set of NICs. */
  private interface Taker {
    void take(long nics) throws BudgetExceededException;
  }

  private static void choose(long from, long chosen, int count, Taker taker)
      throws BudgetExceededException {
    if (count == 0) {
      taker.take(chosen);
      return;
    }
    long rest = from;
    while (Long.bitCount(rest) >= count) {
      long first = Long.highestOneBit(rest);
      rest &= ~first;
      choose(rest, chosen | first, count - 1, taker);
    }
  }

  private void addNear(Sets sets, long nics) {
    long near = nearest(nics);
    if (near != 0) {
      add(sets, near, nics);
    }
  }

  private void addFar(Sets sets, long nics, int gpus, boolean nearOnesAreKnown)
      throws BudgetExceededException {
    budget.spend(1);
    if (state.shape.valueOfMost(state.someGpus, nics, state.freeNics) >= sets.value
        && !(nearOnesAreKnown && nearest(nics) != 0)
        && solve(nics, gpus, sets.nics)) {
      add(sets, solver.gpus(), nics);
    }
  }

  /**
   * The GPUs of the cells of some NICs, one for each; 0 if a cell has too few. No GPU of this
   * server is nearer to its NIC, and the GPUs of a cell are interchangeable.
   */
  private long nearest(long nics) {
    ServerTree shape = state.shape;
    long left = nics;
    long chosen = 0;
    for (int cell = 0; cell < shape.cells() && left != 0; cell++) {
      long here = left & shape.nicsOfCell(cell);
      if (here != 0) {
        long some = state.someGpus & shape.gpusOfCell(cell);
        int wanted = Long.bitCount(here);
        if (Long.bitCount(some) < wanted) {
          return 0;
        }
        for (int i = 0; i < wanted; i++) {
          long first = Long.highestOneBit(some);
          chosen |= first;
          some &= ~first;
        }
        left &= ~here;
      }
    }
    return left == 0 ? chosen : 0;
  }

  private boolean solve(long nics, int gpuCount, int nicCount) throws BudgetExceededException {
    boolean found =
        solver.solve(
            state.shape,
            Objective.BEST,
            state.freeGpus,
            state.freeNics,
            state.someGpus,
            nics,
            gpuCount,
            nicCount,
            state.bundles);
    solver.check();
    return found;
  }

  private void add(Sets sets, long gpus, long nics) {
    sets.add(
        state.rails.mask(nics),
        state.shape.value(gpus, nics, state.freeNics),
        rest(gpus, nics),
        gpus,
        nics);
  }

  /**
   * The value that is compared after bandwidth, rails and the network: few NUMA nodes, then the
   * usefulness of the remaining devices, as {@link TreeSetSolver} computes it.
   */
  private long rest(long gpus, long nics) {
    ServerTree shape = state.shape;
    return shape.potential(state.freeGpus & ~gpus, state.freeNics & ~nics)
        - potential
        - ((long) shape.span(gpus, nics) << TreeSetSolver.SPAN_SHIFT);
  }

  private static long binomial(int n, int k) {
    long result = 1;
    for (int i = 1; i <= Math.min(k, n - k); i++) {
      result = result * (n - i + 1) / i;
      if (result > MAX_SETS) {
        return result;
      }
    }
    return result;
  }
}
