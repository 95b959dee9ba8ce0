package io.dra4j.cel.internal.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.UnsignedLong;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MapKeysTest {

  private static final int MANY = 40_000;

  /** Keys that anybody can make, all with one hash: compared one by one, they take minutes. */
  @SuppressWarnings("ImmutableEnumChecker") // the functions keep nothing
  private enum Colliding {
    ADDRESSES(Colliding::address),
    RANGES(i -> CidrValue.parse(address(i) + "/64")),
    TIMESTAMPS(
        i ->
            new Timestamps.Zoned(
                Instant.ofEpochSecond(1_577_836_800L - 51L * i, i), Timestamps.Zone.of(60))),
    INTEGERS(i -> i * 0x1_0000_0001L),
    INTEGERS_OF_BOTH_TYPES(
        i -> i % 2 == 0 ? (Object) (i * 0x1_0000_0001L) : UnsignedLong.valueOf(i * 0x1_0000_0001L));

    private final IntFunction<Object> key;

    Colliding(IntFunction<Object> key) {
      this.key = key;
    }

    private static IpValue address(int i) {
      int a = i % 112;
      int b = i / 112 % 112;
      int c = i / 112 / 112;
      return IpValue.parse(
          "0:%x:0:%x:0:%x:0:%x"
              .formatted((16 + a) << 8 | (16 + b), (127 - a) << 8 | (127 - b), 16 + c, 127 - c));
    }
  }

  @ParameterizedTest
  @EnumSource
  void keysOfOneHashAreFoundByTheirOrder(Colliding keys) {
    MapKeys.AnyMap map = new MapKeys.AnyMap();
    List<Object> made = new ArrayList<>(IntStream.range(0, MANY).mapToObj(keys.key).toList());
    assertThat(made.stream().mapToInt(Object::hashCode).distinct()).hasSize(1);
    for (Object key : made) {
      map.put(key, true);
    }
    assertThat(map).hasSize(MANY);
    for (Object key : made) {
      assertThat(map.containsKey(key)).isTrue();
      assertThat(map.remove(key)).isNotNull();
    }
    assertThat(map).isEmpty();
  }

  @Test
  void keysOfManyTypesAreOneMap() {
    MapKeys.AnyMap map = new MapKeys.AnyMap();
    List<Object> keys = List.of("a", 1L, UnsignedLong.ONE, 1.5, true, List.of());
    for (Object key : keys) {
      map.put(key, key);
    }
    map.put(1L, "again");
    map.put(-0.0, "zero");
    map.put(0.0, "zero again");
    assertThat(map).hasSize(7);
    assertThat(map.get(0.0)).isEqualTo("zero again");
    assertThat(map.get(2L)).isNull();
    assertThat(map.get(Instant.EPOCH)).isNull();
    assertThat(map.entrySet().stream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder("a", 1L, UnsignedLong.ONE, 1.5, true, List.of(), -0.0);
    assertThat(map.remove(true)).isEqualTo(true);
    assertThat(map.remove(Instant.EPOCH)).isNull();
    assertThat(map).hasSize(6);
  }
}
