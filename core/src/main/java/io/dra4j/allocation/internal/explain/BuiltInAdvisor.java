package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.AdvisorContext;
import io.dra4j.allocation.explanation.Suggestion;
import java.util.List;

/** An advisor that every explanation asks, with more access to its run than added advisors. */
interface BuiltInAdvisor extends Advisor {

  /** Proposes changes, the least harmful first. */
  List<Suggestion> suggest(AdvisorRun problem);

  @Override
  default List<Suggestion> propose(AdvisorContext context) {
    return suggest((AdvisorRun) context);
  }
}
