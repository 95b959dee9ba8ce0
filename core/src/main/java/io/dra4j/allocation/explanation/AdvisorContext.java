package io.dra4j.allocation.explanation;

import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/** Claims that do not fit on a node, with the means to try changes. */
public interface AdvisorContext {

  /**
   * Returns the devices of the cluster and their holders.
   *
   * @return the inventory that the claims do not fit into
   */
  DeviceInventory inventory();

  /**
   * Returns the node in question.
   *
   * @return its name
   */
  String node();

  /**
   * Returns the claims that do not fit together.
   *
   * @return pending claims, in order
   */
  List<ResourceClaim> claims();

  /**
   * Returns the reasons why the claims do not fit.
   *
   * @return the reasons, the most relevant one first
   */
  List<Reason> reasons();

  /**
   * Tries changed claims, or the same claims with a changed inventory.
   *
   * @param inventory the inventory to try them with
   * @param claims the claims to try
   * @return whether they fit on the node; also false if that is not known, for example because the
   *     budget is used up
   */
  boolean fits(DeviceInventory inventory, List<ResourceClaim> claims);

  /**
   * Returns the budget of the caller for all advisors together.
   *
   * @return the budget, which runs already
   */
  Budget budget();

  /**
   * Records that an advisor could not check everything. The suggestions are then marked as
   * incomplete, with this reason.
   *
   * @param reason the reason in a few words, for example {@code no answer within 1000 ms}
   */
  void markIncomplete(String reason);
}
