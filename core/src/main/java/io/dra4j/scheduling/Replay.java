package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Goes through a run once more, as far as a pod that was refused, to ask the allocator why. What a
 * run has to keep for that are the allocations that it made anyway.
 */
final class Replay {

  private final Allocator allocator;
  private final List<Node> nodes;
  private final DeviceInventory before;
  private final Map<ClaimKey, ResourceClaim> claimsBefore;
  private final List<Placed> placed = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();

  // How far the run was repeated.
  private DeviceInventory inventory;
  private Map<ClaimKey, ResourceClaim> claims = new HashMap<>();
  private int repeated;

  Replay(
      Allocator allocator,
      List<Node> nodes,
      DeviceInventory before,
      Map<ClaimKey, ResourceClaim> claims) {
    this.allocator = allocator;
    this.nodes = nodes;
    this.before = before;
    this.claimsBefore = Map.copyOf(claims);
    this.inventory = before;
    this.claims = new HashMap<>(claims);
  }

  /** Notes what a pod got. */
  synchronized void add(int position, Placed pod) {
    positions.add(position);
    placed.add(pod);
  }

  synchronized List<NodeRefusal> refusals(PodToPlace pod, int position, int limit) {
    goTo(position);
    NodeFilter filter = new NodeFilter(pod, claims);
    List<NodeRefusal> refusals = new ArrayList<>();
    for (Node node : nodes) {
      if (refusals.size() >= limit) {
        break;
      }
      if (filter.refusal(node) == null) {
        refusals.add(ask(filter, node));
      }
    }
    return refusals;
  }

  synchronized NodeRefusal refusal(PodToPlace pod, int position, String name) {
    for (Node node : nodes) {
      if (node.name().equals(name)) {
        goTo(position);
        NodeFilter filter = new NodeFilter(pod, claims);
        Cause cause = filter.refusal(node);
        return cause == null
            ? ask(filter, node)
            : new NodeRefusal(name, cause, List.of(NodeFilter.describe(cause)));
      }
    }
    throw new IllegalArgumentException("no node \"" + name + "\" in this run");
  }

  private NodeRefusal ask(NodeFilter filter, Node node) {
    AllocationOutcome outcome = allocator.allocate(inventory, node.name(), filter.pending());
    List<String> lines =
        outcome instanceof Unallocatable unallocatable
            ? unallocatable.explanation().lines()
            : List.of("has no devices for it; there was no time to find out why");
    return new NodeRefusal(node.name(), Cause.DEVICES, lines);
  }

  private void goTo(int position) {
    if (repeated > 0 && positions.get(repeated - 1) >= position) {
      repeated = 0;
      inventory = before;
      claims = new HashMap<>(claimsBefore);
    }
    List<ResourceClaim> allocated = new ArrayList<>();
    while (repeated < placed.size() && positions.get(repeated) < position) {
      for (ClaimAllocation allocation : placed.get(repeated).allocations()) {
        ResourceClaim claim = allocation.allocatedClaim();
        claims.put(ClaimKey.of(claim), claim);
        allocated.add(claim);
      }
      repeated++;
    }
    if (!allocated.isEmpty()) {
      inventory = inventory.apply(allocated.stream().map(ClaimPut::new).toList());
    }
  }
}
