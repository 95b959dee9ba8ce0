package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimplePatternTest {

  private static final String[] PARTS = {
    "a",
    "b",
    "0",
    "é",
    ".",
    "\\.",
    "\\d",
    "\\w",
    "\\s",
    "[ab]",
    "[^a]",
    "[a-c0]",
    "[^\\d]",
    "[-a]",
    "[\\w.]",
    "*",
    "+",
    "?",
    "{2}",
    "^",
    "$",
    "|",
    "(",
    ")",
    "-",
    "\\-",
    "_",
    "[]]",
    "[[:alpha:]]",
    "😀",
    "\\n"
  };

  private static final String[] TEXTS = {
    "a", "b", "c", "0", "é", "\n", " ", ".", "-", "_", "😀", "]"
  };

  @Test
  void itMatchesWhatRe2Matches() {
    Random random = new Random(7);
    int compared = 0;
    for (int i = 0; i < 60_000; i++) {
      String regex = join(PARTS, random, 6);
      SimplePattern simple = SimplePattern.of(regex);
      Pattern pattern = compiled(regex);
      if (simple == null || pattern == null) {
        continue;
      }
      for (int j = 0; j < 4; j++) {
        String text = join(TEXTS, random, 8);
        assertThat(simple.isFoundIn(text))
            .as("%s in %s", regex, text)
            .isEqualTo(pattern.matcher(text).find());
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(10_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "^$",
        "^[ah]100$",
        "^eth[0-2]$",
        "A100",
        "^NVIDIA .*80GB",
        "^0[0-9]\\.0$",
        "a+b*c?",
        "\\w+-\\d+$"
      })
  void whatSelectorsUseIsSimple(String regex) {
    assertThat(SimplePattern.of(regex)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a)",
        "a|b",
        "a{2}",
        "(?i)a",
        "é",
        "[[:alpha:]]",
        "\\bA",
        "a^",
        "$a",
        "a*?",
        "\\pL",
        "[é]"
      })
  void whatNeedsMoreIsLeftToRe2(String regex) {
    assertThat(SimplePattern.of(regex)).isNull();
  }

  private static @Nullable Pattern compiled(String regex) {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      return null;
    }
  }

  private static String join(String[] parts, Random random, int max) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(max + 1); i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }
}
