package io.dra4j.cel.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GoSortTest {

  @Test
  void equalElementsAreInTheOrderThatGoLeavesThemIn() {
    assertThat(GoSort.sorted(13, (a, b) -> a % 2 < b % 2))
        .containsExactly(8, 12, 2, 0, 4, 10, 6, 3, 7, 9, 5, 11, 1);
  }

  @Test
  void sortsWhateverTheOrderWas() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 2_000; round++) {
      int[] keys = new int[random.nextInt(400)];
      int kind = random.nextInt(6);
      for (int i = 0; i < keys.length; i++) {
        keys[i] =
            switch (kind) {
              case 0 -> i;
              case 1 -> -i;
              case 2 -> random.nextInt(3);
              case 3 -> i < keys.length - 2 ? i : random.nextInt(keys.length);
              case 4 -> i % 2 == 0 ? i : -i;
              default -> random.nextInt();
            };
      }

      int[] order = GoSort.sorted(keys.length, (a, b) -> keys[a] < keys[b]);

      assertThat(order).doesNotHaveDuplicates();
      for (int i = 1; i < order.length; i++) {
        assertThat(keys[order[i]]).isGreaterThanOrEqualTo(keys[order[i - 1]]);
      }
    }
  }

  @Test
  void anOrderThatIsNoneEndsToo() {
    SplittableRandom random = new SplittableRandom(2);

    assertThat(GoSort.sorted(5_000, (a, b) -> random.nextBoolean())).doesNotHaveDuplicates();
  }
}
