package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.RejectionReason;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.PoolView;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a request in mode All: every device of the node that it selects and that has
 * enough capacity when unused. Devices in use are included, so that a request for all devices fails
 * while one is in use.
 *
 * @param count the number of devices
 * @param members the devices, or none if there are more than a claim can have
 */
public record AllDevices(long count, List<NodeDevice> members) {

  static final AllDevices NONE = new AllDevices(0, List.of());

  /**
   * Finds the devices.
   *
   * @throws RejectedException if some pool of the node is not usable, because the set of all
   *     devices is then unknown
   */
  public static AllDevices of(PlannedRequest target, SearchContext context)
      throws RejectedException, BudgetExceededException {
    List<NodeDevice> members = new ArrayList<>();
    long count = 0;
    List<PoolView> pools = context.view().pools();
    for (int number = 0; number < pools.size(); number++) {
      PoolView pool = pools.get(number);
      context.budget().spend(1);
      if (!pool.usable()) {
        if (context.fixes(Quirk.ALL_AND_AN_UNUSABLE_POOL)) {
          return NONE;
        }
        throw new RejectedException(
            RejectionReason.UNUSABLE_POOL,
            "%s: asks for all devices, but pool %s is %s (%s)"
                .formatted(
                    target.displayName(),
                    pool.id(),
                    pool.incomplete() ? "incomplete" : "invalid",
                    pool.problem()));
      }
      int end = context.view().firstOf(number + 1);
      for (int ordinal = context.view().firstOf(number); ordinal < end; ordinal++) {
        context.budget().spend(1);
        NodeDevice candidate = context.candidates().get(ordinal);
        if (target.selects(candidate) && isBigEnough(target, candidate, context)) {
          count++;
          if (count <= PlannedRequest.MAX_RESULTS) {
            members.add(candidate);
          }
        }
      }
    }
    return new AllDevices(count, count <= PlannedRequest.MAX_RESULTS ? members : List.of());
  }

  private static boolean isBigEnough(
      PlannedRequest target, NodeDevice candidate, SearchContext context)
      throws RejectedException, BudgetExceededException {
    if (!context.has(Feature.CONSUMABLE_CAPACITY)) {
      return true;
    }
    Quantity @Nullable [] consumption = target.consumptionOf(candidate);
    return consumption != null
        // Existing shares count later. A negative consumption, which a status may have, adds no
        // capacity.
        && (context.view().consumed(candidate) == null
            || CapacityPolicy.isWithin(consumption, candidate, context.budget()));
  }
}
