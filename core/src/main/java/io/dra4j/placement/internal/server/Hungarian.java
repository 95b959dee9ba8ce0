package io.dra4j.placement.internal.server;

import java.util.Arrays;

/**
 * The heaviest matching of two kinds of devices, for any weights: the Hungarian method with
 * potentials, O(n²·m) (Kuhn 1955, Munkres 1957). The closed form for trees must agree with it.
 */
public final class Hungarian {

  private static final long FAR = Long.MAX_VALUE / 4;

  private Hungarian() {}

  /**
   * {@return for each row its column, or -1; all devices of the smaller side are matched}
   *
   * @param weights by row and column, not negative, below 2^60; all rows equally long
   */
  public static int[] match(long[][] weights) {
    int rows = weights.length;
    int columns = rows == 0 ? 0 : weights[0].length;
    if (rows <= columns) {
      return assign(weights, rows, columns);
    }
    long[][] turned = new long[columns][rows];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        turned[j][i] = weights[i][j];
      }
    }
    int[] matched = new int[rows];
    Arrays.fill(matched, -1);
    int[] byColumn = assign(turned, columns, rows);
    for (int j = 0; j < columns; j++) {
      matched[byColumn[j]] = j;
    }
    return matched;
  }

  /** The sum of the weights of a matching. */
  public static long weight(long[][] weights, int[] matched) {
    long sum = 0;
    for (int i = 0; i < matched.length; i++) {
      sum += matched[i] < 0 ? 0 : weights[i][matched[i]];
    }
    return sum;
  }

  /** Assigns a column to each row; there are at most as many rows as columns. */
  @SuppressWarnings("MethodLength") // the steps of the algorithm share its arrays
  private static int[] assign(long[][] weights, int rows, int columns) {
    long[] u = new long[rows + 1];
    long[] v = new long[columns + 1];
    int[] rowOf = new int[columns + 1]; // from 1; 0 is none
    int[] way = new int[columns + 1];
    for (int row = 1; row <= rows; row++) {
      rowOf[0] = row;
      int column = 0;
      long[] least = new long[columns + 1];
      boolean[] seen = new boolean[columns + 1];
      Arrays.fill(least, FAR);
      do {
        seen[column] = true;
        int current = rowOf[column];
        long delta = FAR;
        int next = 0;
        for (int j = 1; j <= columns; j++) {
          if (seen[j]) {
            continue;
          }
          long cost = -weights[current - 1][j - 1] - u[current] - v[j];
          if (cost < least[j]) {
            least[j] = cost;
            way[j] = column;
          }
          if (least[j] < delta) {
            delta = least[j];
            next = j;
          }
        }
        for (int j = 0; j <= columns; j++) {
          if (seen[j]) {
            u[rowOf[j]] += delta;
            v[j] -= delta;
          } else {
            least[j] -= delta;
          }
        }
        column = next;
      } while (rowOf[column] != 0);
      do {
        int before = way[column];
        rowOf[column] = rowOf[before];
        column = before;
      } while (column != 0);
    }
    int[] matched = new int[rows];
    for (int j = 1; j <= columns; j++) {
      if (rowOf[j] != 0) {
        matched[rowOf[j] - 1] = j - 1;
      }
    }
    return matched;
  }
}
