package io.dra4j.cel.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.dra4j.cel.CelSelectors;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the fuzzer and the corpus start from, without the fuzzer. */
class SelectorFuzzerTest {

  @Test
  void seedsCompileAndTheirMutantsAreAnswered() {
    Random random = new Random(1);
    for (String seed : Seeds.all()) {
      assertThatCode(() -> CelSelectors.create().compileSelector(seed))
          .as(seed)
          .doesNotThrowAnyException();
    }
    for (int i = 0; i < 500; i++) {
      String mutant = HostileExpressions.mutant(Seeds.all(), random);
      assertThatCode(
              () -> SelectorFuzzer.fuzzerTestOneInput(mutant.getBytes(StandardCharsets.UTF_8)))
          .as(mutant)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void hostileExpressionsAreAsLongAsTheApiAllowsAndNoLonger() {
    Map<String, List<String>> families = HostileExpressions.families();
    assertThat(families.values().stream().mapToInt(List::size).sum()).isGreaterThan(60);
    families.forEach(
        (family, expressions) ->
            assertThat(expressions)
                .as(family)
                .allSatisfy(text -> assertThat(text.length()).isLessThanOrEqualTo(10 * 1024)));
  }
}
