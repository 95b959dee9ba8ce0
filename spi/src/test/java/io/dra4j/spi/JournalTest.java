package io.dra4j.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {

  /** Keeps steps in memory. */
  private static final class MemoryJournal implements Journal {

    private final List<Step> steps = new ArrayList<>();

    @Override
    public void record(List<Step> more) {
      steps.addAll(more);
    }

    @Override
    public List<Step> steps() {
      return steps;
    }

    @Override
    public void keep(int count) {
      steps.subList(count, steps.size()).clear();
    }
  }

  private final MemoryJournal journal = new MemoryJournal();

  @Test
  void stepsAreUndoneNewestFirstAndForgotten() throws Exception {
    journal.record(List.of(step("a"), step("b"), step("c")));
    List<String> undone = new ArrayList<>();

    journal.undo(step -> undone.add(step.name()));

    assertThat(undone).containsExactly("c", "b", "a");
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void aStepThatCannotBeUndoneStaysWithThoseBeforeIt() {
    journal.record(List.of(step("a"), step("b"), step("c")));

    assertThatThrownBy(
            () ->
                journal.undo(
                    step -> {
                      if (step.name().equals("b")) {
                        throw DriverException.failed("no", null);
                      }
                    }))
        .hasMessage("no");
    assertThat(journal.steps()).containsExactly(step("a"), step("b"));
  }

  private static Step step(String name) {
    return new Step(name, "");
  }
}
