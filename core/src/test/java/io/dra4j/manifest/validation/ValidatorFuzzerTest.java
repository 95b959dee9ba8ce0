package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.dra4j.manifest.validation.ValidationCases.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the fuzzer of the validator asks, of the objects that it starts from. */
class ValidatorFuzzerTest {

  @Test
  void eachObjectOfTheTableOfRulesHasAnAnswerThatAgreesWithTheReader() {
    List<Case> cases = new ArrayList<>(ValidationCases.breaking());
    cases.addAll(ValidationCases.keeping());
    for (Case one : cases) {
      byte[] text = one.changed().toString().getBytes(UTF_8);
      assertThatCode(() -> ValidatorFuzzer.fuzzerTestOneInput(text))
          .as("%s", one)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void soHaveBytesThatAreChangedAtRandom() {
    byte[] valid = ValidationCases.resource("valid.yaml");
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 500; i++) {
      byte[] changed = valid.clone();
      for (int n = random.nextInt(1, 6); n > 0; n--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      assertThatCode(() -> ValidatorFuzzer.fuzzerTestOneInput(changed))
          .as("change %d", i)
          .doesNotThrowAnyException();
    }
  }
}
