package io.dra4j.allocation;

import io.dra4j.inventory.Candidate;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.TaintEffect;
import org.jspecify.annotations.Nullable;

/**
 * A device with a taint that the request does not tolerate cannot be used, not even with admin
 * access (KEP-5055). Effects other than {@code NoSchedule} and {@code NoExecute} keep nobody away.
 */
final class TaintRule implements Rule {

  private static final Refusal TAINTED =
      new Refusal(Refusal.Verb.HAS, "a taint that is not tolerated");

  private final SearchContext context;

  TaintRule(SearchContext context) {
    this.context = context;
  }

  @Override
  public @Nullable Refusal tryPlace(Target target, Candidate candidate)
      throws BudgetExceededException {
    for (DeviceTaint taint : candidate.device().taints()) {
      boolean keepsAway =
          taint.effect().equals(TaintEffect.NO_SCHEDULE)
              || taint.effect().equals(TaintEffect.NO_EXECUTE);
      if (keepsAway && !tolerates(target, taint)) {
        return TAINTED;
      }
    }
    return null;
  }

  private boolean tolerates(Target target, DeviceTaint taint) throws BudgetExceededException {
    for (DeviceToleration toleration : target.request.tolerations()) {
      context.budget().spend(1);
      if (toleration.tolerates(taint)) {
        return true;
      }
    }
    return false;
  }
}
