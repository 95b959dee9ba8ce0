package io.dra4j.netlink.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.dra4j.netlink.route.ObjectKind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fuzzer without Jazzer: always the same bytes, few enough for every build. */
class DecoderFuzzerTest {

  /** What is at the edge of some rule. */
  private static final int[] TELLING = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 0x7f, 0x80, 0xfe, 0xff};

  private final List<byte[]> seeds = Seeds.inputs();

  @Test
  void theSeedsHaveEveryQuestionAndSoEveryKindOfObject() {
    Set<Question> missing = new HashSet<>(DecoderFuzzer.QUESTIONS);
    assertThat(missing).hasSizeGreaterThan(ObjectKind.values().length);
    for (byte[] seed : seeds) {
      missing.remove(DecoderFuzzer.QUESTIONS.get(seed[0]));
      check(seed);
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void answersThatAreCutOffAreAnswersOrTypedErrors() {
    for (byte[] seed : seeds) {
      for (int length = 0; length < Math.min(seed.length, 600); length += 5) {
        check(Arrays.copyOf(seed, length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void answersWithOtherBytesAreAnswersOrTypedErrors(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
      for (int change = 1 + random.nextInt(6); change > 0; change--) {
        bytes = change(bytes, random);
      }
      check(bytes);
    }
  }

  private byte[] change(byte[] bytes, Random random) {
    int at = 1 + random.nextInt(Math.max(1, bytes.length - 1));
    if (at >= bytes.length) {
      return bytes;
    }
    switch (random.nextInt(8)) {
      case 0 -> {
        return Arrays.copyOf(bytes, at); // cut off
      }
      case 1 -> { // a part twice, or left out
        int to = 1 + random.nextInt(bytes.length - 1);
        byte[] moved = Arrays.copyOf(bytes, at + bytes.length - to);
        System.arraycopy(bytes, to, moved, at, bytes.length - to);
        return moved;
      }
      case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 3 -> bytes[at] = (byte) random.nextInt();
      case 4 -> bytes[0] = (byte) random.nextInt(DecoderFuzzer.QUESTIONS.size() + 1);
      default -> bytes[at] = (byte) TELLING[random.nextInt(TELLING.length)];
    }
    return bytes;
  }

  private static void check(byte[] input) {
    try {
      DecoderFuzzer.fuzzerTestOneInput(input);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      fail("input " + HexFormat.of().formatHex(input), e);
    }
  }
}
