package io.dra4j.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a gang can have of one server in one state: for each number of its pods, which sets of NICs,
 * with the GPUs that go best with them. Immutable, so that servers in the same state share it.
 */
final class GangOptions {

  /** So many rails can be told apart; each may have up to four NICs of a server in a gang. */
  static final int RAILS = 16;

  /** More sets of NICs of one server are not looked at for one number of pods. */
  private static final int MAX_SETS = 2_000;

  /**
   * A server, as a gang sees it.
   *
   * @param shape its GPUs and NICs
   * @param freeGpus the GPUs that nobody has
   * @param freeNics the NICs that nobody has
   * @param someGpus those of them that the pods may have
   * @param someNics those of them that the pods may have
   * @param rails the rail of each NIC, a number from 0; negative for none
   * @param kinds the kinds of pods that may run there, a bit for each of the demand
   * @param bundles what of the pods has to stay together; null if nothing
   */
  record State(
      ServerShape shape,
      long freeGpus,
      long freeNics,
      long someGpus,
      long someNics,
      Rails rails,
      int kinds,
      SetSolver.@Nullable Bundles bundles) {}

  /**
   * Rails by NIC; compared by value.
   *
   * @param numbers the rail of each NIC; negative for none
   */
  record Rails(List<Integer> numbers) {
    /** Copies the list. {@inheritDoc} */
    Rails {
      numbers = List.copyOf(numbers);
    }
  }

  /** The sets for one number of pods: of those on the same rails the best one. */
  static final class Sets {
    final int nics;
    private int size;
    private long[] rails = new long[4];
    private long[] values = new long[4];
    private long[] rests = new long[4];
    private long[] gpuSets = new long[4];
    private long[] nicSets = new long[4];
    private short[] places = new short[8]; // of rails, one more; 0 for none
    private int most = -1;

    Sets(int nics) {
      this.nics = nics;
    }

    int size() {
      return size;
    }

    long rails(int set) {
      return rails[set];
    }

    long value(int set) {
      return values[set];
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

    private void add(long railMask, long value, long rest, long gpuSet, long nicSet) {
      int set = find(railMask);
      if (set < 0) {
        set = size++;
        if (set == rails.length) {
          grow();
        }
        rails[set] = railMask;
        places[place(railMask)] = (short) size;
      } else if (value < values[set] || (value == values[set] && rest <= rests[set])) {
        return;
      }
      values[set] = value;
      rests[set] = rest;
      gpuSets[set] = gpuSet;
      nicSets[set] = nicSet;
      most = most < 0 || isBetter(set, most) ? set : most;
    }

    private void grow() {
      rails = Arrays.copyOf(rails, size * 2);
      values = Arrays.copyOf(values, size * 2);
      rests = Arrays.copyOf(rests, size * 2);
      gpuSets = Arrays.copyOf(gpuSets, size * 2);
      nicSets = Arrays.copyOf(nicSets, size * 2);
      places = new short[Integer.highestOneBit(size) * 8]; // a power of two
      for (int i = 0; i < size - 1; i++) {
        places[place(rails[i])] = (short) (i + 1);
      }
    }

    /** Where the rails are, or where they would be. */
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

    private boolean isBetter(int set, int than) {
      return values[set] > values[than]
          || (values[set] == values[than] && rests[set] > rests[than]);
    }

    /** The best set that has all of some rails; negative if there is none. */
    int best(long wanted) {
      if (wanted == 0) {
        return most;
      } else if (Long.bitCount(wanted) == nics) {
        return find(wanted);
      }
      int best = -1;
      for (int i = 0; i < size; i++) {
        if ((rails[i] & wanted) == wanted && (best < 0 || isBetter(i, best))) {
          best = i;
        }
      }
      return best;
    }
  }

  private final State state;
  private final SetSolver solver;
  private final Sets[] byCount; // by the number of a count; of no pods, an empty one
  private boolean exact = true;

  GangOptions(State state, GangSolver.Counts counts, SetSolver solver) {
    this.state = state;
    this.solver = solver;
    this.byCount = new Sets[counts.size()];
    int gpus = Long.bitCount(state.someGpus);
    int nics = Long.bitCount(state.someNics);
    for (int count = 0; count < byCount.length; count++) {
      Sets sets = new Sets(counts.nics(count));
      byCount[count] = sets;
      if (count > 0
          && counts.gpus(count) <= gpus
          && sets.nics <= nics
          && (counts.kinds(count) & ~state.kinds) == 0) {
        fill(sets, counts.gpus(count));
      }
    }
  }

  Sets of(int count) {
    return byCount[count];
  }

  /** Whether all sets were looked at. */
  boolean isExact() {
    return exact;
  }

