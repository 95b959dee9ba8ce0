package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.selection.Pairing.Flow;
import io.dra4j.placement.internal.server.Hungarian;
import io.dra4j.placement.internal.server.PathRates;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the GPUs and NICs of one set if the pairs that are fastest alone share links, so that other
 * pairs may be faster together. First tries matchings in which pairs across NUMA nodes have the
 * share for a given number of such pairs. Then tries exchanges, and then all pairings that may
 * still be better, up to a number of steps. Each device of the smaller side has a partner.
 */
final class PairSearch {

  /** The most partial pairings that are examined. */
  private static final int MAX_STEPS = 2_000;

  private static final int MAX_EXCHANGES = 256;

  /** The most cells of tables that matchings after the first one may examine. */
  private static final long MAX_CELLS = 1 << 18;

  private static final int CELLS_OF_STEP = 64;

  private static final int SHIFT_OF_RATE = 12; // the bits below are the nearness of the pair
  private static final int TYPES = PathType.values().length;
  private static final long NEAR = 1L << 46; // more than the bandwidth of all pairs of a set

  private final Pairing pairing;
  private final Flow[][] pairs; // by device of the smaller side, and of the other one
  private final long[][] nearness;
  private final boolean[][] far;
  private final int mostFar;
  private final int fewestAcross;
  private final int rows;
  private final int columns;
  private final double[] restRate; // an upper bound, of all rows from a row on
  private final long[] restNearness;
  private final double[] columnRate; // an upper bound, by column
  private final List<Integer> fastest = new ArrayList<>(); // columns
  private final int[] rowTwin; // an earlier row with equal pairs everywhere; -1 for none
  private final int[] columnTwin;
  private final int[] group; // by column, equal for columns with equal pairs everywhere

  private final int[] chosen;
  private final boolean[] used;
  private final List<Flow> flows = new ArrayList<>();
  private int[] best = {};
  private long bestRate; // MB/s
  private long bestNearness = -1;
  private int steps;
  private int last;
  private boolean cut;

  /**
   * Prepares a search.
   *
   * @param pairs the pairs of each device of the smaller side with each device of the other side
   * @param fewestAcross the least number of pairs across NUMA nodes, including pairs of others
   * @param within the preferred maximum distance of pairs; null for any distance
   * @param mostFar the number of pairs that may be farther apart
   * @param atLeast MB/s below which pairings are not searched
   */
  PairSearch(
      Pairing pairing,
      Flow[][] pairs,
      int fewestAcross,
      @Nullable PathType within,
      int mostFar,
      long atLeast) {
    this.pairing = pairing;
    this.pairs = pairs;
    this.fewestAcross = Math.max(1, fewestAcross);
    this.mostFar = mostFar;
    this.rows = pairs.length;
    this.columns = pairs[0].length;
    double share = pairing.shareAcross(this.fewestAcross);
    this.columnRate = new double[columns];
    this.nearness = new long[rows][columns];
    this.far = new boolean[rows][columns];
    this.restRate = new double[rows + 1];
    this.restNearness = new long[rows + 1];
    for (int i = rows - 1; i >= 0; i--) {
      double most = 0;
      long nearest = 0;
      for (int j = 0; j < columns; j++) {
        PathType type = pairs[i][j].type;
        nearness[i][j] = Scorer.nearness(type);
        far[i][j] = within != null && !Scorer.isWithin(type, within);
        double rate = capped(pairs[i][j], share);
        columnRate[j] = Math.max(columnRate[j], rate);
        most = Math.max(most, rate);
        nearest = Math.max(nearest, nearness[i][j]);
      }
      restRate[i] = restRate[i + 1] + most;
      restNearness[i] = restNearness[i + 1] + nearest;
    }
    for (int j = 0; j < columns; j++) {
      fastest.add(j);
    }
    fastest.sort(Comparator.comparingDouble(j -> -columnRate[j]));
    this.rowTwin = new int[rows];
    this.columnTwin = new int[columns];
    this.group = new int[columns];
    twins();
    this.chosen = new int[rows];
    this.used = new boolean[columns];
    this.bestRate = atLeast;
  }

  /** The bandwidth of a pair if each pair across NUMA nodes has at most a share. */
  private static double capped(Flow pair, double share) {
    return pair.type == PathType.SYSTEM ? Math.min(pair.alone, share) : pair.alone;
  }

  private void twins() {
    for (int i = 0; i < rows; i++) {
      rowTwin[i] = i - 1;
      while (rowTwin[i] >= 0 && !areTwins(i, rowTwin[i], true)) {
        rowTwin[i]--;
      }
    }
    for (int j = 0; j < columns; j++) {
      columnTwin[j] = j - 1;
      while (columnTwin[j] >= 0 && !areTwins(j, columnTwin[j], false)) {
        columnTwin[j]--;
      }
      group[j] = columnTwin[j] < 0 ? j : group[columnTwin[j]];
    }
  }

  private boolean areTwins(int one, int other, boolean ofRows) {
    for (int k = 0; k < (ofRows ? columns : rows); k++) {
      Flow a = ofRows ? pairs[one][k] : pairs[k][one];
      Flow b = ofRows ? pairs[other][k] : pairs[k][other];
      if (a.type != b.type || a.alone != b.alone || (k == 0 && !pairing.haveEqualCrossings(a, b))) {
        return false;
      }
    }
    return true;
  }

