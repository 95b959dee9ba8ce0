package io.dra4j.allocation.explanation;

import java.util.List;

/**
 * Proposes changes that could make claims fit. A proposal may be wrong: each is applied and run
 * before it becomes one of {@link Explanation#suggestions}.
 */
@FunctionalInterface
public interface Advisor {

  /**
   * Proposes changes.
   *
   * @param problem what does not fit, and why; it can also be asked what would
   * @return changes to try, the least harmful first
   */
  List<Suggestion> propose(AdvisorContext problem);
}
