package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import org.jspecify.annotations.Nullable;

/**
 * One condition on placing devices. A rule that accepts a device updates its state, and {@link
 * #undo} restores the state exactly. A rule that refuses does not change its state. Placements are
 * undone in reverse order, so a rule finds the state that it left.
 *
 * <p>No rule depends on another one. {@link PlacedDevices} has the placed devices for all rules: in
 * both methods, it has the devices that were placed before the given device.
 *
 * <p>Rules are monotonic: a device that is refused now stays refused when more devices are placed.
 * The search relies on this.
 */
public interface Rule {

  /**
   * Returns whether the rule applies to the devices of a target; it is asked for no others. The
   * answer does not change during a search.
   */
  default boolean concerns(PlannedRequest target) {
    return true;
  }

  /**
   * {@return null if {@link #tryPlace} would place the device, else the reason} Changes nothing.
   * For rules that are asked before a device is placed (see {@link RuleKind.Screen}).
   *
   * @throws RejectedException if an error of the input prevents an answer
   * @throws BudgetExceededException if the budget is used up
   */
  default @Nullable Violation check(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    return null;
  }

  /**
   * {@return null if the rule accepts the device and has updated its state, else the reason}
   *
   * @throws RejectedException if an error of the input prevents an answer
   * @throws BudgetExceededException if the budget is used up
   */
  @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException;

  /**
   * Undoes the last placement that is not yet undone, which must be this one.
   *
   * @throws BudgetExceededException if the budget is used up; the rule cannot be used afterwards
   */
  default void undo(PlannedRequest target, NodeDevice candidate) throws BudgetExceededException {}
}
