package io.dra4j.cel.hostile;

import io.dra4j.cel.CelEvaluation;
import io.dra4j.cel.CelSelector;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Takes any bytes for a selector: it is refused, or says the same of a device each time it is
 * asked, and so does its explanation. Jazzer finds the bytes; the entry point needs nothing of it.
 */
public final class SelectorFuzzer {

  private static final CelSelectors SELECTORS = CelSelectors.create();
  private static final Device DEVICE =
      Device.named("device")
          .attribute("a", "text")
          .attribute("n", 3)
          .attribute("b", true)
          .capacity("memory", "80Gi")
          .build();

  /** The name of a class, which no message has of its own. */
  private static final Pattern EXCEPTION = Pattern.compile("\\w*Exception");

  private SelectorFuzzer() {}

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    String expression = new String(input, StandardCharsets.UTF_8);
    Budget budget = Budget.of(Duration.ofSeconds(5));
    try {
      CelSelector selector = SELECTORS.compileSelector(expression);
      CelEvaluation answer = selector.evaluate("d", DEVICE, budget);
      if (answer.error().contains("internal error")
          && !answer.error().contains("interface conversion")) {
        throw new AssertionError(answer.error() + ": " + expression);
      }
      CelEvaluation again = selector.evaluate("d", DEVICE, budget);
      Verdict explained = selector.explain("d", DEVICE, budget).expression().verdict();
      Verdict expected =
          answer.failed() ? Verdict.ERROR : answer.matches() ? Verdict.TRUE : Verdict.FALSE;
      if (!answer.equals(again) || explained != expected) {
        throw new AssertionError(answer + ", " + again + ", " + explained + ": " + expression);
      }
    } catch (SelectorException e) {
      // Messages quote the expression, which may have such a word itself.
      EXCEPTION
          .matcher(String.valueOf(e.getMessage()))
          .results()
          .filter(word -> !expression.contains(word.group()))
          .forEach(
              word -> {
                throw new AssertionError(expression, e);
              });
    } catch (BudgetExceededException e) {
      // an answer, too
    }
  }
}
