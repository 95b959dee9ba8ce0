package io.dra4j.allocation.status;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceTaint;
import java.util.List;

/**
 * The status of a device on a node: it can be allocated, or the reason why not. Determined by the
 * rules of the {@link Allocator} for a claim for this device alone, without amounts, tolerations
 * and admin access: {@link Allocator#statusOfDevices}.
 */
public sealed interface DeviceStatus {

  /** The device can be allocated. */
  record Free() implements DeviceStatus {}

  /**
   * Claims hold the device.
   *
   * @param holders the claims, in the order of their keys
   * @param shared whether they hold shares, so that further claims may get a share if the remaining
   *     capacity suffices
   */
  record InUse(List<ClaimKey> holders, boolean shared) implements DeviceStatus {

    /** Copies the list. {@inheritDoc} */
    public InUse {
      holders = List.copyOf(holders);
    }
  }

  /**
   * The device has a taint that excludes claims which do not tolerate it (KEP-5055).
   *
   * @param taint the first such taint
   */
  record Tainted(DeviceTaint taint) implements DeviceStatus {}

  /**
   * A shared counter does not have enough left (KEP-4815).
   *
   * @param counter the counter, {@code set.counter}
   * @param overdrawn whether allocated devices overdraw the counter, so that no device of the pool
   *     that draws from any counter can be allocated; otherwise this device draws more of the
   *     counter than is left
   */
  record CountersExhausted(String counter, boolean overdrawn) implements DeviceStatus {}

  /**
   * The slices of the device's pool are incomplete or contradict each other, so that none of its
   * devices can be allocated.
   *
   * @param pool the pool
   * @param incomplete whether there are missing or surplus slices; otherwise the slices contradict
   *     each other
   * @param problem the problem, for example {@code 1 of its 2 slices is there}
   */
  record PoolUnusable(PoolId pool, boolean incomplete, String problem) implements DeviceStatus {}

  /**
   * Another rule refuses the device.
   *
   * @param rule the rule; {@link ExclusionCause#FAULT} if a slice has an error
   * @param reason the reason, as the end of a sentence about the device
   */
  record Unsuitable(ExclusionCause rule, String reason) implements DeviceStatus {}
}
