package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import org.jspecify.annotations.Nullable;

/**
 * One condition on placing devices. A rule that lets a device pass remembers what it must, and
 * {@link #undo} takes exactly that back; a rule that refuses leaves nothing behind. Placements are
 * undone in the reverse of their order, so a rule may rely on finding the state it left.
 *
 * <p>No rule relies on another one. What several need to know of the devices that are placed is in
 * {@link PlacedDevices}, which is the same for all rules: in both methods it is what was placed
 * before the device in question.
 *
 * <p>Rules are monotonic: what is refused now is refused however many devices are placed besides.
 * The search relies on it.
 */
public interface Rule {

  /**
   * Whether the rule is about the devices of a target; it is asked about no others. The same during
   * a whole search.
   */
  default boolean concerns(PlannedRequest target) {
    return true;
  }

  /**
   * What {@link #tryPlace} would say, for rules that are asked while a device is looked for (see
   * {@link RuleKind.Screen}). Changes nothing.
   *
   * @return null if the device would be placed
   * @throws RejectedException if the input makes the question unanswerable
   * @throws BudgetExceededException if the answer takes longer than the caller waits
   */
  default @Nullable Violation check(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException {
    return null;
  }

  /**
   * Lets the device be placed for the target, or says why not.
   *
   * @return null if it is placed
   * @throws RejectedException if the input makes the question unanswerable
   * @throws BudgetExceededException if the answer takes longer than the caller waits
   */
  @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate)
      throws RejectedException, BudgetExceededException;

  /**
   * Takes back the last placement that is not yet undone, which was this one.
   *
   * @throws BudgetExceededException if that takes longer than the caller waits; the rule is of no
   *     use then
   */
  default void undo(PlannedRequest target, NodeDevice candidate) throws BudgetExceededException {}
}
