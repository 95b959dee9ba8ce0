package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.internal.text.ReasonText;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.PrintableText;
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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How many more of a claim fit, each placed where the allocator would place it, until the next one
 * does not fit. Another order of other claims could leave room for more; this is what a scheduler
 * gets that is given the claim again and again.
 *
 * @param byNode how many fit on each node if nothing is placed on others, in the order of the
 *     inventory; at most the limit that was given
 * @param total how many fit in the cluster: the sum, unless nodes share devices, each of which
 *     counts once
 * @param unfinished the nodes on which something other than a lack of devices or the limit ended
 *     the counting: at least as many fit there as {@code byNode} says. In the order of the
 *     inventory
 * @param stopped what that was on the first of them, or for the total: a fault of the claim, or the
 *     time; empty if nothing did. Where it is there, the total is a lower bound, too
 */
public record Headroom(
    Map<String, Integer> byNode, long total, List<String> unfinished, Optional<String> stopped) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public Headroom {
    byNode = Collections.unmodifiableMap(new LinkedHashMap<>(byNode));
    unfinished = List.copyOf(unfinished);
  }

  /** For people: the total, and a line for each node. */
  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n");
    lines.add((stopped.isPresent() ? "at least " : "") + total + " in all");
    Set<String> open = Set.copyOf(unfinished);
    byNode.forEach(
        (node, fit) ->
            lines.add(
                PrintableText.of(node) + ": " + (open.contains(node) ? "at least " : "") + fit));
    stopped.ifPresent(why -> lines.add(ReasonText.line("stopped: " + why, true)));
    return lines.toString();
  }

  /** Counts for one claim. */
  static final class Count {

    private final Allocator allocator;
    private final DeviceInventory inventory;
    private final ResourceClaim claim;
    private final int limit;
    private final ClaimFootprint traits;
    private final Budget budget;
    private final SignatureCache<Integer> known = new SignatureCache<>();
    private boolean selfContained = true;
    private final List<String> unfinished = new ArrayList<>();
    private @Nullable String stopped;

    Count(
        Allocator allocator,
        DeviceInventory inventory,
        ResourceClaim claim,
        int limit,
        ClaimFootprint traits,
        Budget budget) {
      this.allocator = allocator;
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
      boolean shared = !selfContained && sum > 0; // also where there was no time to find out
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
        NodeView view = allocator.view(inventory, node, budget);
        if (view != null) {
          selfContained &= view.isSelfContained();
          RelevantAttributes seen = traits.traits(budget).orElse(null);
          shape =
              seen == null ? null : view.shape(InventoryAccess.stateOf(inventory), seen, budget);
        }
      } catch (NodeSelectorException | BudgetExceededException e) {
        selfContained = false; // the allocation says why
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

    /** Where nodes share devices, what one gets another one does not. */
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

    /** An inventory in which more and more is in use. */
    private final class Filling {
      private DeviceInventory current;
      private long copies;
      private boolean cutShort; // by something other than a lack of devices

      Filling(DeviceInventory start) {
        this.current = start;
      }

      int fill(String node, int most) {
        for (int fit = 0; fit < most; fit++) {
          AllocationOutcome outcome = allocator.searchForAnother(current, node, claim, budget);
          if (!(outcome instanceof Allocated allocated)) {
            if (!(outcome instanceof Unallocatable)) {
              cutShort = true;
              stopped = stopped == null ? "node " + node + ": " + textOf(outcome) : stopped;
            }
            return fit;
          }
          current =
              current.apply(
                  List.of(new ClaimPut(nextCopy(allocated.allocations().get(0).result()))));
        }
        return most;
      }

      /** The claim under a name under which nobody holds anything, with what it gets. */
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

    /** The claim under a name that no claim of a cluster can have. */
    private ResourceClaim copy(long number) {
      return claim.toBuilder()
          .metadata(
              ObjectMeta.named(
                  claim.metadata().namespaceOrDefault(), claim.metadata().name() + "~" + number))
          .build();
    }
  }
}
