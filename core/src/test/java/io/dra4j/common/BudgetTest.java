package io.dra4j.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BudgetTest {

  @Test
  void anUnlimitedBudgetIsNeverUsedUp() throws Exception {
    Budget.unlimited().check();
    Budget.unlimited().spend(Integer.MAX_VALUE);
    assertThat(Budget.unlimited().isUnlimited()).isTrue();
  }

  @Test
  void aBudgetWithoutTimeIsUsedUpAtOnce() {
    assertThatThrownBy(() -> Budget.of(Duration.ZERO).check())
        .isInstanceOf(BudgetExceededException.class)
        .hasMessage("no answer within 0 ms")
        .hasNoCause();
    assertThatThrownBy(() -> Budget.of(Duration.ofSeconds(-1)).check())
        .hasMessage("no answer within -1000 ms");
    assertThatThrownBy(() -> Budget.of(Duration.ofNanos(1)).check())
        .hasMessage("no answer within PT0.000000001S");
  }

  @Test
  void timeFarBelowNothingIsUsedUpAtOnce() {
    for (Duration time :
        new Duration[] {
          Duration.ofSeconds(Long.MIN_VALUE),
          Duration.ofNanos(Long.MIN_VALUE),
          Duration.ofMillis(Long.MIN_VALUE),
          Duration.ofDays(-365L * 146)
        }) {
      assertThatThrownBy(() -> Budget.of(time).check())
          .isInstanceOf(BudgetExceededException.class)
          .hasMessageStartingWith("no answer within ");
      assertThatThrownBy(() -> Budget.of(Duration.ofDays(365L * 300)).atMost(time).check())
          .isInstanceOf(BudgetExceededException.class);
      assertThat(Budget.of(time).half().isOver()).isTrue();
    }
  }

  @Test
  void timeThatNoClockCountsIsLongEnough() {
    Budget longest = Budget.of(Duration.ofSeconds(Long.MAX_VALUE));
    assertThatCode(longest::check).doesNotThrowAnyException();
    assertThat(longest.isUnlimited()).isFalse();
  }

  @Test
  void theCallerCanEndIt() {
    assertThatThrownBy(() -> Budget.unlimited().orUntil(() -> true).check())
        .isInstanceOfSatisfying(
            BudgetExceededException.class, e -> assertThat(e.reason()).isEqualTo("cancelled"));
    assertThatThrownBy(() -> Budget.of(Duration.ofDays(1)).orUntil(() -> true).check())
        .hasMessage("cancelled");
    assertThat(Budget.unlimited().orUntil(() -> false).isUnlimited()).isFalse();
  }

  @Test
  void everyWayToCancelCounts() {
    Budget first = Budget.unlimited().orUntil(() -> true).orUntil(() -> false);
    Budget second = Budget.unlimited().orUntil(() -> false).orUntil(() -> true);
    Budget none = Budget.unlimited().orUntil(() -> false).orUntil(() -> false);
    assertThatThrownBy(first::check).hasMessage("cancelled");
    assertThatThrownBy(second::check).hasMessage("cancelled");
    assertThatCode(none::check).doesNotThrowAnyException();
  }

  @Test
  void aWayToCancelLeavesTheTimeAsItIs() {
    assertThatThrownBy(() -> Budget.of(Duration.ZERO).orUntil(() -> false).check())
        .hasMessage("no answer within 0 ms");
  }

  @Test
  void theShorterOfTwoTimesCounts() {
    Budget long10 = Budget.of(Duration.ofDays(10));
    assertThatThrownBy(() -> long10.atMost(Duration.ZERO).check())
        .hasMessage("no answer within 0 ms");
    assertThatThrownBy(() -> Budget.of(Duration.ZERO).atMost(Duration.ofDays(1)).check())
        .hasMessage("no answer within 0 ms");
    assertThatThrownBy(() -> Budget.unlimited().atMost(Duration.ZERO).check())
        .hasMessage("no answer within 0 ms");
    assertThatThrownBy(() -> long10.orUntil(() -> true).atMost(Duration.ofDays(1)).check())
        .hasMessage("cancelled");
    assertThatCode(() -> long10.atMost(Duration.ofDays(1)).check()).doesNotThrowAnyException();
  }

  @Test
  void workIsNotedManyTimesForOneLook() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    for (int i = 0; i < 127; i++) {
      budget.spend(1);
    }
    assertThat(looks).hasValue(0);
    budget.spend(1);
    assertThat(looks).hasValue(1);
    budget.spend(Integer.MAX_VALUE);
    budget.spend(Integer.MAX_VALUE);
    assertThat(looks).hasValue(3);
  }

  @Test
  void workThatIsNotedEndsWithTheBudget() {
    Budget cancelled = Budget.unlimited().orUntil(() -> true);
    assertThatThrownBy(() -> cancelled.spend(128)).hasMessage("cancelled");
  }

  @Test
  void selectorsThatKnowNoBudgetAreAskedWithinIt() throws Exception {
    CompiledSelector selector = (driver, device) -> true;
    CompiledAttribute attribute = (driver, device) -> new DeviceAttribute.IntValue(1);
    Device device = Device.named("gpu-0").build();
    Budget cancelled = Budget.unlimited().orUntil(() -> true);
    assertThat(selector.matches("drv", device, Budget.unlimited())).isTrue();
    assertThat(attribute.evaluate("drv", device, Budget.unlimited()))
        .isEqualTo(new DeviceAttribute.IntValue(1));
    assertThatThrownBy(() -> selector.matches("drv", device, cancelled)).hasMessage("cancelled");
    assertThatThrownBy(() -> attribute.evaluate("drv", device, cancelled)).hasMessage("cancelled");
  }

  @Test
  void halfOfTheTimeIsOverBeforeAllOfIt() throws Exception {
    Budget used = Budget.of(Duration.ZERO);
    assertThatThrownBy(() -> used.half().check()).hasMessageContaining("no answer within");
    Budget.of(Duration.ofHours(1)).half().check();
    Budget cancelled = Budget.of(Duration.ofHours(1)).orUntil(() -> true);
    assertThatThrownBy(() -> cancelled.half().check()).hasMessage("cancelled");
    assertThat(Budget.unlimited().half()).isSameAs(Budget.unlimited());
  }

  @Test
  void aShareOfTheTimeIsOverBeforeTheNextOne() throws Exception {
    Budget all = Budget.of(Duration.ofSeconds(20));
    Budget share = all.share(1_000);
    share.check();
    Thread.sleep(25);
    assertThat(share.isOver()).isTrue();
    assertThat(all.share(999).isOver()).isFalse();
    assertThat(all.share(1)).isSameAs(all);
    assertThat(Budget.of(Duration.ZERO).share(3).isOver()).isTrue();
    assertThat(Budget.unlimited().share(3)).isSameAs(Budget.unlimited());
    assertThatIllegalArgumentException().isThrownBy(() -> all.share(0));
  }

  @Test
  void lessThanOneUnitIsNoWork() throws BudgetExceededException {
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    budget.spend(127);
    budget.spend(0);
    budget.spend(-100);
    assertThat(looks).hasValue(0);
    budget.spend(1);
    assertThat(looks).hasValue(1);
  }

  @Test
  void timesThatNoClockCountsAreSaidInWords() {
    assertThatThrownBy(() -> Budget.of(Duration.ofSeconds(Long.MIN_VALUE)).check())
        .hasMessage("no answer within 0 ms");
  }
}
