package io.dra4j.allocation;

import io.dra4j.model.DeviceTaint;
import io.dra4j.model.TaintEffect;
import org.jspecify.annotations.Nullable;

/**
 * A device with a taint that the request does not tolerate cannot be used, not even with admin
 * access (KEP-5055). Effects other than {@code NoSchedule} and {@code NoExecute} keep nobody away.
 */
final class TaintRule implements Rule {

  private static final Refusal TAINTED = new Refusal("has a taint that is not tolerated");

  @Override
  public @Nullable Refusal tryPlace(Target target, Candidate candidate) {
    for (DeviceTaint taint : candidate.device.taints()) {
      boolean keepsAway =
          taint.effect().equals(TaintEffect.NO_SCHEDULE)
              || taint.effect().equals(TaintEffect.NO_EXECUTE);
      if (keepsAway && target.request.tolerations().stream().noneMatch(t -> t.tolerates(taint))) {
        return TAINTED;
      }
    }
    return null;
  }

  @Override
  public void undo(Target target, Candidate candidate) {}
}
