package io.dra4j.allocation.explanation;

import java.util.List;

/**
 * Has ideas what could make claims fit. Nobody needs to be sure of them: each is applied and run
 * before anybody hears of it ({@link Explanation#suggestions}).
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
