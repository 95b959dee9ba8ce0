package io.dra4j.dranet.attach;

import io.dra4j.spi.Step;
import java.io.IOException;

/**
 * A planned step: its record and its action.
 *
 * @param step the step as recorded, with its name and undo record
 * @param action executes the step
 */
record PlannedStep(Step step, Action action) {

  /** Executes a step. */
  @FunctionalInterface
  interface Action {

    void run(AttachTransaction to) throws IOException;
  }

  static PlannedStep of(String name, Undo undo, Action action) {
    return new PlannedStep(new Step(name, undo.toText()), action);
  }

  /** Returns this step with a record that also identifies its namespace. */
  PlannedStep in(NamespaceMark mark) {
    return new PlannedStep(new Step(step.name(), mark.before(step.undo())), action);
  }

  /** Returns a step whose effect ends when the link returns to the host: nothing must be undone. */
  static PlannedStep withLink(String name, Action action) {
    return of(name, new Undo.WithLink(), action);
  }
}
