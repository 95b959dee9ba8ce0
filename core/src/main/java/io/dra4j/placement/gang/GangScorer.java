package io.dra4j.placement.gang;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.gang.GangOutcome.Placed;
import io.dra4j.placement.gang.GangOutcome.PlacedMember;
import io.dra4j.placement.internal.gang.GangRails;
import io.dra4j.placement.internal.policy.ContentionScores;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Scores a plan for a gang. Counts all of its pods on a server together, including pods that run
 * already, and scores each pod as it is when all of them run.
 */
final class GangScorer {

  private final GangCandidates site;
  private final Set<ClaimKey> own = new HashSet<>();

  /** Prepares scores; the devices of members that run already do not count as used by others. */
  GangScorer(GangCandidates site, List<GangMember> members) {
    this.site = site;
    for (GangMember member : members) {
      member.claims().forEach(claim -> own.add(ClaimKey.of(claim)));
    }
  }

  /** Returns the score of a plan. */
  GangScore score(List<PlacedMember> gang, boolean proven, Budget budget)
      throws BudgetExceededException {
    Map<String, PlacementScore> servers = new LinkedHashMap<>();
    List<Integer> used = new ArrayList<>();
    List<List<Optional<Object>>> railsOfServers = new ArrayList<>();
    for (int node = 0; node < site.nodes.size(); node++) {
      String name = site.nodes.get(node).name();
      if (gang.stream().noneMatch(member -> member.node().equals(name))) {
        continue;
      }
      NodeView view = site.view(node, budget);
      ServerModel kind = site.kind(node, budget);
      List<NodeDevice> devices = devices(gang, name, view);
      ServerOccupancy use = ServerOccupancy.of(site.allocator, site.inventory, view, kind, own);
      servers.put(name, site.engine.score(kind, use, devices));
      used.add(node);
      List<Optional<Object>> all = site.railsOf(node, kind, budget);
      List<Optional<Object>> ownRails = new ArrayList<>();
      for (NodeDevice device : devices) {
        int nic = kind.nicOf[device.ordinal()];
        if (nic >= 0) {
          ownRails.add(nic < all.size() ? all.get(nic) : Optional.empty());
        }
      }
      if (!ownRails.isEmpty()) {
        railsOfServers.add(ownRails); // servers without NICs need no rails
      }
    }
    int distance = site.distance(used);
    return new PlanScore(
        servers.values().stream().mapToDouble(PlacementScore::gigabytesPerSecond).sum(),
        servers.values().stream().mapToDouble(PlacementScore::upperBoundGigabytesPerSecond).sum(),
        lost(railsOfServers),
        distance,
        site.levelOf(distance),
        servers,
        proven);
  }

  /**
   * The number of NICs that have no partner on every other server, of the server with the fewest
   * NICs.
   */
  private static int lost(List<List<Optional<Object>>> railsOfServers) {
    if (railsOfServers.size() < 2) {
      return 0;
    }
    Map<Object, Integer> common = GangRails.count(railsOfServers.get(0));
    int fewest = Integer.MAX_VALUE;
    for (List<Optional<Object>> own : railsOfServers) {
      fewest = Math.min(fewest, own.size());
      Map<Object, Integer> counts = GangRails.count(own);
      common.replaceAll((rail, count) -> Math.min(count, counts.getOrDefault(rail, 0)));
    }
    return fewest - common.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The devices that pods of a gang use on a node. */
  List<NodeDevice> devices(List<PlacedMember> gang, String node, NodeView view) {
    Set<DeviceId> ids = new HashSet<>();
    for (PlacedMember member : gang) {
      if (member.node().equals(node)) {
        member.allocations().forEach(allocation -> ids.addAll(used(allocation.result())));
        for (ResourceClaim claim : member.member().claims()) {
          if (claim.allocation() != null) {
            ids.addAll(used(claim.allocation())); // of a pod that runs already
          }
        }
      }
    }
    List<NodeDevice> devices = new ArrayList<>();
    for (int i = 0; i < view.size(); i++) {
      NodeDevice candidate = view.candidate(i);
      if (ids.contains(candidate.id())) {
        devices.add(candidate);
      }
    }
    return devices;
  }

  /** The devices that an allocation uses. Admin access to a device does not use it. */
  static List<DeviceId> used(AllocationResult allocation) {
    return allocation.results().stream()
        .filter(result -> !Boolean.TRUE.equals(result.adminAccess()))
        .map(DeviceRequestAllocationResult::deviceId)
        .toList();
  }

  /** Returns the same plan, in which the score of each pod counts the pairs of later pods too. */
  Placed withAllRunning(Placed plan) {
    DeviceInventory all = site.inventory;
    for (PlacedMember member : plan.members()) {
      all = GangSearch.with(all, member.allocations());
    }
    ContentionScores scores = site.runningScores(all);
    List<PlacedMember> members = new ArrayList<>();
    for (PlacedMember member : plan.members()) {
      List<ResourceClaim> claims = new ArrayList<>(member.member().claims());
      member.allocations().forEach(allocation -> claims.add(allocation.allocatedClaim()));
      members.add(
          new PlacedMember(
              member.member(),
              member.node(),
              member.allocations(),
              member.score().map(score -> scores.withContention(score, member.node(), claims))));
    }
    return new Placed(members, plan.score());
  }
}
