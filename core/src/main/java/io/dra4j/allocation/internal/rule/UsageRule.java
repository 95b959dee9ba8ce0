package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.inventory.internal.NodeDevice;
import org.jspecify.annotations.Nullable;

/**
 * A device that cannot be shared is allocated to one request only. Requests with admin access also
 * get devices in use, but not one device twice in a claim (KEP-5018). In the reference, a device
 * allocated with admin access is nevertheless in use for later requests of other claims. Since
 * Kubernetes 1.38, a device that can no longer be shared, and of which a claim has a share, is in
 * use.
 */
final class UsageRule implements Rule {

  static final Violation IN_USE = RuleKind.USAGE.violation(Violation.Verb.IS, "in use");
  private static final Violation SAME_CLAIM =
      RuleKind.USAGE.violation(Violation.Verb.IS, "already in this claim");

  private final SearchContext context;
  private final PlacedDevices placed;
  private final boolean seesSharesAtOnce;

  UsageRule(SearchContext context, PlacedDevices placed) {
    this.context = context;
    this.placed = placed;
    this.seesSharesAtOnce = context.fixes(Quirk.SELECTORS_ON_SHARED_DEVICES);
  }

  @Override
  public @Nullable Violation check(PlannedRequest target, NodeDevice candidate) {
    return check(target, candidate, seesSharesAtOnce);
  }

  private @Nullable Violation check(PlannedRequest target, NodeDevice candidate, boolean shares) {
    if (!target.adminAccess && isInUse(candidate, shares)) {
      return IN_USE;
    }
    return placed.isIn(target.claimIndex, candidate) ? SAME_CLAIM : null;
  }

  private boolean isInUse(NodeDevice candidate, boolean shares) {
    return (shares ? context.isInUse(candidate) : context.view().isTaken(candidate))
        || placed.isTaken(candidate);
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate) {
    return check(target, candidate, true);
  }
}
