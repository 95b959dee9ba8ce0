package io.dra4j.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedValuesTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 12, 32, 63, 64, 65, 200})
  void isLikeAnyOtherImmutableMapInTheSameOrder(int size) {
    Random random = new Random(size);
    Map<String, Integer> given = new LinkedHashMap<>();
    while (given.size() < size) {
      given.put("name-" + random.nextInt(), random.nextInt());
    }

    Map<String, Integer> map = Checks.map("field", given);

    assertThat(map).isEqualTo(given).hasSameHashCodeAs(given).hasToString(given.toString());
    assertThat(given).isEqualTo(map);
    assertThat(new ArrayList<>(map.entrySet())).isEqualTo(new ArrayList<>(given.entrySet()));
    assertThat(new ArrayList<>(map.values())).isEqualTo(new ArrayList<>(given.values()));
    assertThat(map.keySet()).containsExactlyElementsOf(given.keySet());
    given.forEach((name, value) -> assertThat(map.get(name)).isEqualTo(value));
    assertThat(map.get("other")).isNull();
    assertThat(map.containsKey("other")).isFalse();
    assertThatThrownBy(() -> map.put("x", 1)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(Checks.map("field", map)).isSameAs(map);
  }

  @Test
  void finds64NamesOfOneHash() {
    List<String> names = new ArrayList<>(List.of(""));
    for (int i = 0; i < 6; i++) {
      List<String> longer = new ArrayList<>();
      for (String name : names) {
        longer.add(name + "Aa");
        longer.add(name + "BB");
      }
      names = longer;
    }
    Map<String, String> given = new LinkedHashMap<>();
    names.forEach(name -> given.put(name, name));
    assertThat(given.keySet().stream().map(String::hashCode).distinct()).hasSize(1);

    Map<String, String> map = Checks.map("field", given);

    assertThat(map).isInstanceOf(NamedValues.class).isEqualTo(given);
    assertThat(map.get("AaAaAaAaAaAaAa")).isNull();
  }

  @Test
  void takesKeysAndEntriesOfOtherTypesAsUnknown() {
    Map<String, String> map = Checks.map("field", ImmutableMap.of("a", "1", "b", "2"));

    assertThat(map).isInstanceOf(NamedValues.class);
    Map<?, ?> ofAnything = map;
    assertThat(ofAnything.get(null)).isNull();
    assertThat(ofAnything.containsKey(1)).isFalse();
    Set<?> entries = map.entrySet();
    assertThat(entries.contains(Map.entry("a", "1"))).isTrue();
    assertThat(entries.contains(Map.entry("a", "2"))).isFalse();
    assertThat(entries.contains(Map.entry(1, "1"))).isFalse();
    assertThat(entries.contains("a")).isFalse();
    assertThatThrownBy(() -> map.entrySet().iterator().next().setValue("3"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.keySet().remove("a"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
