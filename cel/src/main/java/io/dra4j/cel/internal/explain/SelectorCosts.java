package io.dra4j.cel.internal.explain;

import dev.cel.common.CelSourceLocation;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.explain.SelectorParts.Part;

/** Finds the condition of a selector with the highest maximum cost. */
public final class SelectorCosts {

  /**
   * A condition with its estimate.
   *
   * @param text the condition as written
   * @param line the line in which it begins, from 1
   * @param column the column at which it begins, in characters from 1
   * @param maxCost the maximum cost of the condition alone, with the bindings around it; an
   *     unsigned number
   */
  public record CostlyPart(String text, int line, int column, long maxCost) {}

  private SelectorCosts() {}

  /** Returns the costliest condition, the first of several that are equal. */
  public static CostlyPart costliest(CheckedExpression checked, CelEngine engine) {
    return costliest(SelectorParts.of(checked), checked, engine);
  }

  private static CostlyPart costliest(Part part, CheckedExpression checked, CelEngine engine) {
    if (part.parts().isEmpty()) {
      CelSourceLocation place =
          checked.source().getOffsetLocation(part.from()).orElse(CelSourceLocation.of(1, 0));
      long cost = engine.estimate(checked.part(part.tree())).max();
      return new CostlyPart(part.text(), place.getLine(), place.getColumn() + 1, cost);
    }
    CostlyPart most = costliest(part.parts().get(0), checked, engine);
    for (Part other : part.parts().subList(1, part.parts().size())) {
      CostlyPart costly = costliest(other, checked, engine);
      most = Long.compareUnsigned(costly.maxCost(), most.maxCost()) > 0 ? costly : most;
    }
    return most;
  }
}
