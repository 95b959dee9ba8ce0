package io.dra4j.testkit.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.ClaimRule.Given;
import io.dra4j.model.Device;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The suite passes a rule that keeps to the contract, and catches those that do not. */
class ClaimRuleKitTest {

  @Test
  void aRuleThatKeepsToTheContractPasses() {
    run(OneModel.class).assertStatistics(tests -> tests.started(5).succeeded(5));
  }

  @Test
  void aRuleThatIsNotMonotonicIsCaught() {
    assertThat(failures(AtLeastTwo.class))
        .singleElement()
        .asString()
        .contains("is refused after", "but accepted after", "a rule must be monotonic");
  }

  @Test
  void aRuleThatLooksAtTheOrderIsCaught() {
    assertThat(failures(LastOnly.class)).anyMatch(failure -> failure.contains(" and after "));
  }

  @Test
  void aRuleThatRemembersIsCaught() {
    run(EverySecond.class).assertStatistics(tests -> tests.failed(3));
  }

  @Test
  void aRuleThatSaysNothingIsCaught() {
    assertThat(failures(NoWords.class)).singleElement().asString().contains("without a reason");
  }

  @Test
  void devicesThatShowNothingAreCaught() {
    assertThat(failures(NeverRefuses.class))
        .singleElement()
        .asString()
        .contains("refuses none of devices()");
  }

  private static Events run(Class<?> suite) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(suite))
        .execute()
        .testEvents();
  }

  private static List<String> failures(Class<?> suite) {
    return run(suite)
        .failed()
        .map(
            event ->
                event
                    .getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
                    .getThrowable()
                    .map(Throwable::getMessage)
                    .orElse(""))
        .toList();
  }

  /** Three devices of two models. */
  abstract static class Kit extends ClaimRuleKit {

    @Override
    protected List<Given> devices() {
      return List.of(of("a", "x"), of("b", "x"), of("c", "y"), of("d", "y"));
    }

    private static Given of(String name, String model) {
      return new Given("request-" + name, Device.named(name).attribute("model", model).build());
    }

    static String model(Given given) {
      return String.valueOf(given.device().attributes().get("model"));
    }
  }

  static class OneModel extends Kit {
    @Override
    protected ClaimRule rule() {
      return ClaimRule.of(
          "one-model",
          (given, next) ->
              given.stream().allMatch(other -> model(other).equals(model(next)))
                  ? Optional.empty()
                  : Optional.of("another device of the claim is of another model"));
    }
  }

  static class AtLeastTwo extends Kit {
    @Override
    protected ClaimRule rule() {
      return ClaimRule.of(
          "not-alone",
          (given, next) -> given.isEmpty() ? Optional.of("it is alone") : Optional.empty());
    }
  }

  static class LastOnly extends Kit {
    @Override
    protected ClaimRule rule() {
      return ClaimRule.of(
          "unlike-the-last",
          (given, next) ->
              !given.isEmpty() && model(given.get(given.size() - 1)).equals(model(next))
                  ? Optional.of("the last one is of its model")
                  : Optional.empty());
    }
  }

  static class EverySecond extends Kit {
    private int asked;

    @Override
    protected ClaimRule rule() {
      return ClaimRule.of(
          "every-second",
          (given, next) -> asked++ % 2 == 0 ? Optional.of("it is even") : Optional.empty());
    }
  }

  static class NoWords extends Kit {
    @Override
    protected ClaimRule rule() {
      return ClaimRule.of(
          "speechless", (given, next) -> given.size() > 1 ? Optional.of(" ") : Optional.empty());
    }
  }

  static class NeverRefuses extends Kit {
    @Override
    protected ClaimRule rule() {
      return ClaimRule.of("anything", (given, next) -> Optional.empty());
    }
  }
}
