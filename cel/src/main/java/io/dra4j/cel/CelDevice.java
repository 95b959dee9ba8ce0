package io.dra4j.cel;

import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.Evaluations;

/**
 * A device prepared for evaluations, so that many selectors can be evaluated on it fast. Immutable
 * and thread-safe. See {@link CelSelectors#prepare}.
 */
public final class CelDevice {

  private final DeviceView view;
  private final Evaluations evaluations;

  CelDevice(DeviceView view, Evaluations evaluations) {
    this.view = view;
    this.evaluations = evaluations;
  }

  /** Returns the view for programs of a compiler. */
  @SuppressWarnings("ReferenceEquality") // each compiler has its own
  DeviceView view(Evaluations ofCompiler) {
    return evaluations == ofCompiler ? view : view.withoutNumbers();
  }
}
