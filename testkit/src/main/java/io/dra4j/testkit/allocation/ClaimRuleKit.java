package io.dra4j.testkit.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.ClaimRule.Given;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of every {@link ClaimRule}. The author of a rule extends this class in the
 * tests of the rule and returns devices that the rule distinguishes; JUnit finds the tests by
 * itself:
 *
 * <pre>{@code
 * class OneCardRuleTest extends ClaimRuleKit {
 *   protected ClaimRule rule() { return new OneCardRule(); }
 *   protected List<Given> devices() { return List.of(on("card0"), on("card0"), on("card1")); }
 * }
 * }</pre>
 *
 * <p>The devices are passed in many orders and selections, the same ones in each run. With a rule
 * that violates its contract, an allocator may miss existing allocations.
 */
public abstract class ClaimRuleKit {

  private static final int ROUNDS = 5_000;
  private static final long SEED = 1;

  /** Called by subclasses. */
  protected ClaimRuleKit() {}

  /** {@return the rule to test} */
  protected abstract ClaimRule rule();

  /**
   * {@return devices for the rule to decide on, at least two, each for a request: some that it
   * accepts together, and some that it rejects}
   */
  protected abstract List<Given> devices();

  /** Tests that a refusal also holds with further devices; the search relies on it. */
  @Test
  protected void whatIsRefusedStaysRefused() {
    ClaimRule rule = rule();
    forMany(
        (given, next) -> {
          List<Given> fewer = new ArrayList<>();
          for (Given device : given) {
            assertFalse(
                rule.refuses(fewer, next).isPresent() && rule.refuses(given, next).isEmpty(),
                () ->
                    "%s is refused after %s, but accepted after %s: a rule must be monotonic"
                        .formatted(text(next), text(fewer), text(given)));
            fewer.add(device);
          }
        });
  }

  /** Tests that the devices' order does not matter; the search passes them in order of requests. */
  @Test
  protected void theOrderInWhichDevicesAreGivenDoesNotMatter() {
    ClaimRule rule = rule();
    Random random = new Random(SEED);
    forMany(
        (given, next) -> {
          List<Given> shuffled = new ArrayList<>(given);
          Collections.shuffle(shuffled, random);
          assertEquals(
              rule.refuses(given, next).isPresent(),
              rule.refuses(shuffled, next).isPresent(),
              () -> text(next) + " behind " + text(given) + " and after " + text(shuffled));
        });
  }

  /** Tests that a rule has no memory: a question has the same answer after other questions. */
  @Test
  protected void theSameQuestionHasTheSameAnswer() {
    ClaimRule rule = rule();
    List<List<Given>> asked = new ArrayList<>();
    List<Given> nexts = new ArrayList<>();
    List<Boolean> answers = new ArrayList<>();
    forMany(
        (given, next) -> {
          asked.add(List.copyOf(given));
          nexts.add(next);
          answers.add(rule.refuses(given, next).isPresent());
        });
    for (int i = asked.size() - 1; i >= 0; i--) {
      int question = i;
      assertEquals(
          answers.get(i),
          rule.refuses(asked.get(i), nexts.get(i)).isPresent(),
          () -> text(nexts.get(question)) + " behind " + text(asked.get(question)));
    }
  }

  /**
   * Tests that the devices show both answers; otherwise all other tests could pass without effect.
   */
  @Test
  protected void theDevicesShowBothAnswers() {
    ClaimRule rule = rule();
    boolean[] seen = new boolean[2];
    forMany((given, next) -> seen[rule.refuses(given, next).isPresent() ? 1 : 0] = true);
    assertTrue(seen[0], "the rule accepts none of devices()");
    assertTrue(seen[1], "the rule refuses none of devices()");
  }

  /** Tests that the rule has a name and gives reasons, which people read. */
  @Test
  protected void theRuleAndItsReasonsHaveWords() {
    ClaimRule rule = rule();
    assertFalse(rule.name().isBlank(), "the rule has no name");
    forMany(
        (given, next) ->
            rule.refuses(given, next)
                .ifPresent(
                    reason ->
                        assertFalse(
                            reason.isBlank(), () -> text(next) + " is refused without a reason")));
  }

  private void forMany(BiConsumer<List<Given>, Given> question) {
    List<Given> devices = devices();
    assertTrue(devices.size() >= 2, "devices(): expected two or more, found " + devices.size());
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      List<Given> order = new ArrayList<>(devices);
      Collections.shuffle(order, random);
      int given = random.nextInt(order.size());
      question.accept(List.copyOf(order.subList(0, given)), order.get(given));
    }
  }

  private static String text(List<Given> devices) {
    return devices.isEmpty() ? "nothing" : devices.stream().map(ClaimRuleKit::text).toList() + "";
  }

  private static String text(Given given) {
    return given.device().name() + " for " + given.request();
  }
}
