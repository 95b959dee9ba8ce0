package io.dra4j.placement.internal.server;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.topology.PathType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best set of given numbers of GPUs and NICs of a server, exactly. All criteria are sums
 * over the nodes of the tree. The best choices for each number of GPUs and NICs below a node
 * therefore follow from the best choices of its children. Of equally good sets, the result is the
 * set with the first devices.
 *
 * <p>Reuses its memory from call to call, and creates no garbage. For one thread.
 *
 * <p>If virtual functions share a card, pairs are counted as if all of its functions were in pairs
 * of the fastest class; otherwise the answer is the optimum.
 */
public final class TreeSetSolver {

  private static final int WORDS = 4; // two keys, GPUs, NICs
  private static final long NONE = Long.MIN_VALUE;
  public static final int SPAN_SHIFT = 40;

  private static final int SMALL = 1 << 12;
  private static final int KEPT = 1 << 17; // 1 MB

  private long[] arena = new long[SMALL];
  private Budget budget = Budget.unlimited();
  private @Nullable BudgetExceededException cut; // the reason why there is no answer
  private int used;
  private int[] start = new int[16];
  private int[] sizeX = new int[16];
  private int[] sizeY = new int[16];

  // The query.
  @SuppressWarnings("NullAway.Init") // set by each query
  private ServerTree shape;

  private Objective objective = Objective.BEST;
  private long freeGpus;
  private long freeNics;

  // The table under construction.
  private int table;
  private int dimX; // of GPUs: the most possible number plus 1
  private int dimY;
  private int dimM = 1; // of pairs that meet below the root, if that matters

  // The best set so far.
  private long key1;
  private long key2;
  private long gpus;
  private long nics;

  /**
   * Sets a budget for the next calls. When it is used up, there is no answer; see {@link #check}.
   */
  public void limit(Budget limit) {
    budget = limit;
    cut = null;
  }

  /** Whether the budget was used up before there was an answer. */
  boolean isCut() {
    return cut != null;
  }

  /** Throws if the budget was used up before there was an answer. */
  public void check() throws BudgetExceededException {
    if (cut != null) {
      throw cut;
    }
  }

  /** The GPUs of the best set. */
  public long gpus() {
    return gpus;
  }

  /** The NICs of the best set. */
  public long nics() {
    return nics;
  }

  /**
   * Finds the best set.
   *
   * @param server the server
   * @param wanted the objective
   * @param allFreeGpus the free GPUs
   * @param allFreeNics the free NICs
   * @param someGpus the free GPUs that may be chosen
   * @param someNics the free NICs that may be chosen
   * @param numberOfGpus the number of GPUs to choose
   * @param numberOfNics the number of NICs to choose
   * @param bundles the devices that must stay together; null if there are none
   * @return whether there is such a set
   */
  @SuppressWarnings("ParameterNumber") // a record of the query would be an allocation per call
  public boolean solve(
      ServerTree server,
      Objective wanted,
      long allFreeGpus,
      long allFreeNics,
      long someGpus,
      long someNics,
      int numberOfGpus,
      int numberOfNics,
      @Nullable Bundles bundles) {
    gpus = 0;
    nics = 0;
    if (Long.bitCount(someGpus & server.allGpus) < numberOfGpus
        || Long.bitCount(someNics & server.allNics) < numberOfNics) {
      return false;
    }
    prepare(server, wanted, allFreeGpus, allFreeNics);
    boolean found = solve(server, someGpus, someNics, numberOfGpus, numberOfNics, bundles);
    if (arena.length > KEPT) {
      arena = new long[SMALL];
    }
    return found && cut == null;
  }

