package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.NodeShape;
import io.dra4j.inventory.NodeView;
import io.dra4j.inventory.VisibleTraits;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many more of a claim fit, each placed where the allocator would place it, until the next one
 * does not fit. Another order of other claims could leave room for more; this is what a scheduler
 * gets that is given the claim again and again.
 *
 * @param byNode how many fit on each node if nothing is placed on others, in the order of the
 *     inventory
 * @param total how many fit in the cluster: the sum, unless nodes share devices
 * @param stopped what ended the counting on a node, other than a lack of devices: a fault of the
 *     claim, or the time; empty if nothing did
 */
public record Headroom(Map<String, Integer> byNode, long total, Optional<String> stopped) {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public Headroom {
    byNode = Collections.unmodifiableMap(new LinkedHashMap<>(byNode));
  }

  /** Counts for one claim. */
  static final class Count {

    private final Allocator allocator;
    private final DeviceInventory inventory;
    private final ResourceClaim claim;
    private final int limit;
    private final @Nullable VisibleTraits traits;
    private final Map<NodeShape, Integer> known = new HashMap<>();
    private boolean selfContained = true;
    private @Nullable String stopped;

    Count(
        Allocator allocator,
        DeviceInventory inventory,
        ResourceClaim claim,
        int limit,
        @Nullable VisibleTraits traits) {
      this.allocator = allocator;
      this.inventory = inventory;
      this.claim = claim;
      this.limit = limit;
      this.traits = traits;
    }

    Headroom headroom() {
      Map<String, Integer> byNode = new LinkedHashMap<>();
      long sum = 0;
      for (Node node : inventory.nodes()) {
        int fit = on(node.name());
        byNode.put(node.name(), fit);
        sum += fit;
      }
      return new Headroom(
          byNode, selfContained || sum == 0 ? sum : inAll(), Optional.ofNullable(stopped));
    }

    private int on(String node) {
      NodeShape shape = null;
      try {
        NodeView view = allocator.view(inventory, node, Budget.unlimited());
        if (view != null && !view.isSelfContained()) {
          selfContained = false;
        } else if (view != null && traits != null) {
          shape = view.shape(inventory, traits);
        }
      } catch (NodeSelectorException | BudgetExceededException e) {
        selfContained = false; // the allocation says why
      }
      Integer same = shape == null ? null : known.get(shape);
      if (same != null) {
        return same;
      }
      int fit = new Filling(inventory).fill(node, limit);
      if (shape != null) {
        known.put(shape, fit);
      }
      return fit;
    }

    /** Where nodes share devices, what one gets another one does not. */
    private long inAll() {
      Filling filling = new Filling(inventory);
      long all = 0;
      for (Node node : inventory.nodes()) {
        all += filling.fill(node.name(), limit);
      }
      return all;
    }

    /** An inventory in which more and more is in use. */
    private final class Filling {
      private DeviceInventory current;
      private int copies;

      Filling(DeviceInventory start) {
        this.current = start;
      }

      int fill(String node, int most) {
        for (int fit = 0; fit < most; fit++) {
          ResourceClaim next = copy(copies++);
          AllocationOutcome outcome = allocator.allocate(current, node, List.of(next));
          if (!(outcome instanceof Allocated allocated)) {
            if (!(outcome instanceof Unallocatable) && stopped == null) {
              stopped = "node " + node + ": " + outcome;
            }
            return fit;
          }
          current =
              current.apply(List.of(new ClaimPut(allocated.allocations().get(0).allocatedClaim())));
        }
        return most;
      }
    }

    /** The claim under a name that no claim of a cluster can have. */
    private ResourceClaim copy(int number) {
      return claim.toBuilder()
          .metadata(
              ObjectMeta.named(
                  claim.metadata().namespaceOrDefault(), claim.metadata().name() + "~" + number))
          .build();
    }
  }
}
