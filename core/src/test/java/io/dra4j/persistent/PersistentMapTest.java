package io.dra4j.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertThat(editor.done().height()).isBetween(17, 24); // log2 and 1.44 log2
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

  /** What an AVL tree of so many entries may be high at most. */
  private static int maxHeight(int entries) {
    return (int) (1.4405 * Math.log(entries + 2) / Math.log(2) - 0.3277);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ascending", "descending", "outside in", "random"})
  void staysBalancedInWhateverOrderKeysComeAndGo(String order) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      keys.add(order.equals("outside in") && i % 2 == 1 ? 10_000 - i : i);
    }
    if (order.equals("descending")) {
      Collections.reverse(keys);
    } else if (order.equals("random")) {
      Collections.shuffle(keys, new Random(1));
    }
    PersistentMap.Editor<Integer, Integer> editor = PersistentMap.<Integer, Integer>empty().edit();
    for (int i = 0; i < keys.size(); i++) {
      editor.put(keys.get(i), i);
      assertThat(editor.done().height()).isLessThanOrEqualTo(maxHeight(i + 1));
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(editor.get(keys.get(i))).isEqualTo(i);
      editor.remove(keys.get(i));
      assertThat(editor.get(keys.get(i))).isNull();
      assertThat(editor.done().height()).isLessThanOrEqualTo(maxHeight(keys.size() - i - 1));
    }
    assertThat(editor.done().size()).isZero();
  }

  @Test
  void aValueThatIsThereLeavesTheWholeMap() {
    PersistentMap.Editor<Integer, Integer> editor = PersistentMap.<Integer, Integer>empty().edit();
    for (int i = 0; i < 100; i++) {
      editor.put(i, i);
    }
    PersistentMap<Integer, Integer> map = editor.done();
    List<Integer> values = values(map);
    PersistentMap.Editor<Integer, Integer> idle = map.edit();
    for (int i = 0; i < 100; i++) {
      idle.put(i, values.get(i));
      assertThat(idle.done()).isSameAs(map);
    }
  }

  @Test
  void whatAnEditorGaveAwayItDoesNotChangeAnyMore() {
    PersistentMap.Editor<Integer, String> editor = PersistentMap.<Integer, String>empty().edit();
    editor.put(1, "a");
    editor.put(2, "b");
    PersistentMap<Integer, String> first = editor.done();
    editor.put(1, "changed");
    editor.remove(2);
    assertThat(first.get(1)).isEqualTo("a");
    assertThat(first.get(2)).isEqualTo("b");
    assertThat(editor.done().get(1)).isEqualTo("changed");
    assertThat(editor.done().size()).isEqualTo(1);
  }

  /** A text of "Aa" and "BB", which have the same hash, so that all of one length do. */
  private static String sameHash(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 10; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void keysOfOneHashAreToldApartAndKeepTheTreeFlat() {
    PersistentMap.Editor<String, Integer> editor = PersistentMap.<String, Integer>empty().edit();
    for (int i = 0; i < 1_000; i++) {
      editor.put(sameHash(i), i);
    }
    PersistentMap<String, Integer> map = editor.done();
    assertThat(map.height()).isLessThanOrEqualTo(maxHeight(1_000));
    for (int i = 0; i < 1_000; i += 2) {
      editor.remove(sameHash(i));
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(map.get(sameHash(i))).isEqualTo(i);
      assertThat(editor.get(sameHash(i))).isEqualTo(i % 2 == 0 ? null : Integer.valueOf(i));
    }
    assertThat(editor.done().size()).isEqualTo(500);
    assertThat(editor.done().height()).isLessThanOrEqualTo(maxHeight(500));
  }
}