  private boolean solve(
      ServerTree server,
      long someGpus,
      long someNics,
      int numberOfGpus,
      int numberOfNics,
      @Nullable Bundles bundles) {
    int pairs = Math.min(numberOfGpus, numberOfNics);
    int root = server.nodes - 1;
    key1 = NONE;
    for (int v = 0; v <= root; v++) {
      boolean limited = v == root && server.excessOfRoot(pairs) > 0;
      dimM = limited ? pairs + 1 : 1;
      boolean loose = bundles != null && !bundles.holds(server, v);
      ownTable(
          v,
          loose ? 0 : someGpus & server.ownGpus[v],
          loose ? 0 : someNics & server.ownNics[v],
          numberOfGpus,
          numberOfNics);
      int[] children = server.children[v];
      for (int i = 0; i < children.length; i++) {
        if (v == root && i == children.length - 1) {
          finish(children[i], numberOfGpus, numberOfNics, limited, bundles);
          return key1 != NONE;
        }
        merge(children[i], numberOfGpus, numberOfNics);
      }
      if (v < root) {
        addNode(v, bundles);
        keep(v);
      }
    }
    // The root has no children.
    finish(-1, numberOfGpus, numberOfNics, dimM > 1, bundles);
    return key1 != NONE;
  }

  private void prepare(ServerTree server, Objective wanted, long allFreeGpus, long allFreeNics) {
    shape = server;
    objective = wanted;
    freeGpus = allFreeGpus;
    freeNics = allFreeNics;
    used = 0;
    cut = null;
    if (start.length < server.nodes) {
      start = new int[server.nodes];
      sizeX = new int[server.nodes];
      sizeY = new int[server.nodes];
    }
  }

  private int reserve(int entries) {
    int at = used;
    used += entries * WORDS;
    if (used > arena.length) {
      arena = Arrays.copyOf(arena, Math.max(used, arena.length * 2));
    }
    return at;
  }

  /** Begins with the devices directly below a node; of equal devices the first ones are taken. */
  private void ownTable(int v, long someGpus, long someNics, int maxX, int maxY) {
    dimX = Math.min(maxX, Long.bitCount(someGpus)) + 1;
    dimY = Math.min(maxY, Long.bitCount(someNics)) + 1;
    table = reserve(dimX * dimY * dimM);
    boolean orphans = !shape.belowCell[v];
    boolean root = v == shape.nodes - 1;
    int ownGpus = Long.bitCount(freeGpus & shape.ownGpus[v]);
    int ownNics = Long.bitCount(freeNics & shape.ownNics[v]);
    long chosenGpus = 0;
    for (int x = 0; x < dimX; x++) {
      long chosenNics = 0;
      for (int y = 0; y < dimY; y++) {
        int entry = table + (x * dimY + y) * dimM * WORDS;
        for (int m = 1; m < dimM; m++) {
          arena[entry + m * WORDS] = NONE;
        }
        arena[entry] = 0;
        arena[entry + 1] = 0;
        arena[entry + 2] = chosenGpus;
        arena[entry + 3] = chosenNics;
        long potential = orphans ? (long) ServerTree.ORPHAN * (ownGpus - x + ownNics - y) : 0;
        long excess =
            shape.cards.length == 0 ? 0 : -(excess(v, chosenNics) << ServerTree.RATE_SHIFT);
        add(entry, excess, root ? x + y : 0, 0, potential);
        chosenNics |= Long.highestOneBit(someNics & ~chosenNics);
      }
      chosenGpus |= Long.highestOneBit(someGpus & ~chosenGpus);
    }
  }

  /** The excess of the cards whose NICs are all directly below a node. */
  private long excess(int v, long chosenNics) {
    return (chosenNics & shape.ownNics[v]) == 0 ? 0 : shape.excessOfCards(chosenNics, freeNics);
  }

  /** Adds to the keys of an entry, in the order of the objective. */
  private void add(int entry, long value, long span, long touched, long potential) {
    switch (objective) {
      case BEST -> {
        arena[entry] += value;
        arena[entry + 1] += potential - (span << SPAN_SHIFT);
      }
      case PACK -> {
        arena[entry] += (potential << 8) - span;
        arena[entry + 1] += value;
      }
      case SPREAD -> {
        arena[entry] += value;
        arena[entry + 1] += ((touched + span) << SPAN_SHIFT) + potential;
      }
    }
  }