  /** {@return the best pairing, not worse than the first one: the partner's index by device} */
  int[] best(int[] first) {
    take(first);
    if (!isBestOfMatchings()) {
      exchange(best.length == 0 ? first : best);
      last = steps + MAX_STEPS;
      look(0, 0, 0);
    }
    return best.length == 0 ? first : best;
  }

  /** Whether a pairing that was not examined may have more bandwidth. */
  boolean mayBeBetter() {
    return cut;
  }

  /** The number of steps so far. */
  int steps() {
    return steps;
  }

  /** Tries, for each number of pairs across NUMA nodes, the pairs with the most bandwidth. */
  private boolean isBestOfMatchings() {
    long most = 0; // an upper bound of the pairings that no matching is known to find
    long cells = 0;
    boolean done = false;
    for (int across = fewestAcross; !done; across += 1 + across / 8) {
      double share = pairing.shareAcross(across);
      long[][] weights = new long[rows][columns];
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
          long rate = Math.round(capped(pairs[i][j], share) * 1_000);
          weights[i][j] =
              (Math.min(rate, PairFlow.MAX_RATE) << SHIFT_OF_RATE)
                  + (TYPES - PathRates.number(pairs[i][j].type))
                  + (far[i][j] ? 0 : NEAR);
        }
      }
      int[] matched = Hungarian.match(weights);
      take(matched);
      long sum = Hungarian.weight(weights, matched);
      long rate = (sum & NEAR - 1) >> SHIFT_OF_RATE;
      if (across == fewestAcross) {
        most = rate;
      }
      cells += (long) rows * rows * columns;
      steps += rows * rows * columns / CELLS_OF_STEP;
      int found = pairing.others();
      for (int i = 0; i < rows; i++) {
        found += pairs[i][matched[i]].type == PathType.SYSTEM ? 1 : 0;
      }
      done = found <= across || across >= pairing.others() + rows || cells > MAX_CELLS;
    }
    return bestRate + rows >= most; // each row is rounded
  }

  /** Gives one device after the other another partner, as long as the pairing gets better. */
  private void exchange(int[] from) {
    int[] now = from;
    int left = MAX_EXCHANGES;
    boolean better = true;
    while (better && left > 0) {
      better = false;
      for (int i = 0; i < rows && !better; i++) {
        for (int j = 0; j < columns && !better && left > 0; j++) {
          int[] other = now.clone();
          int holder = 0;
          while (holder < rows && other[holder] != j) {
            holder++;
          }
          if (holder != i) {
            if (holder < rows) {
              other[holder] = now[i];
            }
            other[i] = j;
            left--;
            better = take(other);
            now = better ? other : now;
          }
        }
      }
    }
  }

  /** Takes a pairing if it is better than the best one so far. */
  private boolean take(int[] partners) {
    flows.clear();
    int tooFar = 0;
    long near = 0;
    for (int i = 0; i < rows; i++) {
      flows.add(pairs[i][partners[i]]);
      near += nearness[i][partners[i]];
      tooFar += far[i][partners[i]] ? 1 : 0;
    }
    boolean better = false;
    if (tooFar <= mostFar) {
      double rate = rate();
      better = isBetter(rate, near);
      if (better) {
        keep(partners, rate, near);
      }
    }
    flows.clear();
    return better;
  }

  private void keep(int[] partners, double rate, long near) {
    best = partners.clone();
    bestRate = Math.round(rate * 1_000);
    bestNearness = near;
  }

  private boolean isBetter(double rate, long near) {
    long rounded = Math.round(rate * 1_000);
    return rounded > bestRate || (rounded == bestRate && near > bestNearness);
  }

  /** The bandwidth of the pairs so far. */
  private double rate() {
    steps++;
    for (Flow flow : flows) {
      flow.rate = flow.alone;
    }
    pairing.share(flows);
    double sum = 0;
    for (Flow flow : flows) {
      sum += flow.rate;
    }
    return sum;
  }

  /**
   * An upper bound of the bandwidth of all rows from a row on, from the rows alone and from the
   * remaining columns.
   */
  private double rest(int row) {
    double sum = 0;
    int left = rows - row;
    for (int i = 0; i < columns && left > 0; i++) {
      int column = fastest.get(i);
      if (!used[column]) {
        sum += columnRate[column];
        left--;
      }
    }
    return Math.min(restRate[row], sum);
  }

  private void look(int row, int tooFar, long near) {
    if (steps >= last) {
      cut = true;
      return;
    }
    double rate = rate(); // more pairs can only reduce it
    if (!isBetter(rate + rest(row), near + restNearness[row])) {
      return;
    }
    if (row == rows) {
      keep(chosen, rate, near);
      return;
    }
    for (int j = 0; j < columns && !cut; j++) {
      int twin = rowTwin[row];
      if (used[j]
          || (columnTwin[j] >= 0 && !used[columnTwin[j]])
          || (twin >= 0 && group[j] < group[chosen[twin]])
          || (far[row][j] && tooFar == mostFar)) {
        continue;
      }
      used[j] = true;
      chosen[row] = j;
      flows.add(pairs[row][j]);
      look(row + 1, tooFar + (far[row][j] ? 1 : 0), near + nearness[row][j]);
      flows.remove(flows.size() - 1);
      used[j] = false;
    }
  }
}
