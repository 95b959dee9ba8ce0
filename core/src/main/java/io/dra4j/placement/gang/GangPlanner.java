package io.dra4j.placement.gang;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangOutcome.Placed;
import io.dra4j.placement.gang.GangOutcome.PlacedMember;
import io.dra4j.placement.internal.gang.GangDevicePartition;
import io.dra4j.placement.internal.gang.GangOptions;
import io.dra4j.placement.internal.gang.GangRails;
import io.dra4j.placement.internal.gang.GangSolver;
import io.dra4j.placement.internal.selection.PlainDemand;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans for all pods and servers of a gang at once, by {@link GangSolver}, and lets the allocator
 * allocate the devices of the plan.
 */
final class GangPlanner {

  /** The most ways to divide nodes by the alternatives that requests have there. */
  private static final int MAX_WAYS = 8;

  /** The largest rounding error of each server, in GB/s. */
  private static final double ROUNDING = 0.1;

  private final GangCandidates site;
  private final GangScorer scorer;
  private final GangSolver solver;
  private final List<GangMember> members;
  private final PlacementPolicy policy;
  private final Budget budget;
  private boolean hasPreferred;
  private boolean allServers = true; // the solver knows all servers that have room

  GangPlanner(
      GangCandidates site,
      GangScorer scorer,
      GangSolver solver,
      List<GangMember> members,
      PlacementPolicy policy,
      Budget budget) {
    this.site = site;
    this.scorer = scorer;
    this.solver = solver;
    this.members = members;
    this.policy = policy;
    this.budget = budget;
  }

  /** Plans, first with preferred pairs; null if the solver fails, or if a rule rejects its plan. */
  @Nullable GangOutcome plan() throws GangDecidedException, BudgetExceededException {
    for (boolean near : List.of(true, false)) {
      GangPods pods = GangPods.of(site, members, near, budget);
      if (pods == null) {
        return null;
      }
      boolean preferred = near && pods.prefers;
      GangOutcome outcome = planned(pods);
      if (outcome instanceof Placed || !preferred) {
        hasPreferred = preferred;
        return outcome;
      }
    }
    return null;
  }

  /** Whether claims have preferences that the plan meets; plans that do not meet them are worse. */
  boolean hasPreferred() {
    return hasPreferred;
  }

  /** Plans for each way to choose the alternatives of requests on nodes. */
  private @Nullable GangOutcome planned(GangPods pods) throws BudgetExceededException {
    allServers = pods.hasAllServers;
    long ways = 1;
    for (GangPods.Kind kind : pods.kinds) {
      if (kind.ways() == 0) {
        return allServers ? pods.noRoom() : null;
      }
      ways = Math.min(MAX_WAYS + 1, ways * kind.ways());
    }
    // Pods with one alternative each are not planned together with pods with other alternatives.
    allServers &= ways == 1 && !pods.hasAlternatives;
    GangOutcome best = null;
    for (int way = 0; way < Math.min(ways, MAX_WAYS); way++) {
      int rest = way;
      for (GangPods.Kind kind : pods.kinds) {
        kind.select(rest % kind.ways());
        rest /= kind.ways();
      }
      GangOutcome outcome;
      try {
        outcome = solved(pods);
      } catch (BudgetExceededException e) {
        if (best instanceof Placed) {
          return best; // of the ways tried before the time ended
        }
        throw e;
      }
      boolean better =
          outcome instanceof Placed placed
              && (!(best instanceof Placed other) || placed.score().compareTo(other.score()) > 0);
      best = better || way == 0 ? outcome : best;
    }
    return best;
  }

  /** The solver's plan; null if a rule rejects it, or if the solver does not see all servers. */
  private @Nullable GangOutcome solved(GangPods pods) throws BudgetExceededException {
    List<List<Optional<Object>>> railsByNode = new ArrayList<>();
    for (int node = 0; node < site.nodes.size(); node++) {
      PlainDemand any = null;
      for (GangPods.Kind kind : pods.kinds) {
        any = any == null ? kind.on(node) : any;
      }
      railsByNode.add(any == null ? List.of() : site.railsOf(node, any.kind(), budget));
    }
    List<GangSolver.Demand.Kind> wanted = new ArrayList<>();
    for (GangPods.Kind kind : pods.kinds) {
      wanted.add(new GangSolver.Demand.Kind(kind.gpus, kind.nics, kind.members.size()));
    }
    GangSolver.Demand demand = new GangSolver.Demand(wanted);
    GangRails rails = new GangRails(railsByNode);
    GangSolver.Plan best = null;
    List<GangOptions.@Nullable State> states = List.of();
    boolean exact = rails.areComplete();
    for (GangRails.Part part : rails.parts()) {
      List<GangOptions.@Nullable State> some = states(pods, railsByNode, part);
      GangSolver.Plan plan = solver.solve(some, site.domains(), demand, budget);
      if (plan == null) {
        return null;
      }
      exact &= plan.exact();
      if (best == null
          || best.parts().isEmpty()
          || (!plan.parts().isEmpty() && plan.isBetterThan(best))) {
        best = plan;
        states = some;
      }
    }
    if (best == null || best.parts().isEmpty()) {
      return exact && allServers ? pods.noRoom() : null;
    }
    return realized(best, pods.kinds, states, exact && allServers);
  }