  /** Adds the best choices below a child to the table. */
  private void merge(int child, int maxX, int maxY) {
    int oldX = dimX;
    int oldY = dimY;
    int old = table;
    dimX = Math.min(maxX, oldX + sizeX[child] - 2) + 1;
    dimY = Math.min(maxY, oldY + sizeY[child] - 2) + 1;
    table = reserve(dimX * dimY * dimM);
    long[] words = arena;
    for (int entry = table; entry < used; entry += WORDS) {
      words[entry] = NONE;
    }
    int from = start[child];
    int units = (oldY * dimM * sizeX[child] * sizeY[child]) >>> 11; // operations of about 5 ns each
    for (int x1 = 0; x1 < oldX && mayGoOn(units); x1++) {
      for (int y1 = 0; y1 < oldY; y1++) {
        for (int m1 = 0; m1 < dimM; m1++) {
          int first = old + ((x1 * oldY + y1) * dimM + m1) * WORDS;
          if (words[first] == NONE) {
            continue;
          }
          int endX = Math.min(sizeX[child], dimX - x1);
          int endY = Math.min(sizeY[child], dimY - y1);
          for (int x2 = 0; x2 < endX; x2++) {
            for (int y2 = 0; y2 < endY; y2++) {
              int second = from + (x2 * sizeY[child] + y2) * WORDS;
              if (words[second] != NONE) {
                int m = dimM == 1 ? 0 : Math.min(dimM - 1, m1 + Math.min(x2, y2));
                int to = table + (((x1 + x2) * dimY + y1 + y2) * dimM + m) * WORDS;
                better(to, first, second);
              }
            }
          }
        }
      }
    }
    if (used > KEPT) {
      moveTable(old);
    }
  }

  /** Moves a large table to the place of the one before it, which is no longer needed. */
  private void moveTable(int old) {
    int size = used - table;
    System.arraycopy(arena, table, arena, old, size);
    table = old;
    used = old + size;
  }

  private boolean mayGoOn(int units) {
    try {
      budget.spend(units);
    } catch (BudgetExceededException e) {
      cut = e;
    }
    return cut == null;
  }

  private void better(int to, int first, int second) {
    long[] words = arena;
    long one = words[first] + words[second];
    long best = words[to];
    if (best != NONE && one < best) {
      return;
    }
    long two = words[first + 1] + words[second + 1];
    long someGpus = words[first + 2] | words[second + 2];
    long someNics = words[first + 3] | words[second + 3];
    if (best == NONE
        || isBetter(
            one, two, someGpus, someNics, best, words[to + 1], words[to + 2], words[to + 3])) {
      words[to] = one;
      words[to + 1] = two;
      words[to + 2] = someGpus;
      words[to + 3] = someNics;
    }
  }

  @SuppressWarnings("ParameterNumber") // the words of two entries, which are not objects
  private static boolean isBetter(
      long one,
      long two,
      long someGpus,
      long someNics,
      long otherOne,
      long otherTwo,
      long otherGpus,
      long otherNics) {
    if (one != otherOne) {
      return one > otherOne;
    }
    if (two != otherTwo) {
      return two > otherTwo;
    }
    int byGpus = Long.compareUnsigned(someGpus, otherGpus);
    return byGpus != 0 ? byGpus > 0 : Long.compareUnsigned(someNics, otherNics) > 0;
  }

