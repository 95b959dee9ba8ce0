package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** Each step of it takes some milliseconds for 10 KiB. */
  @Test
  void compilingLooksAtTheBudgetBetweenItsSteps() throws Exception {
    CelSelectors compiler = CelSelectors.create();
    AtomicInteger looks = new AtomicInteger();
    Budget counting = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);

    compiler.compileSelector("device.driver == 'drv'", counting);
    assertThat(looks).hasValueGreaterThanOrEqualTo(3);
    looks.set(0);
    compiler.compileSelector("device.driver == 'drv'", counting);
    assertThat(looks).hasValue(0); // it is remembered
    compiler.compileAttribute("device.driver", counting);
    assertThat(looks).hasValueGreaterThanOrEqualTo(3);
  }

  /** Regular expressions, types, and calls that are done when the program is made. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "regular expressions",
        "'x'.find('(?i)[!-\uffff][!-\ufffe][!-\ufffd]') == '' || ",
        "a == a || ",
        "sets.contains([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], [13, 13, 13, 13, 13, 13]) && "
            + "'abcdefgh'.replace('', 'abcdefghijklmnopqrstuvwxyz') == '' || ",
      })
  void longStepsOfCompilingLookAtTheBudget(String part) throws Exception {
    String expression =
        part.equals("regular expressions")
            ? "'x'.matches('(?i)" + "[!-\uffff]".repeat(1_200) + "')"
            : "cel.bind(a, %s%s, %strue)"
                .formatted("[".repeat(100), "]".repeat(100), part.repeat(7_500 / part.length()));
    AtomicInteger looks = new AtomicInteger();
    CelSelectors compiler = CelSelectors.create();
    compiler.compileSelector(
        expression, Budget.unlimited().orUntil(() -> looks.getAndIncrement() < 0));
    int all = looks.getAndSet(0);
    assertThat(all).isGreaterThan(10);
    Budget half = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > all / 2);
    assertThatThrownBy(() -> CelSelectors.create().compileSelector(expression, half))
        .isInstanceOf(BudgetExceededException.class);
    assertThat(looks).hasValue(all / 2 + 2); // and once more to tell whose budget it was
  }

  /** Only its time tells that it was not done before. */
  @Test
  void aLongCallWithConstantsCostsTheSame() throws Exception {
    String numbers = "0, ".repeat(680);
    CelSelector selector =
        CelSelectors.create()
            .compileSelector("!sets.contains([%s1], [%s2])".formatted(numbers, numbers));
    AtomicInteger looks = new AtomicInteger();
    CelEvaluation evaluation =
        selector.evaluate(
            "drv", DEVICE, Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    assertThat(evaluation.matches()).isTrue();
    assertThat(evaluation.actualCost()).hasValue(681 * 681 + 2);
  }

  @Test
  void whatWasNotCompiledInTimeIsCompiledForWhoHasMore() throws Exception {
    CelSelectors compiler = CelSelectors.create();
    Budget over = Budget.of(Duration.ZERO);

    assertThatThrownBy(() -> compiler.compileSelector("1 == 1", over))
        .isInstanceOf(BudgetExceededException.class)
        .hasMessage("no answer within 0 ms");
    assertThatThrownBy(() -> compiler.compileAttribute("1", over))
        .isInstanceOf(BudgetExceededException.class);
    assertThat(compiler.compileSelector("1 == 1").matches("drv", DEVICE)).isTrue();
    assertThat(compiler.compileSelector("1 == 1", over).matches("drv", DEVICE)).isTrue();
  }

  /** Two ask for the same, and the one who compiles it has no time. */
  @Test
  void whoWaitsForSomebodyInAHurryCompilesAnew() throws Exception {
    CelSelectors compiler = CelSelectors.create();
    CountDownLatch compiling = new CountDownLatch(1);
    CountDownLatch other = new CountDownLatch(1);
    Budget hasty =
        Budget.unlimited()
            .orUntil(
                () -> {
                  compiling.countDown();
                  Uninterruptibles.awaitUninterruptibly(other);
                  return true;
                });
    FutureTask<CelSelector> first =
        new FutureTask<>(() -> compiler.compileSelector("2 == 2", hasty));
    FutureTask<CelSelector> second =
        new FutureTask<>(() -> compiler.compileSelector("2 == 2", Budget.unlimited()));
    new Thread(first).start();
    compiling.await();
    Thread waiting = new Thread(second);
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING && !second.isDone()) {
      Thread.onSpinWait();
    }
    other.countDown();

    assertThatThrownBy(first::get).hasCauseInstanceOf(BudgetExceededException.class);
    assertThat(second.get().matches("drv", DEVICE)).isTrue();
  }

  @Test
  void attributesOfADeviceAreReadWithinTheBudget() throws Exception {
    int many = 20_000;
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    Device.Builder wide = Device.named("d");
    for (int i = 0; i < many; i++) {
      wide.attribute("a" + i, DeviceAttribute.version("1.0.0"));
    }
    CelSelectors selectors = CelSelectors.create();
    CelSelector named = selectors.compileSelector("'a1' in device.attributes['drv']");
    assertThat(named.matches("drv", wide.build(), budget)).isTrue();
    assertThat(looks.getAndSet(0)).isGreaterThanOrEqualTo(many / 128); // all are checked

    CelSelector any = selectors.compileSelector("device.attributes['drv'].exists(x, x == 'a7')");
    assertThat(any.matches("drv", wide.build(), budget)).isTrue();
    assertThat(looks.getAndSet(0)).isGreaterThanOrEqualTo(many / 128 + many / 1_000);

    Device list =
        Device.named("d")
            .attribute("v", new DeviceAttribute.VersionValues(Collections.nCopies(many, "1.0.0")))
            .build();
    assertThat(selectors.compileSelector("true").matches("drv", list, budget)).isTrue();
    assertThat(looks.getAndSet(0)).isGreaterThanOrEqualTo(many / 128);

    Device.Builder broken = wide.attribute("z", DeviceAttribute.version("none"));
    assertThatThrownBy(() -> named.matches("drv", broken.build(), budget))
        .isInstanceOf(SelectorException.class)
        .hasMessageContaining("attribute z: parse semantic version");
    looks.set(0);
    named.explain("drv", wide.build(), budget);
    assertThat(looks.get()).isGreaterThanOrEqualTo(2 * many / 128); // and compared with the names

    Budget over = Budget.unlimited().orUntil(() -> true);
    assertThatThrownBy(() -> named.matches("drv", wide.build(), over))
        .isInstanceOf(BudgetExceededException.class);
  }
}
