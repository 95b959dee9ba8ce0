package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.SelectorException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Evaluations that would take longer end with their time. */
class TimeLimitTest {

  private static final CelSelectors HASTY =
      CelSelectors.builder().timeLimit(Duration.ofNanos(1)).build();
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

  @Test
  void onlyAnEvaluationThatWasCutShortMayAnswerNextTime() throws Exception {
    CelSelector loop = HASTY.compileSelector("lists.range(1000).all(x, x >= 0)");
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> loop.matches("drv", DEVICE))
        .matches(SelectorException::isPassing);
    CelSelector costly =
        CelSelectors.create()
            .compileSelector("lists.range(20000).all(x, lists.range(20000).all(y, x + y >= 0))");
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> costly.matches("drv", DEVICE))
        .withMessage("operation cancelled: actual cost limit exceeded")
        .matches(e -> !e.isPassing());
  }

  @Test
  void anEvaluationEndsWithTheBudgetOfItsCaller() throws Exception {
    CelSelectors patient = CelSelectors.create();
    CelSelector loop = patient.compileSelector("lists.range(1000).all(x, x >= 0)");
    Budget cancelled = Budget.unlimited().orUntil(() -> true);
    assertThatThrownBy(() -> loop.matches("drv", DEVICE, cancelled))
        .isInstanceOf(BudgetExceededException.class)
        .hasMessage("cancelled");
    assertThatThrownBy(() -> loop.matches("drv", DEVICE, Budget.of(Duration.ZERO)))
        .isInstanceOf(BudgetExceededException.class)
        .hasMessage("no answer within 0 ms");
    assertThat(loop.matches("drv", DEVICE)).isTrue();
    assertThat(loop.matches("drv", DEVICE, Budget.of(Duration.ofDays(1)))).isTrue();
  }

  @Test
  void whatNoErrorHidesIsTheBudgetNeither() throws Exception {
    CelSelector hidden =
        CelSelectors.create()
            .compileSelector("lists.range(1000).exists(x, x < 0) || device.driver == 'drv'");
    assertThatThrownBy(() -> hidden.matches("drv", DEVICE, Budget.of(Duration.ZERO)))
        .isInstanceOf(BudgetExceededException.class);
  }

  @Test
  void aDerivedAttributeEndsWithTheBudgetOfItsCaller() throws Exception {
    CompiledAttribute sum =
        CelSelectors.create().compileAttribute("lists.range(1000).map(x, x).size()");
    assertThatThrownBy(() -> sum.evaluate("drv", DEVICE, Budget.of(Duration.ZERO)))
        .isInstanceOf(BudgetExceededException.class)
        .hasMessage("no answer within 0 ms");
    assertThat(sum.evaluate("drv", DEVICE)).isEqualTo(new DeviceAttribute.IntValue(1000));
    assertThat(sum.evaluate("drv", DEVICE, Budget.unlimited()))
        .isEqualTo(new DeviceAttribute.IntValue(1000));
  }

  @Test
  void anErrorOfTheExpressionIsNotOneOfTheBudget() throws Exception {
    Budget budget = Budget.of(Duration.ofDays(1));
    CelSelector broken = CelSelectors.create().compileSelector("device.attributes['a'].b == 1");
    assertThatThrownBy(() -> broken.matches("drv", DEVICE, budget))
        .isInstanceOf(SelectorException.class);
    CompiledAttribute attribute =
        CelSelectors.create().compileAttribute("device.attributes['a'].b");
    assertThatThrownBy(() -> attribute.evaluate("drv", DEVICE, budget))
        .isInstanceOf(SelectorException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "device.driver == 'drv'", "'abc'.matches('(a|b)c')"})
  void aShortOneDoesNotLookAtTheTime(String expression) throws Exception {
    assertThat(HASTY.compileSelector(expression).matches("drv", DEVICE)).isTrue();
  }
}