  /** Adds the values that depend on the numbers of chosen devices below a node. */
  private void addNode(int v, @Nullable Bundles bundles) {
    int free = Long.bitCount(freeGpus & shape.gpus[v]);
    int freeOfNics = Long.bitCount(freeNics & shape.nics[v]);
    boolean group = bundles != null && bundles.isGroup(shape, v);
    for (int x = 0; x < dimX; x++) {
      for (int y = 0; y < dimY; y++) {
        int entry = table + (x * dimY + y) * WORDS;
        if (arena[entry] == NONE) {
          continue;
        }
        if (group && bundles != null && !bundles.fits(x, y)) {
          arena[entry] = NONE;
          continue;
        }
        boolean touched = x + y > 0;
        add(
            entry,
            shape.gain[v] * Math.min(x, y),
            shape.top[v] && touched ? 1 : 0,
            shape.cell[v] && touched ? 1 : 0,
            shape.potential(v, free - x, freeOfNics - y));
      }
    }
  }

  private void keep(int v) {
    start[v] = table;
    sizeX[v] = dimX;
    sizeY[v] = dimY;
  }

  /** Finds the best whole set, with the last child of the root if there is one. */
  private void finish(int child, int maxX, int maxY, boolean limited, @Nullable Bundles bundles) {
    int root = shape.nodes - 1;
    if (bundles != null && bundles.isGroup(shape, root) && !bundles.fits(maxX, maxY)) {
      return;
    }
    int pairs = Math.min(maxX, maxY);
    int free = Long.bitCount(freeGpus & shape.allGpus);
    int freeOfNics = Long.bitCount(freeNics & shape.allNics);
    long value = shape.gain[root] * pairs;
    long potential = shape.potential(root, free - maxX, freeOfNics - maxY);
    int scratch = reserve(2);
    int empty = scratch + WORDS;
    Arrays.fill(arena, empty, empty + WORDS, 0);
    int endX = child < 0 ? 1 : sizeX[child];
    int endY = child < 0 ? 1 : sizeY[child];
    for (int x2 = Math.max(0, maxX - dimX + 1); x2 < endX && x2 <= maxX; x2++) {
      for (int y2 = Math.max(0, maxY - dimY + 1); y2 < endY && y2 <= maxY; y2++) {
        int second = child < 0 ? empty : start[child] + (x2 * endY + y2) * WORDS;
        if (arena[second] == NONE) {
          continue;
        }
        for (int m = 0; m < dimM; m++) {
          int first = table + (((maxX - x2) * dimY + maxY - y2) * dimM + m) * WORDS;
          if (arena[first] == NONE) {
            continue;
          }
          arena[scratch] = NONE;
          better(scratch, first, second);
          long excess =
              limited ? shape.excessOfRoot(pairs - Math.min(pairs, m + Math.min(x2, y2))) : 0;
          add(scratch, value - (excess << ServerTree.RATE_SHIFT), 0, 0, potential);
          takeIfBetter(scratch);
        }
      }
    }
  }

  /** Takes an entry as the best set so far, if it is better. */
  private void takeIfBetter(int entry) {
    long[] words = arena;
    if (key1 == NONE
        || isBetter(
            words[entry],
            words[entry + 1],
            words[entry + 2],
            words[entry + 3],
            key1,
            key2,
            gpus,
            nics)) {
      key1 = words[entry];
      key2 = words[entry + 1];
      gpus = words[entry + 2];
      nics = words[entry + 3];
    }
  }

  /**
   * Devices that must stay together in groups of the tree: each group has GPUs and NICs in the
   * given proportion.
   *
   * @param within the maximum distance in a group; the groups are the largest nodes within it
   * @param gpus the number of GPUs of one bundle
   * @param nics the number of NICs of one bundle
   */
  public record Bundles(PathType within, int gpus, int nics) {

    public boolean isGroup(ServerTree shape, int v) {
      return shape.types[v].isWithin(within)
          && (shape.parent[v] < 0 || !shape.types[shape.parent[v]].isWithin(within));
    }

    /** Whether devices directly below this node are in a group. */
    boolean holds(ServerTree shape, int v) {
      return shape.types[v].isWithin(within);
    }

    boolean fits(int x, int y) {
      return x * nics == y * gpus && (gpus == 0 ? y % nics == 0 : x % gpus == 0);
    }
  }
}
