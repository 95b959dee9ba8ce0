package io.dra4j.placement.internal.policy;

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
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Scores pods as they are when all of them run. The score of an allocation counts only the pods
 * that ran before; later pods may share a NIC, a switch or the link between sockets with it.
 */
public final class ContentionScores {

  private final Allocator allocator;
  private final PolicyEngine engine;
  private final DeviceInventory inventory;
  private final ClusterQuery sights;

  private ContentionScores(
      Allocator allocator, PolicyEngine engine, DeviceInventory inventory, ClusterQuery sights) {
    this.allocator = allocator;
    this.engine = engine;
    this.inventory = inventory;
    this.sights = sights;
  }

  /**
   * {@return scores of the pods in an inventory}
   *
   * @param allocator the allocator that made the allocations
   * @param engine the engine of the policy, with its overlays and link rates
   * @param inventory the nodes and devices, with the devices of all pods in use
   */
  public static ContentionScores of(
      Allocator allocator, PolicyEngine engine, DeviceInventory inventory) {
    return new ContentionScores(
        allocator, engine, inventory, allocator.query(inventory, List.of()));
  }

  /**
   * {@return the same score of the devices of a pod; if others share links with the pod, a score
   * with fewer GB/s and a sentence about them that keeps the notes}
   *
   * @param before the score of its allocation
   * @param node the name of its node
   * @param claims its claims, with their allocations; claims without an allocation hold no devices
   */
  public PlacementScore withContention(
      PlacementScore before, String node, List<ResourceClaim> claims) {
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
      ServerModel kind = engine.kind(view, Budget.unlimited());
      ServerOccupancy use = ServerOccupancy.of(allocator, inventory, view, kind, own);
      return PlacementScores.withContention(before, engine.score(kind, use, devices, claims));
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("an unlimited budget", e);
    }
  }
}
