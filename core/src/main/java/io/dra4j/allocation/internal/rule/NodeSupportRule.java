package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import org.jspecify.annotations.Nullable;

/**
 * A device cannot be used if it needs a feature that its node or the scheduler does not have:
 * skipped kubelet calls (KEP-5304), or shared counters (KEP-4815).
 */
final class NodeSupportRule implements Rule {

  /** The feature that a node declares if its kubelet can skip calls. */
  private static final String NODE_FEATURE = "DRAOptionalNodeOperations";

  private static final Violation OPERATIONS =
      RuleKind.NODE_SUPPORT.violation(
          Violation.Verb.WANTS, "kubelet calls to be skipped, which the node does not declare");
  private static final Violation COUNTERS =
      RuleKind.NODE_SUPPORT.violation(
          Violation.Verb.DRAWS, "from shared counters, which are switched off");

  private final boolean skipsOperations;
  private final boolean partitionable;

  NodeSupportRule(SearchContext context) {
    this.skipsOperations =
        context.has(Feature.OPTIONAL_NODE_OPERATIONS)
            && context.view().node().declaredFeatures().contains(NODE_FEATURE);
    this.partitionable = context.has(Feature.PARTITIONABLE_DEVICES);
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate) {
    if (!skipsOperations && !candidate.slice().skipNodeOperations().isEmpty()) {
      return OPERATIONS;
    }
    return !partitionable && candidate.drawsFromCounters() ? COUNTERS : null;
  }
}
