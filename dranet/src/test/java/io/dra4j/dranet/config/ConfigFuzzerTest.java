package io.dra4j.dranet.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fuzzer without Jazzer: always the same bytes, few enough for every build. */
@Timeout(60)
class ConfigFuzzerTest {

  /** Text that means something in a configuration or a filter. */
  private static final List<String> WORDS =
      List.of(
          "null",
          "true",
          "-1",
          "4294967296",
          "1e9",
          "0.5",
          "''",
          "[]",
          "{}",
          ",",
          ":",
          "]",
          "}",
          "'name'",
          "'mtu'",
          "'addresses'",
          "'::/0'",
          "'0.0.0.0/0'",
          "'fe80::1%eth0'",
          "'table'",
          "attributes",
          "attributes[",
          ".StringValue",
          " in ",
          "'a/b'",
          "\\u0000",
          "\ud83d\ude00");

  private final List<byte[]> seeds = Seeds.inputs();

  @Test
  void theSeedsCutOffAreReadOrRefused() {
    for (byte[] seed : seeds) {
      for (int length = 0; length <= seed.length; length++) {
        check(Arrays.copyOf(seed, length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void otherTextIsReadOrRefused(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      String text = new String(seeds.get(random.nextInt(seeds.size())), UTF_8);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        int at = 1 + random.nextInt(text.length());
        int end = Math.min(text.length(), at + random.nextInt(10));
        String word = WORDS.get(random.nextInt(WORDS.size())).replace('\'', '"');
        text = text.substring(0, at) + word + text.substring(end);
      }
      check(text.getBytes(UTF_8));
    }
  }

  private static void check(byte[] input) {
    assertThatCode(() -> ConfigFuzzer.fuzzerTestOneInput(input))
        .as("%s", new String(input, UTF_8))
        .doesNotThrowAnyException();
  }
}
