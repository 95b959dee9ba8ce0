package io.dra4j.allocation.internal.request;

import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.CapacityRequirements;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The capacity that a request consumes of each device; targets with equal requests share it. */
public final class CapacityDemand {

  private static final int REFERENCE_BYTES = 8;
  private static final int DEVICE_BYTES = 24;
  private static final int CAPACITY_BYTES = 56; // a quantity and the reference to it

  private final SearchContext context;
  private final SearchCache.Share memory;
  private final @Nullable CapacityRequirements requirements;
  private Quantity @Nullable [] @Nullable [] amounts; // by ordinal, then NodeDevice.capacityNames

  // The last result: devices of a slice with the same capacities share it.
  private @Nullable Map<String, DeviceCapacity> lastCapacities;
  private Quantity[] lastAmounts = CapacityPolicy.REFUSED;

  public CapacityDemand(
      SearchContext context, SearchCache memory, @Nullable CapacityRequirements requirements) {
    this.context = context;
    this.memory = memory.share(this::forget);
    this.requirements = requirements;
  }

  private void forget() {
    amounts = null;
    lastCapacities = null;
  }

  /**
   * The amount that is consumed of each capacity of the device, in the order of {@link
   * NodeDevice#capacityNames}; null if even an unused device cannot fulfil the request.
   *
   * @param target the target, which errors name
   * @throws RejectedException if an amount is negative or cannot be represented
   */
  Quantity @Nullable [] of(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    Quantity @Nullable [] @Nullable [] all = amounts;
    if (all == null) {
      all = new Quantity[context.candidates().size()][];
      amounts = all;
      memory.keep((long) REFERENCE_BYTES * all.length);
    }
    Quantity[] known = all[candidate.ordinal()];
    if (known == null) {
      known = amounts(target, candidate);
      all[candidate.ordinal()] = known;
      memory.keep(DEVICE_BYTES + (long) CAPACITY_BYTES * known.length);
    }
    return known == CapacityPolicy.REFUSED ? null : known;
  }

  /** As {@link CapacityPolicy#whyNot}. */
  public CapacityPolicy.@Nullable Shortage whyNot(NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    return CapacityPolicy.whyNot(context, candidate, requirements);
  }

  /**
   * Returns whether a request without amounts gets the whole device: the device cannot be shared,
   * and its capacities have no policy.
   */
  public boolean takesWholeDevice(NodeDevice candidate) throws BudgetExceededException {
    return requirements == null
        && !context.canBeShared(candidate)
        && !context.view().isShared(candidate)
        && !candidate.hasDemandingCapacities(context.budget());
  }

  private Quantity[] amounts(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    Map<String, DeviceCapacity> capacities = candidate.device().capacity();
    // Requirements may contain the driver's name, and the consumed amounts belong to the device.
    if (requirements != null || context.view().consumed(candidate) != null) {
      return CapacityPolicy.consumption(context, target, candidate, requirements);
    }
    if (capacities != lastCapacities) {
      lastAmounts = CapacityPolicy.consumption(context, target, candidate, null);
      lastCapacities = capacities;
    }
    return lastAmounts;
  }
}
