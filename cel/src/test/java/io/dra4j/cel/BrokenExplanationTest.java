package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.NodeEngine;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.Estimate;
import io.dra4j.cel.internal.library.StandardLibrary;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An explanation that throws never takes the answer with it. */
class BrokenExplanationTest {

  private static final String BUG =
      "the explanation has a bug and is not complete: java.lang.IllegalStateException at"
          + " io.dra4j.cel.BrokenExplanationTest$WholesOnly.";

  private static final Device DEVICE = Device.named("d").attribute("a/n", 1).build();

  /** Knows what to do with selectors, and throws where it is asked about a part of one. */
  private static final class WholesOnly implements CelEngine {

    private final CelEngine engine = new NodeEngine(StandardLibrary.create(), Dialect.KUBERNETES);
    private final Set<String> planned = new HashSet<>();
    private final Set<String> estimated = new HashSet<>();
    private final Throwable thrown;

    WholesOnly(Throwable thrown) {
      this.thrown = thrown;
    }

    @Override
    public Evaluator plan(CheckedExpression expression, Budget budget)
        throws SelectorException, BudgetExceededException {
      if (!planned.add(expression.source().getContent().toString())) {
        refuse();
      }
      return engine.plan(expression, budget);
    }

    @Override
    public Estimate estimate(CheckedExpression expression) {
      if (!estimated.add(expression.source().getContent().toString())) {
        refuse();
      }
      return engine.estimate(expression);
    }

    private void refuse() {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("a part");
    }
  }

  private static CelSelectors selectors(Throwable thrown) {
    return new CelSelectors(CelSelectors.builder(), new WholesOnly(thrown));
  }

  private static SelectorExplanation explain(CelSelectors selectors, String expression)
      throws BudgetExceededException {
    return selectors.explain(expression, "a", DEVICE, Budget.unlimited());
  }

  @Test
  void theAnswerStandsAndTheExplanationSaysThatItHasABug() throws Exception {
    CelSelectors selectors = selectors(new IllegalStateException());

    SelectorExplanation refused = explain(selectors, "device.attributes.a.n > 1 && true");
    assertThat(refused.expression().verdict()).isEqualTo(Verdict.FALSE);
    assertThat(refused.expression().text()).isEqualTo("device.attributes.a.n > 1 && true");
    assertThat(refused.summary()).startsWith("false: " + BUG).contains("please report it at https");
    SelectorExplanation taken = explain(selectors, "device.attributes.a.n == 1 || false");
    assertThat(taken.summary()).isEqualTo("true: device.attributes.a.n == 1 || false");
    assertThat(taken.lines().get(1)).startsWith("also: " + BUG);
    SelectorExplanation failed = explain(selectors, "device.attributes.a.m == 1 && true");
    assertThat(failed.expression().error()).isEqualTo("no such key: m");
    assertThat(failed.lines()).last().asString().contains("no such key: m");
  }

  @Test
  void aSelectorOverTheLimitIsOverTheLimitWhicheverConditionCostsMost() {
    String costly = "lists.range(1000).all(x, lists.range(1000).all(y, x < y)) && true";

    CelAdmission.OverLimit over =
        (CelAdmission.OverLimit) selectors(new IllegalStateException()).admit(costly);

    assertThat(over.maxCost())
        .isEqualTo(((CelAdmission.OverLimit) CelSelectors.create().admit(costly)).maxCost());
    assertThat(over.costliest()).isEqualTo(new CelAdmission.Part(costly, 1, 1, over.maxCost()));
    assertThat(over.gap().orElse("")).startsWith(BUG);
    assertThat(over.toString()).contains(BUG);
  }

  @Test
  void wantOfMemoryIsNoBug() {
    assertThatThrownBy(() -> explain(selectors(new OutOfMemoryError("heap")), "true && false"))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void theEndOfTheTimeIsNoBugWhereverItComes() throws Exception {
    CelSelector selector = CelSelectors.create().compileSelector("true && device.driver == 'b'");
    SelectorExplanation whole = selector.explain("a", DEVICE);
    int ended = 0;
    for (boolean isOver = true; isOver; ) {
      AtomicInteger looks = new AtomicInteger(ended);
      Budget budget = Budget.unlimited().orUntil(() -> looks.getAndDecrement() <= 0);
      try {
        assertThat(selector.explain("a", DEVICE, budget)).isEqualTo(whole);
        isOver = false;
      } catch (BudgetExceededException e) {
        ended++;
      }
    }
    assertThat(ended).isGreaterThan(1);
  }
}
