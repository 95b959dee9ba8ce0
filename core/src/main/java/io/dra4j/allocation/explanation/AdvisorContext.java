package io.dra4j.allocation.explanation;

import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/** Claims that do not fit on a node, with the means to find out what would. */
public interface AdvisorContext {

  /**
   * Returns the devices of the cluster and what of them is in use.
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
   * Returns why the claims do not fit.
   *
   * @return the reasons, the most relevant one first
   */
  List<Reason> reasons();

  /**
   * Tries changed claims, or the same with other devices free.
   *
   * @param inventory the inventory to try them with
   * @param claims the claims to try
   * @return whether they fit on the node; false also where that is not known, as when the time is
   *     over
   */
  boolean fits(DeviceInventory inventory, List<ResourceClaim> claims);

  /**
   * Returns how long the caller waits for all advisors together.
   *
   * @return the budget, which runs already
   */
  Budget budget();

  /**
   * Notes that an advisor could not look at everything: the suggestions are then said to be
   * incomplete, and why.
   *
   * @param reason why not, in a few words, for example {@code no answer within 1000 ms}
   */
  void markIncomplete(String reason);
}
