package io.dra4j.allocation.internal.search;

import java.util.Arrays;

/** Assigns units of rows to columns with room, by augmenting paths (Ford and Fulkerson, 1956). */
final class TransportationProblem {

  private final int[][] room;
  private final int[] total;
  private final int[][] assigned;
  private final int[] load;
  private final boolean[] visited;

  /**
   * Creates an empty assignment.
   *
   * @param room the maximum number of units of a row in a column, by row and column
   * @param total the maximum number of units of all rows in a column
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

  /**
   * Finds a column for one more unit; the recursion is at most as deep as the number of columns.
   */
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
