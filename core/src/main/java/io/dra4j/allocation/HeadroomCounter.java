package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.inventory.internal.RelevantAttributes;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many more claims like a given one fit, by allocating until the next one does not fit.
 */
final class HeadroomCounter {

  private final AllocationEngine engine;
  private final DeviceInventory inventory;
  private final ResourceClaim claim;
  private final int limit;
  private final ClaimFootprint traits;
  private final Budget budget;
  private final SignatureCache<Integer> known = new SignatureCache<>();
  private boolean selfContained = true;
  private final List<String> unfinished = new ArrayList<>();
  private @Nullable String stopped;

  HeadroomCounter(
      AllocationEngine engine,
      DeviceInventory inventory,
      ResourceClaim claim,
      int limit,
      ClaimFootprint traits,
      Budget budget) {
    this.engine = engine;
    this.inventory = inventory;
    this.claim = claim;
    this.limit = limit;
    this.traits = traits;
    this.budget = budget;
  }

  Headroom headroom() {
    Map<String, Integer> byNode = new LinkedHashMap<>();
    long sum = 0;
    int most = 0;
    for (Node node : inventory.nodes()) {
      int fit = on(node.name());
      byNode.put(node.name(), fit);
      sum += fit;
      most = Math.max(most, fit);
    }
    boolean shared = !selfContained && sum > 0; // also if there was no time to check
    long total = shared ? Math.max(most, inAll()) : sum;
    return new Headroom(byNode, total, unfinished, Optional.ofNullable(stopped));
  }

  private int on(String node) {
    NodeSignature shape = null;
    try {
      budget.check();
    } catch (BudgetExceededException e) {
      selfContained = false;
      unfinished.add(node);
      stopped = stopped == null ? "node " + node + ": " + e.reason() : stopped;
      return 0;
    }
    try {
      NodeView view = engine.view(inventory, node, budget);
      if (view != null) {
        selfContained &= view.isSelfContained();
        RelevantAttributes seen = traits.traits(budget).orElse(null);
        shape = seen == null ? null : view.shape(InventoryAccess.stateOf(inventory), seen, budget);
      }
    } catch (NodeSelectorException | BudgetExceededException e) {
      selfContained = false; // the allocation has the reason
    }
    Integer same = shape == null ? null : known.get(shape);
    if (same != null) {
      return same;
    }
    Filling filling = new Filling(inventory);
    int fit = filling.fill(node, limit);
    if (filling.cutShort) {
      unfinished.add(node);
    } else if (shape != null) {
      known.put(shape, fit);
    }
    return fit;
  }

  /** The total if nodes share devices: a shared device can be allocated on one node only. */
  private long inAll() {
    Filling filling = new Filling(inventory);
    long all = 0;
    for (Node node : inventory.nodes()) {
      try {
        budget.check();
      } catch (BudgetExceededException e) {
        stopped = stopped == null ? "node " + node.name() + ": " + e.reason() : stopped;
        return all;
      }
      all += filling.fill(node.name(), limit);
    }
    return all;
  }

  /** An inventory in which more and more devices are in use. */
  private final class Filling {
    private DeviceInventory current;
    private long copies;
    private boolean cutShort; // by something other than a lack of devices

    Filling(DeviceInventory start) {
      this.current = start;
    }

    int fill(String node, int most) {
      for (int fit = 0; fit < most; fit++) {
        AllocationOutcome outcome = engine.searchForAnother(current, node, claim, budget);
        if (!(outcome instanceof Allocated allocated)) {
          if (!(outcome instanceof Unallocatable)) {
            cutShort = true;
            stopped = stopped == null ? "node " + node + ": " + textOf(outcome) : stopped;
          }
          return fit;
        }
        current =
            current.apply(List.of(new ClaimPut(nextCopy(allocated.allocations().get(0).result()))));
      }
      return most;
    }

    /** A copy of the claim under a name that holds nothing yet, with an allocation. */
    private ResourceClaim nextCopy(AllocationResult result) {
      ResourceClaim next = copy(copies++);
      while (current.isAllocated(ClaimKey.of(next))) {
        next = copy(copies++);
      }
      return next.toBuilder().allocation(result).build();
    }
  }

  private static String textOf(AllocationOutcome outcome) {
    return outcome.fold(
        allocated -> "fits",
        unallocatable -> "does not fit",
        AllocationOutcome.Rejected::error,
        AllocationOutcome.Undecided::reason);
  }

  /** A copy of the claim under a name that no claim of a cluster can have. */
  private ResourceClaim copy(long number) {
    return claim.toBuilder()
        .metadata(
            ObjectMeta.named(
                claim.metadata().namespaceOrDefault(), claim.metadata().name() + "~" + number))
        .build();
  }
}
