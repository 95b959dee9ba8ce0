package io.dra4j.nri;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fuzzer without Jazzer: always the same bytes, few enough for every build. */
@Timeout(60)
class ConnectionFuzzerTest {

  private final List<byte[]> seeds = Seeds.inputs();

  @Test
  void connectionsThatAreCutOffEndWithAnError() {
    for (byte[] seed : seeds) {
      for (int length = 0; length <= seed.length; length++) {
        check(Arrays.copyOf(seed, length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void otherBytesAreAnsweredOrEndTheConnection(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] mutant = seeds.get(random.nextInt(seeds.size())).clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
      }
      check(mutant);
    }
  }

  private static void check(byte[] input) {
    assertThatCode(() -> ConnectionFuzzer.fuzzerTestOneInput(input))
        .as(HexFormat.of().formatHex(input))
        .doesNotThrowAnyException();
  }
}
