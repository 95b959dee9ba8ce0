package io.dra4j.allocation.explanation;

import java.util.List;

/**
 * Proposes changes that could make claims fit. A proposal may be wrong: each is tried before it
 * becomes one of {@link Explanation#suggestions}.
 */
@FunctionalInterface
public interface Advisor {

  /**
   * Proposes changes.
   *
   * @param problem the claims that do not fit and the reasons; it can also try changed claims
   * @return changes to try, the least harmful first
   */
  List<Suggestion> propose(AdvisorContext problem);
}
