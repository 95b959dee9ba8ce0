package io.dra4j.cel.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TextSearchTest {

  @Test
  void findsWhatStringFinds() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      String text = text(random, random.nextInt(400));
      int from = random.nextInt(text.length() + 40);
      String part =
          random.nextBoolean() && !text.isEmpty()
              ? text.substring(random.nextInt(text.length()))
              : text(random, random.nextInt(80));
      assertThat(TextSearch.forwards(part).in(text, from)).isEqualTo(text.indexOf(part, from));
      assertThat(TextSearch.backwards(part).in(text, from)).isEqualTo(text.lastIndexOf(part, from));
    }
  }

  /** Texts of two letters, which repeat themselves. */
  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append((random.nextInt(4) == 0 ? "ab" : "a").repeat(1 + random.nextInt(20)));
    }
    text.setLength(length);
    return text.toString();
  }

  /** A search that compares each character with each other one would take a minute. */
  @Test
  void aTextAsLongAsCanBeIsFoundAtOnce() {
    String text = "a".repeat(250_000);
    String half = text.substring(125_000);
    for (int i = 0; i < 10; i++) {
      assertThat(TextSearch.forwards(half + "b").in(text, 0)).isEqualTo(-1);
      assertThat(TextSearch.backwards("b" + half).in(text, text.length())).isEqualTo(-1);
    }
  }
}
