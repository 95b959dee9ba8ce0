package io.dra4j.placement;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.internal.access.NodeSight;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Says what pods have once all of them run: the score of an allocation counts who was there before,
 * and those that came later may share a NIC, a switch or the link between sockets with it.
 */
public final class ContentionScores {

  private final Allocator allocator;
  private final PlacementPolicy policy;
  private final DeviceInventory inventory;
  private final ClusterQuery sights;

  private ContentionScores(
      Allocator allocator, PlacementPolicy policy, DeviceInventory inventory, ClusterQuery sights) {
    this.allocator = allocator;
    this.policy = policy;
    this.inventory = inventory;
    this.sights = sights;
  }

  /**
   * Prepares scores.
   *
   * @param allocator the allocator that made the allocations
   * @param policy knows overlays and link rates
   * @param inventory the nodes and devices, with what all pods hold
   * @return the scores
   */
  public static ContentionScores of(
      Allocator allocator, PlacementPolicy policy, DeviceInventory inventory) {
    Objects.requireNonNull(policy, "policy: want a policy, got null");
    return new ContentionScores(
        allocator, policy, inventory, allocator.allocate(inventory, List.of()));
  }

  /**
   * Scores what a pod has.
   *
   * @param before the score of its allocation
   * @param node the name of its node
   * @param claims its claims, with their allocations; those without have nothing
   * @return the same score, or one with fewer GB/s and a sentence of these, with what it said of
   *     how the devices were chosen, if others share something
   */
  public PlacementScore amongAll(PlacementScore before, String node, List<ResourceClaim> claims) {
    NodeView view = AllocatorAccess.sight(sights, node).map(NodeSight::view).orElse(null);
    if (view == null || before.pairs().isEmpty()) {
      return before;
    }
    Set<ClaimKey> own = new HashSet<>();
    Set<DeviceId> ids = new HashSet<>();
    for (ResourceClaim claim : claims) {
      own.add(ClaimKey.of(claim));
      if (claim.allocation() != null) {
        claim.allocation().results().stream()
            .filter(result -> !Boolean.TRUE.equals(result.adminAccess())) // does not use it
            .forEach(result -> ids.add(result.deviceId()));
      }
    }
    List<NodeDevice> devices = new ArrayList<>();
    for (int i = 0; i < view.size(); i++) {
      NodeDevice candidate = view.candidate(i);
      if (ids.contains(candidate.id())) {
        devices.add(candidate);
      }
    }
    try {
      ServerModel kind = policy.kind(view, Budget.unlimited());
      ServerOccupancy use = ServerOccupancy.of(allocator, inventory, view, kind, own);
      return before.amongOthers(policy.score(kind, use, devices, claims));
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }
}
