package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.explanation.RefusingRule;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.Target;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.Candidate;
import org.jspecify.annotations.Nullable;

/**
 * A device that needs something of its node or of the scheduler which is not there cannot be used:
 * kubelet calls to be skipped (KEP-5304), or shared counters to be respected (KEP-4815).
 */
final class NodeSupportRule implements Rule {

  /** What a node declares when its kubelet can skip calls. */
  private static final String NODE_FEATURE = "DRAOptionalNodeOperations";

  private static final Objection OPERATIONS =
      new Objection(
          RefusingRule.NODE_SUPPORT,
          Objection.Verb.WANTS,
          "kubelet calls to be skipped, which the node does not declare");
  private static final Objection COUNTERS =
      new Objection(
          RefusingRule.NODE_SUPPORT,
          Objection.Verb.DRAWS,
          "from shared counters, which are switched off");

  private final boolean skipsOperations;
  private final boolean partitionable;

  NodeSupportRule(SearchContext context) {
    this.skipsOperations =
        context.has(Feature.OPTIONAL_NODE_OPERATIONS)
            && context.view().node().declaredFeatures().contains(NODE_FEATURE);
    this.partitionable = context.has(Feature.PARTITIONABLE_DEVICES);
  }

  @Override
  public @Nullable Objection tryPlace(Target target, Candidate candidate) {
    if (!skipsOperations && !candidate.slice().skipNodeOperations().isEmpty()) {
      return OPERATIONS;
    }
    return !partitionable && candidate.drawsFromCounters() ? COUNTERS : null;
  }
}