  /**
   * The devices of one server that the kinds of pods there may have.
   *
   * @param masks the demand of the first of these kinds
   * @param gpus the GPUs that the pods may have
   * @param nics the NICs that the pods may have
   * @param kinds these kinds, a bit for each
   */
  private record Room(PlainDemand masks, long gpus, long nics, int kinds) {

    @Nullable ServerTree shape() throws BudgetExceededException {
      return masks.kind().chooser(gpus, nics, masks.across()).map(some -> some.shape).orElse(null);
    }

    GangOptions.State state(ServerTree shape, GangOptions.Rails rails) {
      return new GangOptions.State(
          shape, masks.freeGpus(), masks.freeNics(), gpus, nics, rails, kinds, masks.bundles());
    }
  }

  /** The state of each server of a part for the pods; null for servers outside of the part. */
  private List<GangOptions.@Nullable State> states(
      GangPods pods, List<List<Optional<Object>>> railsByNode, GangRails.Part part)
      throws BudgetExceededException {
    List<GangOptions.@Nullable State> states = new ArrayList<>();
    Map<List<Object>, GangOptions.State> same = new HashMap<>();
    BitSet servers = part.servers();
    for (int node = 0; node < site.nodes.size(); node++) {
      budget.spend(1);
      Room room = servers.get(node) ? room(pods, node) : null;
      ServerTree shape = room == null ? null : room.shape();
      if (room == null || shape == null) {
        allServers &= room == null;
        states.add(null);
        continue;
      }
      GangOptions.Rails rails =
          new GangOptions.Rails(
              railsByNode.get(node).stream()
                  .mapToInt(rail -> rail.map(part.places()::get).orElse(-1))
                  .toArray());
      GangOptions.State state = room.state(shape, rails);
      states.add(same.computeIfAbsent(List.of(room, shape, rails), any -> state));
    }
    return states;
  }

  /** The devices of a server for the kinds of pods that agree about it; null if it has none. */
  private @Nullable Room room(GangPods pods, int node) {
    PlainDemand first = null;
    int fitting = 0;
    long gpus = 0;
    long nics = 0;
    for (int i = 0; i < pods.kinds.size(); i++) {
      PlainDemand masks = pods.kinds.get(i).on(node);
      if (masks == null) {
        continue;
      }
      if (first != null && !agree(first, masks, gpus, nics)) {
        allServers = false; // only one kind of pods is planned there
        continue;
      }
      gpus |= masks.someGpus();
      nics |= masks.someNics();
      first = first == null ? masks : first;
      fitting |= 1 << i;
    }
    return first == null ? null : new Room(first, gpus, nics, fitting);
  }

  private static boolean agree(PlainDemand one, PlainDemand other, long gpus, long nics) {
    // Without GPUs or NICs a shape has no rates of them.
    boolean isPart = other.someGpus() == 0 || other.someNics() == 0 || gpus == 0 || nics == 0;
    return one.kind().equals(other.kind())
        && (isPart || one.shape().equals(other.shape()))
        && Objects.equals(one.bundles(), other.bundles())
        && (gpus == 0 || other.someGpus() == 0 || gpus == other.someGpus())
        && (nics == 0 || other.someNics() == 0 || nics == other.someNics());
  }

