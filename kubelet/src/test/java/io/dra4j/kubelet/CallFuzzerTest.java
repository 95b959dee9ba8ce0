package io.dra4j.kubelet;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fuzzer without Jazzer: always the same bytes, few enough for every build. */
@Timeout(60)
class CallFuzzerTest {

  private final List<byte[]> seeds = Seeds.inputs();

  @Test
  void eachUidOfTheSeedsHasAnAnswer() {
    seeds.forEach(CallFuzzerTest::check);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eachUidOfOtherBytesHasAnAnswer(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] mutant = seeds.get(1 + random.nextInt(seeds.size() - 1)).clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
      }
      check(mutant);
    }
  }

  private static void check(byte[] input) {
    assertThatCode(() -> CallFuzzer.fuzzerTestOneInput(input))
        .as(HexFormat.of().formatHex(input))
        .doesNotThrowAnyException();
  }
}
