package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.inventory.internal.NodeDevice;
import org.jspecify.annotations.Nullable;

/**
 * A device that cannot be shared goes to one request only, except that admin access takes devices
 * in use too, though not one device twice in a claim (KEP-5018). In the reference a device taken
 * with admin access is in use for later requests of other claims all the same, and one of which a
 * claim has a share is not, if it can be shared no longer.
 */
final class UsageRule implements Rule {

  static final Violation IN_USE = RuleKind.USAGE.violation(Violation.Verb.IS, "in use");
  private static final Violation SAME_CLAIM =
      RuleKind.USAGE.violation(Violation.Verb.IS, "already in this claim");

  private final SearchContext context;
  private final PlacedDevices placed;

  UsageRule(SearchContext context, PlacedDevices placed) {
    this.context = context;
    this.placed = placed;
  }

  @Override
  public @Nullable Violation check(PlannedRequest target, NodeDevice candidate) {
    if (!target.adminAccess && isInUse(candidate)) {
      return IN_USE;
    }
    return placed.isIn(target.claimIndex, candidate) ? SAME_CLAIM : null;
  }

  private boolean isInUse(NodeDevice candidate) {
    return context.isInUse(candidate) || placed.isTaken(candidate);
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate) {
    return check(target, candidate);
  }
}
