package io.dra4j.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fuzzer without Jazzer: always the same bytes, few enough for every build. */
class MatrixFuzzerTest {

  /** Words that mean something to one of the readers. */
  private static final List<String> WORDS =
      List.of(
          "GPU0",
          "GPU1",
          "NIC0",
          "X",
          "PIX",
          "SYS",
          "NV18",
          "NV0",
          "mlx5_0",
          "|",
          ",",
          "\t",
          "\n",
          "> ",
          "CPU Affinity",
          "NUMA Affinity",
          "0000:11:00.0",
          "0000:05:00.0",
          "-1",
          "1023",
          "99999999999",
          "numaid=\"1\"",
          "<pci busid=\"0000:13:00.0\"/>",
          "{",
          "[",
          "]",
          "\"",
          "LINK TYPE TABLE:\n",
          "XGMI",
          "PCIE",
          "#",
          "=",
          " numa=1",
          "\u00a0",
          "\u001b[0m");

  private final List<byte[]> seeds = Seeds.inputs();

  @Test
  void theSeedsHaveEveryReader() {
    Set<Byte> readers = new HashSet<>();
    for (byte[] seed : seeds) {
      readers.add(seed[0]);
      check(seed);
    }
    assertThat(readers).hasSize(MatrixFuzzer.Reader.values().length);
  }

  @Test
  void filesThatAreCutOffAreTopologiesOrTypedErrors() {
    for (byte[] seed : seeds) {
      for (int length = 0; length < seed.length; length += 17) {
        check(Arrays.copyOf(seed, length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void filesWithOtherWordsAreTopologiesOrTypedErrors(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      byte[] mutant = seeds.get(random.nextInt(seeds.size())).clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        mutant = mutant(mutant, random);
      }
      check(mutant);
    }
  }

  private byte[] mutant(byte[] seed, Random random) {
    byte[] word = WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8);
    int at = 1 + random.nextInt(seed.length);
    int removed = Math.min(seed.length - at, random.nextInt(12));
    byte[] mutant = new byte[seed.length - removed + word.length];
    System.arraycopy(seed, 0, mutant, 0, at);
    System.arraycopy(word, 0, mutant, at, word.length);
    System.arraycopy(seed, at + removed, mutant, at + word.length, seed.length - at - removed);
    return mutant;
  }

  private static void check(byte[] input) {
    try {
      MatrixFuzzer.fuzzerTestOneInput(input);
    } catch (RuntimeException | Error e) {
      fail(
          "reader %d, file:%n%s"
              .formatted(input[0], new String(input, 1, input.length - 1, StandardCharsets.UTF_8)),
          e);
    }
  }
}
