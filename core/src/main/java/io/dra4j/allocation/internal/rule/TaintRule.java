package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.TaintEffect;
import org.jspecify.annotations.Nullable;

/**
 * A device with a taint that the request does not tolerate cannot be used, not even with admin
 * access (KEP-5055). Effects other than {@code NoSchedule} and {@code NoExecute} are ignored.
 */
public final class TaintRule implements Rule {

  private static final Violation TAINTED =
      RuleKind.TAINTS.violation(Violation.Verb.HAS, "a taint that is not tolerated");

  private final SearchContext context;

  TaintRule(SearchContext context) {
    this.context = context;
  }

  @Override
  public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws BudgetExceededException {
    return candidate.device().taints().isEmpty()
            || refusing(target, candidate, context.budget()) == null
        ? null
        : TAINTED;
  }

  /** Returns the first taint that the target does not tolerate, or null if there is none. */
  static @Nullable public DeviceTaint refusing(
      PlannedRequest target, NodeDevice candidate, Budget budget) throws BudgetExceededException {
    for (DeviceTaint taint : candidate.device().taints()) {
      if (keepsAway(taint) && !tolerates(target, taint, budget)) {
        return taint;
      }
    }
    return null;
  }

  public static boolean keepsAway(DeviceTaint taint) {
    return taint.effect().equals(TaintEffect.NO_SCHEDULE)
        || taint.effect().equals(TaintEffect.NO_EXECUTE);
  }

  private static boolean tolerates(PlannedRequest target, DeviceTaint taint, Budget budget)
      throws BudgetExceededException {
    for (DeviceToleration toleration : target.request.tolerations()) {
      budget.spend(1);
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }
}
