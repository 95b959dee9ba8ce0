package io.dra4j.model;

import org.jspecify.annotations.Nullable;

/**
 * The consumption of a resource of the node by an allocated device (KEP-5517).
 *
 * @param mapping the amount that the devices of a claim use, or {@code null}
 * @param overhead the additional amount for each pod or container, or {@code null}
 */
public record NodeAllocatableResource(@Nullable Mapping mapping, @Nullable Overhead overhead) {

  /**
   * Either a multiple of a consumed capacity, or a fixed amount for each device.
   *
   * @param capacityKey the capacity that is multiplied, or {@code null}
   * @param capacityMultiplier its factor, or {@code null}
   * @param deviceMultiplier the amount for each device, or {@code null}
   */
  public record Mapping(
      @Nullable String capacityKey,
      @Nullable Quantity capacityMultiplier,
      @Nullable Quantity deviceMultiplier) {}

  /**
   * Fixed additional amounts.
   *
   * @param perPod the amount for each pod that uses the claim, or {@code null}
   * @param perContainer the amount for each container that refers to the claim, or {@code null}
   */
  public record Overhead(@Nullable Quantity perPod, @Nullable Quantity perContainer) {}
}
