package io.dra4j.allocation.explanation;

import java.util.List;

/**
 * Proposes changes that could make claims fit. A proposal may be wrong: each is tried before it
 * becomes one of {@link Explanation#suggestions}.
 */
@FunctionalInterface
public interface Advisor {

  /**
   * {@return the changes that this advisor proposes to try, the least harmful first}
   *
   * @param problem the claims that do not fit and the reasons; it can also try changed claims
   */
  List<Suggestion> propose(AdvisorContext problem);
}
