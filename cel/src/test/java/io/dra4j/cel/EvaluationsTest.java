package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What evaluations share and what they do not. */
class EvaluationsTest {

  private final Evaluations evaluations = new Evaluations(EvaluationLimit.STANDARD);

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

  private void start(Runnable work) {
    new Thread(work).start();
  }
}
