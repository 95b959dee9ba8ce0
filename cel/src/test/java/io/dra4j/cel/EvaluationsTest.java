package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cel.internal.eval.EvaluationLimit;
import io.dra4j.cel.internal.eval.Evaluations;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What evaluations share and what they do not. */
class EvaluationsTest {

  private final Evaluations evaluations =
      new Evaluations(EvaluationLimit.STANDARD, 1 << 20, 1 << 20);

  @Test
  void aThreadKeepsItsFrame() {
    assertThat(evaluations.frame()).isSameAs(evaluations.frame());
  }

  @Test
  void threadsHaveFramesOfTheirOwnWhicheverCameFirst() {
    Frame first = CompletableFuture.supplyAsync(evaluations::frame, this::start).join();
    Frame own = evaluations.frame();
    Frame last = CompletableFuture.supplyAsync(evaluations::frame, this::start).join();
    assertThat(first).isNotSameAs(own).isNotSameAs(last);
    assertThat(own).isNotSameAs(last).isSameAs(evaluations.frame());
  }

  @Test
  void theFrameOfALivingThreadDoesNotKeepTheBudgetOfASearchThatIsOver()
      throws SelectorException, BudgetExceededException, InterruptedException {
    CelSelectors selectors = CelSelectors.create();
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    WeakReference<Object> search = evaluateWithin(selectors, collected);

    for (int i = 0; i < 100 && collected.remove(50) == null; i++) {
      System.gc();
    }

    assertThat(search.refersTo(null)).isTrue();
    assertThat(evaluateWithin(selectors, collected).refersTo(null)).isFalse(); // works on
  }

  /** Evaluates a selector and an attribute; what comes back is reachable by their budget only. */
  private static WeakReference<Object> evaluateWithin(
      CelSelectors selectors, ReferenceQueue<Object> collected)
      throws SelectorException, BudgetExceededException {
    AtomicBoolean search = new AtomicBoolean();
    Budget budget = Budget.of(Duration.ofHours(1)).orUntil(search::get);
    Device device = Device.named("d").attribute("a", 1).build();
    assertThat(
            selectors
                .compileSelector("device.attributes[\"drv\"].a == 1")
                .matches("drv", device, budget))
        .isTrue();
    selectors.compileAttribute("device.attributes[\"drv\"].a + 1").evaluate("drv", device, budget);
    return new WeakReference<>(search, collected);
  }

  private void start(Runnable work) {
    new Thread(work).start();
  }
}