  /** Allocates the devices of the plan of the solver; null if a rule rejects some of them. */
  private @Nullable Placed realized(
      GangSolver.Plan plan,
      List<GangPods.Kind> kinds,
      List<GangOptions.@Nullable State> states,
      boolean exact)
      throws BudgetExceededException {
    List<PlacedMember> all = allocated(plan, kinds, states);
    if (all == null) {
      return null;
    }
    GangScore score = scorer.score(all, exact && isExact(kinds), budget);
    // If a rule rejected the plan for a pod, its devices are the first ones that fit.
    boolean asPlanned = score.lostRails() == plan.lostRails();
    for (GangSolver.Part part : plan.parts()) {
      asPlanned &= isAsPlanned(all, part);
    }
    if (!asPlanned) {
      return null;
    }
    // Pairs that share uplinks have less bandwidth than the solver assumes, so that others may have
    // more.
    double planned = (plan.value() >> ServerTree.RATE_SHIFT) / 1_000.0;
    boolean less = score.gigabytesPerSecond() < planned - ROUNDING * plan.parts().size();
    return new Placed(all, less ? PlanScore.of(score).unproven() : score);
  }

  /** Allocates the devices of each member; null if some of them cannot be allocated. */
  private @Nullable List<PlacedMember> allocated(
      GangSolver.Plan plan, List<GangPods.Kind> kinds, List<GangOptions.@Nullable State> states)
      throws BudgetExceededException {
    @Nullable PlacedMember[] placed = new PlacedMember[members.size()];
    int[] next = new int[kinds.size()];
    DeviceInventory current = site.inventory;
    for (GangSolver.Part part : plan.parts()) {
      GangOptions.State state = Objects.requireNonNull(states.get(part.server()));
      GangDevicePartition division =
          new GangDevicePartition(state, part.gpus(), part.nics(), pairs(part, kinds));
      for (int i = 0; i < kinds.size(); i++) {
        GangPods.Kind kind = kinds.get(i);
        for (int pod = 0; pod < part.pods().get(i); pod++) {
          budget.check();
          int number = kind.members.get(next[i]++);
          GangMember member = members.get(number);
          division.take(kind.gpus, kind.nics);
          String node = site.nodes.get(part.server()).name();
          AllocationOutcome outcome =
              site.allocator
                  .withPolicy(new DevicesOfPlan(policy, division.gpus(), division.nics()))
                  .allocate(current, node, member.claims(), budget);
          if (!(outcome instanceof Allocated allocated)) {
            return null;
          }
          placed[number] = GangSearch.placed(member, node, allocated);
          current = GangSearch.with(current, allocated.allocations());
        }
      }
    }
    List<PlacedMember> all = new ArrayList<>();
    for (PlacedMember member : placed) {
      all.add(Objects.requireNonNull(member, "a member of the gang has no placement"));
    }
    return all;
  }

  /**
   * Whether the solver counts the bandwidth of servers as scores do. The solver assumes that each
   * NIC with several ports is in a pair of the fastest class, and it ignores NVLink.
   */
  private boolean isExact(List<GangPods.Kind> kinds) throws BudgetExceededException {
    boolean onlyGpus = kinds.stream().anyMatch(kind -> kind.nics == 0);
    Set<ServerModel> servers = new HashSet<>();
    for (int node = 0; node < site.nodes.size(); node++) {
      budget.spend(1);
      for (GangPods.Kind kind : kinds) {
        PlainDemand masks = kind.on(node);
        if (masks != null
            && servers.add(masks.kind())
            && (masks.kind().cardCount() > 0 || (onlyGpus && masks.kind().nvLinks.isAny()))) {
          return false;
        }
      }
    }
    return true;
  }

  /** The number of pairs that the pods on a server can have, each pair within one pod. */
  private static int pairs(GangSolver.Part part, List<GangPods.Kind> kinds) {
    int sum = 0;
    for (int i = 0; i < kinds.size(); i++) {
      sum += part.pods().get(i) * Math.min(kinds.get(i).gpus, kinds.get(i).nics);
    }
    return sum;
  }

  private boolean isAsPlanned(List<PlacedMember> all, GangSolver.Part part)
      throws BudgetExceededException {
    NodeView view = site.view(part.server(), budget);
    ServerModel kind = site.kind(part.server(), budget);
    long gpus = 0;
    long nics = 0;
    for (NodeDevice device : scorer.devices(all, site.nodes.get(part.server()).name(), view)) {
      int gpu = kind.gpuOf[device.ordinal()];
      int nic = kind.nicOf[device.ordinal()];
      gpus |= gpu >= 0 ? ServerTree.bit(gpu) : 0;
      nics |= nic >= 0 ? ServerTree.bit(nic) : 0;
    }
    return gpus == part.gpus() && nics == part.nics();
  }
}
