package io.dra4j.allocation.status;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceTaint;
import java.util.List;

/**
 * Whether a device can be allocated on a node, and if not, why. The rules of the {@link Allocator}
 * decide, asked about a claim for this device alone that names no amounts, tolerates no taint and
 * has no admin access: {@link Allocator#statusOfDevices}.
 */
public sealed interface DeviceStatus {

  /** The device can be allocated. */
  record Free() implements DeviceStatus {}

  /**
   * Claims hold the device.
   *
   * @param holders the claims, in the order of their keys
   * @param shared whether they hold shares, so that further claims may get one if the capacity that
   *     is left suffices for the amounts that they ask for
   */
  record InUse(List<ClaimKey> holders, boolean shared) implements DeviceStatus {

    /** Copies the list. {@inheritDoc} */
    public InUse {
      holders = List.copyOf(holders);
    }
  }

  /**
   * The device has a taint that keeps away claims which do not tolerate it (KEP-5055).
   *
   * @param taint the first such taint
   */
  record Tainted(DeviceTaint taint) implements DeviceStatus {}

  /**
   * A shared counter has not enough left (KEP-4815).
   *
   * @param counter the counter, {@code set.counter}
   * @param overdrawn whether allocated devices draw more of it than there is, which keeps every
   *     device of the pool from being allocated that draws from any counter; otherwise this device
   *     draws more of it than is left
   */
  record CountersExhausted(String counter, boolean overdrawn) implements DeviceStatus {}

  /**
   * The slices of the device's pool are not all there, or contradict each other, so that none of
   * its devices can be allocated.
   *
   * @param pool the pool
   * @param incomplete whether slices are missing or too many; otherwise they contradict each other
   * @param problem what is wrong, for example {@code 1 of its 2 slices is there}
   */
  record PoolUnusable(PoolId pool, boolean incomplete, String problem) implements DeviceStatus {}

  /**
   * Another rule refuses the device.
   *
   * @param rule the rule; {@link ExclusionCause#FAULT} if a slice is at fault
   * @param reason why, as the end of a sentence about the device
   */
  record Unsuitable(ExclusionCause rule, String reason) implements DeviceStatus {}
}
