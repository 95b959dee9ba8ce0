package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Units find columns if, and only if, there is a way to assign them all. */
class TransportationProblemTest {

  private static final int CASES = 20_000;

  private static boolean canCarry(int[][] room, int[] total, int... supply) {
    return new TransportationProblem(room, total).canCarry(supply);
  }

  @Test
  void nothingIsAlwaysCarried() {
    assertThat(canCarry(new int[0][0], new int[0])).isTrue();
    assertThat(canCarry(new int[][] {{}}, new int[0], 0)).isTrue();
    assertThat(canCarry(new int[][] {{}}, new int[0], 1)).isFalse();
  }

  @Test
  void anEarlierUnitGivesWayIfItHasAnotherColumn() {
    int[][] room = {{1, 1}, {1, 0}};
    assertThat(canCarry(room, new int[] {1, 1}, 1, 1)).isTrue();
    assertThat(canCarry(room, new int[] {1, 1}, 2, 1)).isFalse();
    assertThat(canCarry(room, new int[] {2, 1}, 2, 1)).isTrue();
  }

  /** Whether some assignment, of all that there are, carries everything. */
  private static boolean canCarryAtAll(
      int[][] room, int[] total, int[] supply, int row, int column) {
    if (row == supply.length) {
      return true;
    } else if (column == total.length) {
      return supply[row] == 0 && canCarryAtAll(room, total, supply, row + 1, 0);
    }
    int most = Math.min(supply[row], Math.min(room[row][column], total[column]));
    for (int units = 0; units <= most; units++) {
      supply[row] -= units;
      total[column] -= units;
      boolean can = canCarryAtAll(room, total, supply, row, column + 1);
      supply[row] += units;
      total[column] += units;
      if (can) {
        return true;
      }
    }
    return false;
  }

  @Test
  void whatCanBeCarriedIsWhatSomeAssignmentCarries() {
    SplittableRandom random = new SplittableRandom(1);
    int carried = 0;
    for (int i = 0; i < CASES; i++) {
      int columns = random.nextInt(1, 5);
      int[][] room = new int[random.nextInt(1, 5)][columns];
      int[] supply = random.ints(room.length, 0, 4).toArray();
      int[] total = random.ints(columns, 0, 5).toArray();
      for (int[] ofRow : room) {
        Arrays.setAll(ofRow, column -> random.nextInt(3));
      }
      boolean can = canCarryAtAll(room, total, supply, 0, 0);
      assertThat(canCarry(room, total, supply))
          .as("%s, %s, %s", Arrays.deepToString(room), Arrays.toString(total), supply)
          .isEqualTo(can);
      carried += can ? 1 : 0;
    }
    assertThat(carried).isBetween(CASES / 10, CASES * 9 / 10);
  }
}
