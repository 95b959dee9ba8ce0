package io.dra4j.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentMapTest {

  private static List<Integer> values(PersistentMap<Integer, Integer> map) {
    List<Integer> values = new ArrayList<>();
    map.forEach(values::add);
    return values;
  }

  @Test
  void isWhatAMutableMapWouldBeAndLeavesEarlierOnesAlone() {
    SplittableRandom random = new SplittableRandom(1);
    TreeMap<Integer, Integer> expected = new TreeMap<>();
    PersistentMap<Integer, Integer> map = PersistentMap.empty();
    for (int round = 0; round < 2_000; round++) {
      PersistentMap<Integer, Integer> before = map;
      List<Integer> valuesBefore = values(before);
      PersistentMap.Editor<Integer, Integer> editor = map.edit();
      for (int i = random.nextInt(8); i >= 0; i--) {
        int key = random.nextInt(200);
        if (random.nextBoolean()) {
          editor.put(key, round);
          expected.put(key, round);
        } else {
          editor.remove(key);
          expected.remove(key);
        }
        assertThat(editor.get(key)).isEqualTo(expected.get(key));
      }
      map = editor.done();
      assertThat(values(map)).isEqualTo(List.copyOf(expected.values()));
      assertThat(map.size()).isEqualTo(expected.size());
      assertThat(values(before)).isEqualTo(valuesBefore);
    }
  }

  @Test
  void staysFlatWhenKeysComeInOrder() {
    PersistentMap.Editor<Integer, Integer> editor = PersistentMap.<Integer, Integer>empty().edit();
    for (int i = 0; i < 100_000; i++) {
      editor.put(i, i);
    }
    assertThat(editor.done().height()).isLessThan(25); // 1.44 log2
  }

  @Test
  void isTheSameWhenNothingChanges() {
    PersistentMap.Editor<Integer, String> editor = PersistentMap.<Integer, String>empty().edit();
    editor.put(1, "a");
    PersistentMap<Integer, String> map = editor.done();
    PersistentMap.Editor<Integer, String> idle = map.edit();
    idle.put(1, "a");
    idle.remove(2);
    assertThat(idle.done()).isSameAs(map);
  }
}