  private void fill(Sets sets, int gpus) {
    if (binomial(Long.bitCount(state.someNics), sets.nics) <= MAX_SETS) {
      choose(state.someNics, 0, sets.nics, sets, gpus);
      return;
    }
    exact = false;
    if (solve(state.someNics, gpus, sets.nics)) {
      add(sets, solver.gpus(), solver.nics());
    }
    // Neighbouring rails, which other servers have, too.
    List<Integer> numbers = state.rails.numbers();
    for (int first = 0; first < ServerShape.MAX_DEVICES; first++) {
      long window = 0;
      for (int nic = 0; nic < numbers.size(); nic++) {
        boolean in = numbers.get(nic) >= first && numbers.get(nic) < first + sets.nics;
        window |= in ? state.someNics & ServerShape.bit(nic) : 0;
      }
      if (Long.bitCount(window) == sets.nics && solve(window, gpus, sets.nics)) {
        add(sets, solver.gpus(), solver.nics());
      }
    }
  }

  private void choose(long from, long chosen, int count, Sets sets, int gpus) {
    if (count == 0) {
      look(chosen, sets, gpus);
      return;
    }
    long rest = from;
    while (Long.bitCount(rest) >= count) {
      long first = Long.highestOneBit(rest);
      rest &= ~first;
      choose(rest, chosen | first, count - 1, sets, gpus);
    }
  }

  private void look(long nics, Sets sets, int gpus) {
    long near = state.bundles != null || gpus != sets.nics ? 0 : nearest(nics);
    if (near != 0) {
      add(sets, near, nics);
    } else if (solve(nics, gpus, sets.nics)) {
      add(sets, solver.gpus(), nics);
    }
  }

  /**
   * The GPUs of the cells of some NICs, one for each; 0 if a cell has too few. They are as near as
   * any GPU of this server, and which GPU of a cell it is makes no difference.
   */
  private long nearest(long nics) {
    ServerShape shape = state.shape;
    long left = nics;
    long chosen = 0;
    for (int v = 0; v < shape.nodes && left != 0; v++) {
      if (shape.cell[v] && (left & shape.nics[v]) != 0) {
        long some = state.someGpus & shape.gpus[v];
        int wanted = Long.bitCount(left & shape.nics[v]);
        if (Long.bitCount(some) < wanted) {
          return 0;
        }
        for (int i = 0; i < wanted; i++) {
          chosen |= Long.highestOneBit(some & ~chosen);
        }
        left &= ~shape.nics[v];
      }
    }
    return left == 0 ? chosen : 0;
  }

  private boolean solve(long nics, int gpuCount, int nicCount) {
    return solver.solve(
        state.shape,
        Objective.BEST,
        state.freeGpus,
        state.freeNics,
        state.someGpus,
        nics,
        gpuCount,
        nicCount,
        state.bundles);
  }

  private void add(Sets sets, long gpus, long nics) {
    ServerShape shape = state.shape;
    sets.add(
        railMask(state.rails, nics),
        shape.value(gpus, nics, state.freeNics),
        rest(shape, state.freeGpus, state.freeNics, gpus, nics),
        gpus,
        nics);
  }

  /**
   * What counts after bandwidth, rails and the network: few NUMA nodes, then what stays useful, as
   * {@link SetSolver} has it.
   */
  static long rest(ServerShape shape, long freeGpus, long freeNics, long gpus, long nics) {
    return shape.potential(freeGpus & ~gpus, freeNics & ~nics)
        - shape.potential(freeGpus, freeNics)
        - ((long) shape.span(gpus, nics) << SetSolver.SPAN_SHIFT);
  }

  /**
   * The rails of some NICs as a set that can be intersected: two of the same rail are two members,
   * so that what two servers have in common is what both have as often.
   */
  static long railMask(Rails rails, long nics) {
    long mask = 0;
    List<Integer> numbers = rails.numbers();
    for (int nic = 0; nic < numbers.size(); nic++) {
      if ((nics & ServerShape.bit(nic)) != 0 && numbers.get(nic) >= 0) {
        mask = with(mask, numbers.get(nic));
      }
    }
    return mask;
  }

  /** A rail has the bits of its number and, where it is there again, of its number and 16, ... */
  private static long with(long mask, int rail) {
    for (int place = rail; place < Long.SIZE; place += RAILS) {
      if ((mask & 1L << place) == 0) {
        return mask | 1L << place;
      }
    }
    return mask;
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

  /** Rails by NIC. */
  static Rails rails(int[] numbers) {
    List<Integer> list = new ArrayList<>(numbers.length);
    for (int number : numbers) {
      list.add(number);
    }
    return new Rails(list);
  }
}
