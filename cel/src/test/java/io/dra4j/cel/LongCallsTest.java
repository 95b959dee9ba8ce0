package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Device;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls of one function that take longer than they cost look at the time: without, each of these
 * would be asked for its answer and nothing else, for minutes or for ever.
 */
class LongCallsTest {

  private static final String NESTED = nested("a") + nested("b");

  /** Variables a0 to a30, each of which has the one before twice. */
  private static String nested(String name) {
    StringBuilder text = new StringBuilder("cel.bind(" + name + "0, dyn([]), ");
    for (int i = 1; i <= 30; i++) {
      String before = name + (i - 1);
      text.append("cel.bind(%s%d, [%s, %s], ".formatted(name, i, before, before));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a30 == b30",
        "a30 != b30",
        "[a30].indexOf(b30) == 0",
        "[a30].lastIndexOf(b30) == 0",
        "dyn([b30]) == dyn([a30])",
        "a30 in [b30]",
        "sets.contains([a30], [b30])",
        "sets.intersects([a30], [b30])",
        "sets.equivalent([a30], [b30])",
        "[a30, b30].distinct().size() == 1",
        "a30.flatten(40).size() == 0",
        "{1: a30} == {1: b30}",
        "optional.of(a30) == optional.of(b30)",
      })
  void aCallEndsWithTheBudgetOfItsCaller(String call) throws Exception {
    String expression = NESTED + call + ")".repeat(62);
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > 5);
    CelSelector selector = CelSelectors.create().compileSelector(expression);
    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> selector.matches("drv", Device.named("d").build(), budget));
    assertThat(looks).hasValue(6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list.distinct().size() == 2",
        "list.sort().size() == 300",
        "lists.range(300).sortBy(i, list[i]).size() == 300",
        "sets.contains(list, [y])",
        "list.indexOf(y) == 299",
        "y in list",
      })
  void comparisonsOfLongTextsLookAtTheTime(String call) throws Exception {
    String text = "a".repeat(20_000);
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    CelSelector selector =
        CelSelectors.create()
            .compileSelector(
                "cel.bind(x, device.attributes['drv'].t + 'x', cel.bind(y, device.attributes['drv'].t + 'y',"
                    + " cel.bind(list, lists.range(300).map(i, i < 299 ? x : y), "
                    + call
                    + ")))");
    Device device = Device.named("d").attribute("t", text).build();
    selector.matches("drv", device, budget);
    assertThat(looks.get()).isGreaterThan(12); // the loops look six times
  }
}
