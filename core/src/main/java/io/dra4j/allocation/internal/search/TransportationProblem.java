package io.dra4j.allocation.internal.search;

import java.util.Arrays;

/**
 * Assigns units of several rows to columns, as many as there is room for: an augmenting path for
 * each unit (Ford and Fulkerson, 1956).
 */
final class TransportationProblem {

  private final int[][] room;
  private final int[] total;
  private final int[][] assigned;
  private final int[] load;
  private final boolean[] visited;

  /**
   * Makes an assignment of nothing.
   *
   * @param room how many units of a row a column takes, by row and column
   * @param total how many units of all rows a column takes
   */
  TransportationProblem(int[][] room, int[] total) {
    this.room = room;
    this.total = total;
    this.assigned = new int[room.length][total.length];
    this.load = new int[total.length];
    this.visited = new boolean[total.length];
  }

  /** Whether all units of all rows find a column. */
  boolean canCarry(int[] supply) {
    for (int row = 0; row < supply.length; row++) {
      for (int unit = 0; unit < supply[row]; unit++) {
        Arrays.fill(visited, false);
        if (!assign(row)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Finds a column for one more unit; no deeper than there are columns. */
  private boolean assign(int row) {
    for (int column = 0; column < total.length; column++) {
      if (visited[column] || assigned[row][column] >= room[row][column]) {
        continue;
      }
      visited[column] = true;
      if (load[column] < total[column]) {
        load[column]++;
        assigned[row][column]++;
        return true;
      }
      for (int other = 0; other < room.length; other++) {
        if (assigned[other][column] > 0 && other != row && assign(other)) {
          assigned[other][column]--;
          assigned[row][column]++;
          return true;
        }
      }
    }
    return false;
  }
}
