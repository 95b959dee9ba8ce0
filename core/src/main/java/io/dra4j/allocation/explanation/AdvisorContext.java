package io.dra4j.allocation.explanation;

import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/** Claims that do not fit on a node, with the means to try changes. */
public interface AdvisorContext {

  /** {@return the inventory that the claims do not fit into: the devices and their holders} */
  DeviceInventory inventory();

  /** {@return the name of the node in question} */
  String node();

  /** {@return the pending claims that do not fit together, in order} */
  List<ResourceClaim> claims();

  /** {@return the reasons why the claims do not fit, the most relevant one first} */
  List<Reason> reasons();

  /**
   * {@return whether changed claims, or the same claims with a changed inventory, fit on the node;
   * also false if that is not known, for example because the budget is used up}
   *
   * @param inventory the inventory to try them with
   * @param claims the claims to try
   */
  boolean fits(DeviceInventory inventory, List<ResourceClaim> claims);

  /** {@return the budget of the caller for all advisors together, which runs already} */
  Budget budget();

  /**
   * Marks the suggestions as incomplete, because an advisor could not check everything.
   *
   * @param reason the reason in a few words, for example {@code no answer within 1000 ms}
   */
  void markIncomplete(String reason);
}
