package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.List;

/** The operations of the allocator that an explanation of its outcome needs. */
public interface ExplanationSource {

  /** Returns the reasons why claims do not fit on a node; at least one. */
  List<Reason> reasons(
      DeviceInventory inventory, Node node, List<ResourceClaim> claims, Budget budget);

  /** Tries claims on a node. */
  AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims, Budget budget);

  /** Returns the pools of a node whose slices contradict each other, with the reasons. */
  List<String> invalidPools(DeviceInventory inventory, Node node);

  /** Returns the advisors, in the order in which they are asked. */
  List<Advisor> advisors();

  /** Returns this source with one more advisor. */
  ExplanationSource withAdvisor(Advisor advisor);

  /** Starts the time of one explanation. */
  Budget newBudget();
}
