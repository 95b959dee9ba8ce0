package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Device;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Evaluations that would take longer end with their time. */
class TimeLimitTest {

  private static final CelSelectors HASTY =
      CelSelectors.create(CelEnvironment.stored(), Duration.ofNanos(1));
  private static final Device DEVICE = Device.named("device-0").build();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lists.range(1000).all(x, x >= 0)",
        "lists.range(1000).exists(x, x < 0)",
        "lists.range(1000).map(x, x).size() > 0",
        "lists.range(1000).filter(x, x > 5).size() > 0",
        "lists.range(1000).transformList(i, x, i + x).size() > 0",
        "lists.range(20).all(x, lists.range(20).all(y, x + y >= 0))",
        "lists.range(3).map(x, lists.range(20000)).size() > 0",
        "lists.range(20000).map(x, 'ab').join().matches('(a|b)+c')",
        "lists.range(20000).map(x, 'ab').join().find('(a|b)+c' + device.driver) == ''",
        "lists.range(20000).map(x, 'ab').join().findAll('(a|b)+c').size() == 0"
      })
  void anEvaluationEndsWithItsTime(String expression) throws Exception {
    CelEvaluation evaluation = HASTY.compileSelector(expression).evaluate("drv", DEVICE);
    assertThat(evaluation.error()).isEqualTo("operation interrupted: deadline exceeded");
    assertThat(evaluation.overLimit()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "device.driver == 'drv'", "'abc'.matches('(a|b)c')"})
  void aShortOneDoesNotLookAtTheTime(String expression) throws Exception {
    assertThat(HASTY.compileSelector(expression).matches("drv", DEVICE)).isTrue();
  }
}
