package io.dra4j.examples;

import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.PolicyContext.Request;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.DeviceAttribute.IntValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the devices with the fewest hours of use: the integer in their attribute {@code
 * serviceHours}. A device without the attribute comes last.
 */
public final class LeastUsedPolicy implements AllocationPolicy {

  // README: begin
  @Override
  public Choice choose(PolicyContext context) throws BudgetExceededException {
    List<PolicyDevice> byHours = new ArrayList<>(context.devices());
    byHours.sort(Comparator.comparingLong(LeastUsedPolicy::hours));
    List<List<PolicyDevice>> chosen = new ArrayList<>();
    for (int i = 0; i < context.requests().size(); i++) {
      Request request = context.requests().get(i);
      List<PolicyDevice> devices = new ArrayList<>();
      for (PolicyDevice device : byHours) {
        if (request.open()
            && devices.size() < request.firstFit().size()
            && context.canUse(i, device)) {
          devices.add(device);
        }
      }
      byHours.removeAll(devices); // the next request gets others
      chosen.add(devices); // none: the allocator chooses
    }
    return new Choice.Devices(chosen);
  }

  @Override
  public Optional<Score> score(PolicyContext context, List<List<PolicyDevice>> devices) {
    return Optional.empty(); // nodes are not compared
  }

  // README: end

  private static long hours(PolicyDevice device) {
    return device.device().attributes().get("serviceHours") instanceof IntValue hours
        ? hours.value()
        : Long.MAX_VALUE;
  }
}
