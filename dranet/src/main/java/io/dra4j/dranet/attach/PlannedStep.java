package io.dra4j.dranet.attach;

import io.dra4j.spi.Step;
import java.io.IOException;

/**
 * A step that is planned: what it is called, what undoes it, and what it does.
 *
 * @param step the step as it is recorded
 * @param action does it
 */
record PlannedStep(Step step, Action action) {

  /** Does a step. */
  @FunctionalInterface
  interface Action {

    void run(AttachTransaction to) throws IOException;
  }

  static PlannedStep of(String name, Undo undo, Action action) {
    return new PlannedStep(new Step(name, undo.toText()), action);
  }

  /** The same, which also records what namespace it is for. */
  PlannedStep in(NamespaceMark mark) {
    return new PlannedStep(new Step(step.name(), mark.before(step.undo())), action);
  }

  /** Of what comes back with the link. */
  static PlannedStep withLink(String name, Action action) {
    return of(name, new Undo.WithLink(), action);
  }
}
