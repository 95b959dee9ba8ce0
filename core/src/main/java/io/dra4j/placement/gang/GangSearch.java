package io.dra4j.placement.gang;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeAffinity;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.gang.GangOutcome.Placed;
import io.dra4j.placement.gang.GangOutcome.PlacedMember;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.policy.PolicyName;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a gang one after the other, in several ways, with backtracking. The result is
 * the best plan of all ways. For gangs that {@link GangPlanner} cannot plan as a whole.
 */
final class GangSearch {

  /** The most places that are tried for pods, in each way of choosing. */
  private static final int MAX_STEPS = 20_000;

  /**
   * The number of nodes without room for a pod that count as one step, since they take as long to
   * check as one node with room.
   */
  private static final int UNFIT_PER_STEP = 25;

  /** The most places that are tried if there is a plan for all pods at once. */
  private static final int MAX_STEPS_BESIDE_PLAN = 2_000;

  /** The most kinds of servers that are tried separately. */
  private static final int MAX_KINDS = 8;

  private final GangCandidates site;
  private final GangScorer scorer;
  private final List<GangMember> members;
  private final PlacementPolicy policy;
  private final PlacementPolicy firstFit;
  private final Budget budget;
  private List<GangMember> pods; // in the order in which they get their places
  private @Nullable BitSet interchangeable; // pods with the same demand as the pod before
  private @Nullable Placed best;
  private int maxSteps = MAX_STEPS;
  private int steps;
  private int unfit;
  private boolean interrupted; // by the limit of time or steps
  private @Nullable GangDemand demand; // once a pod had no node
  private boolean hasNoRoom; // certainly
  private @Nullable String limit; // the limit of the time, once exceeded
  private @Nullable String skipped; // the first node without an answer, and the reason

  GangSearch(
      GangCandidates site,
      GangScorer scorer,
      List<GangMember> members,
      PlacementPolicy policy,
      PlacementPolicy firstFit,
      Budget budget) {
    this.site = site;
    this.scorer = scorer;
    this.members = members;
    this.pods = members;
    this.policy = policy;
    this.firstFit = firstFit;
    this.budget = budget;
  }

  /** Returns the best plan of all ways that were tried before the budget was used up. */
  GangOutcome best() throws GangDecidedException {
    boolean provesNoRoom = false;
    try {
      provesNoRoom = tryAll();
    } catch (BudgetExceededException e) {
      interruptedBy(e);
    }
    if (best != null) {
      return best;
    } else if (provesNoRoom) {
      return new GangOutcome.Unplaceable(
          "%s on %d %s"
              .formatted(
                  GangPods.unfit(members.size()),
                  site.nodes.size(),
                  site.nodes.size() == 1 ? "node" : "nodes"));
    } else if (interrupted) {
      return new GangOutcome.Undecided(
          limit == null
              ? String.format(
                  Locale.ROOT,
                  "no plan was found for the gang among %,d places that were tried for pods, in"
                      + " each of several ways",
                  maxSteps)
              : limit + ", before there was a plan for the gang");
    }
    return new GangOutcome.Undecided(
        skipped != null
            ? skipped + "; without this node no plan for the gang was found"
            : "no plan was found for the gang, but the search was not exhaustive: several pods"
                + " compete for the same devices");
  }

  /** Tries all ways. Returns whether there is certainly no room if no way led to a plan. */
  private boolean tryAll() throws GangDecidedException, BudgetExceededException {
    boolean choosing = PolicyEngine.of(policy).name() != PolicyName.FIRST_FIT;
    if (members.size() > site.nodes.size() && demand().haveTooFewDevices()) {
      return true; // with many pods for each node, counting takes less time than placing them
    }
    tryInOrder(choosing);
    if (best == null && !tryScarcestFirst(choosing)) {
      return true;
    }
    if (policy.comparesNodes() && !interrupted) {
      tryOnBestNodes();
    }
    List<int[]> domains = site.domains();
    for (int level = 0;
        choosing && best != null && level < domains.size() && !interrupted;
        level++) {
      int[] domain = domains.get(level);
      for (int of : Arrays.stream(domain).filter(number -> number >= 0).distinct().toArray()) {
        search(policy, node -> domain[node] == of);
      }
    }
    if (choosing) {
      tryInterchangeableNodes();
    }
    return false;
  }

  private void tryInOrder(boolean choosing) throws GangDecidedException {
    search(firstFit, node -> true);
    if (choosing && !hasNoRoom) {
      search(policy, node -> true);
    }
  }

  /**
   * Begins with the pods that may have the fewest devices, if other pods could take these devices.
   * Returns false if it is known that there is no room.
   */
  private boolean tryScarcestFirst(boolean choosing)
      throws GangDecidedException, BudgetExceededException {
    budget.check();
    GangDemand wants = demand();
    boolean triedAll = !interrupted && skipped == null;
    if (hasNoRoom || (triedAll && wants.areInterchangeable())) {
      interrupted = false;
      return false;
    }
    List<GangMember> sorted = wants.scarcestFirst().stream().map(members::get).toList();
    if (!wants.sharesClaims()
        && !sorted.equals(members)) { // the first member has the shared claims
      interrupted = false;
      pods = sorted;
      interchangeable = null;
      tryInOrder(choosing);
    }
    return true;
  }

  /** Returns the better of a plan and of plans made pod by pod. */
  Placed better(Placed placed) {
    maxSteps = MAX_STEPS_BESIDE_PLAN;
    best = placed;
    try {
      tryTogether(best);
      tryInOrder(true);
      tryOnBestNodes();
      tryTogether(best);
    } catch (GangDecidedException e) {
      // There is a plan, even if the other ways have none.
    }
    return best;
  }

  /**
   * Tries the same pods on the same nodes, with the devices that are best for all pods of each
   * node. {@link GangPlanner} does not consider the links that pairs share.
   */
  private void tryTogether(Placed plan) {
    Map<String, List<Integer>> byNode = new LinkedHashMap<>();
    for (int i = 0; i < plan.members().size(); i++) {
      byNode.computeIfAbsent(plan.members().get(i).node(), any -> new ArrayList<>()).add(i);
    }
    List<PlacedMember> placed = new ArrayList<>(plan.members());
    DeviceInventory current = site.inventory;
    try {
      for (Map.Entry<String, List<Integer>> pods : byNode.entrySet()) {
        String node = pods.getKey();
        List<ResourceClaim> claims =
            pods.getValue().stream()
                .flatMap(i -> plan.members().get(i).member().claims().stream())
                .toList();
        AllocationOutcome outcome =
            site.allocator.withPolicy(policy).allocate(site.inventory, node, claims, budget);
        ServerModel kind = site.kind(site.number(node), budget);
        if (!(outcome instanceof Allocated all) || !kind.isSmall()) {
          return;
        }
        for (int i : pods.getValue()) {
          GangMember member = plan.members().get(i).member();
          long[] masks = masks(member, all, site.view(site.number(node), budget), kind);
          AllocationOutcome own =
              site.allocator
                  .withPolicy(new DevicesOfPlan(policy, masks[0], masks[1]))
                  .allocate(current, node, member.claims(), budget);
          if (!(own instanceof Allocated some)) {
            return;
          }
          placed.set(i, placed(member, node, some));
          current = with(current, some.allocations());
        }
      }
    } catch (BudgetExceededException e) {
      interruptedBy(e);
      return;
    }
    offer(placed);
  }

  /** The GPUs and the NICs that a pod uses. */
  private static long[] masks(GangMember member, Allocated all, NodeView view, ServerModel kind) {
    Set<DeviceId> ids = new HashSet<>();
    Set<ClaimKey> own = new HashSet<>();
    member.claims().forEach(claim -> own.add(ClaimKey.of(claim)));
    for (ClaimAllocation one : all.allocations()) {
      if (own.contains(ClaimKey.of(one.claim()))) {
        ids.addAll(GangScorer.used(one.result()));
      }
    }
    long[] masks = new long[2];
    for (int ordinal = 0; ordinal < view.size(); ordinal++) {
      if (ids.contains(view.candidate(ordinal).id())) {
        int gpu = kind.gpuOf[ordinal];
        int nic = kind.nicOf[ordinal];
        masks[0] |= gpu < 0 ? 0 : ServerTree.bit(gpu);
        masks[1] |= nic < 0 ? 0 : ServerTree.bit(nic);
      }
    }
    return masks;
  }

  /** Returns the first plan of a way of choosing; null if it finds none in time. */
  @Nullable Placed first(AllocationPolicy choosing) throws GangDecidedException {
    search(choosing, node -> true);
    return best;
  }

  /** Tries servers of one kind alone, and all without one kind, so that odd servers do no harm. */
  private void tryInterchangeableNodes() throws GangDecidedException, BudgetExceededException {
    Map<ServerModel, BitSet> byModel = new LinkedHashMap<>();
    for (int node = 0; node < site.nodes.size() && byModel.size() <= MAX_KINDS; node++) {
      budget.check();
      byModel.computeIfAbsent(site.kind(node, budget), any -> new BitSet()).set(node);
    }
    for (BitSet some : byModel.size() < 2 ? List.<BitSet>of() : List.copyOf(byModel.values())) {
      for (boolean among : List.of(true, false)) {
        if (!interrupted) {
          search(firstFit, node -> some.get(node) == among);
          search(policy, node -> some.get(node) == among);
        }
      }
    }
  }

  /** Tries each pod on its best node, like pods that are placed without a gang. */
  private void tryOnBestNodes() throws GangDecidedException {
    List<PlacedMember> placed = new ArrayList<>();
    steps = 0;
    try {
      DeviceInventory current = site.inventory;
      Map<ClaimKey, AllocationResult> made = new HashMap<>();
      while (placed.size() < pods.size()) {
        PlacedMember next = onBestNode(pods.get(placed.size()), current, made);
        if (next == null) {
          return;
        }
        placed.add(next);
        current = with(current, next.allocations());
        next.allocations().forEach(one -> made.put(ClaimKey.of(one.claim()), one.result()));
      }
      offer(placed);
    } catch (BudgetExceededException e) {
      interruptedBy(e);
    }
  }

  private @Nullable PlacedMember onBestNode(
      GangMember member, DeviceInventory current, Map<ClaimKey, AllocationResult> made)
      throws GangDecidedException, BudgetExceededException {
    List<ResourceClaim> pending = new ArrayList<>();
    List<AllocationResult> results = new ArrayList<>();
    sort(member, made, pending, results);
    ClusterQuery fit = site.allocator.withPolicy(policy).query(current, pending).withBudget(budget);
    PlacedMember found = null;
    Score bestScore = null;
    for (Node node : site.nodes) {
      budget.check();
      if (!member.nodes().test(node) || !canUse(results, node)) {
        continue;
      }
      if (++steps > maxSteps) {
        interrupted = true;
        return null;
      }
      Allocated allocated = allocated(member, node, fit.on(node.name()));
      Score score = allocated == null ? null : allocated.score().orElse(null);
      if (allocated != null
          && (found == null
              || (score != null && (bestScore == null || score.compareTo(bestScore) > 0)))) {
        found = placed(member, node.name(), allocated);
        bestScore = score;
      }
    }
    return found;
  }

  /** The claims of a pod that have no devices yet, and the allocations of the others. */
  static void sort(
      GangMember member,
      Map<ClaimKey, AllocationResult> made,
      List<ResourceClaim> pending,
      List<AllocationResult> results) {
    for (ResourceClaim claim : member.claims()) {
      AllocationResult result =
          claim.allocation() != null ? claim.allocation() : made.get(ClaimKey.of(claim));
      if (result == null) {
        pending.add(claim);
      } else {
        results.add(result);
      }
    }
  }

  /**
   * Returns the devices of a pod on a node; null if there are not enough devices, or if the node is
   * skipped because it gave no answer. Faults end the search.
   */
  private @Nullable Allocated allocated(GangMember member, Node node, AllocationOutcome outcome)
      throws GangDecidedException, BudgetExceededException {
    if (outcome instanceof AllocationOutcome.Rejected fault) {
      throw new GangDecidedException(new GangOutcome.Rejected(member, node.name(), fault));
    } else if (outcome instanceof AllocationOutcome.Undecided limit) {
      budget.check(); // the limit may be the limit of the time, not of the node
      skipped = skipped == null ? node.name() + ": " + limit.reason() : skipped;
    }
    return outcome instanceof Allocated allocated ? allocated : null;
  }

  private void interruptedBy(BudgetExceededException over) {
    interrupted = true;
    limit = over.reason();
  }

  /** Keeps a plan if it is better than the best so far. The first is kept even if it is late. */
  private void offer(List<PlacedMember> placed) {
    List<PlacedMember> plan = inOrder(placed);
    try {
      GangScore score = scorer.score(plan, false, best == null ? Budget.unlimited() : budget);
      if (best == null || PlanScore.of(score).isBetterThan(best.score(), policy)) {
        best = new Placed(plan, score);
      }
    } catch (BudgetExceededException e) {
      interruptedBy(e);
    }
  }

  /** The pods in the order of the gang. */
  private List<PlacedMember> inOrder(List<PlacedMember> placed) {
    if (pods == members) {
      return List.copyOf(placed);
    }
    IdentityHashMap<GangMember, PlacedMember> places = new IdentityHashMap<>();
    placed.forEach(one -> places.put(one.member(), one));
    return members.stream().map(member -> Objects.requireNonNull(places.get(member))).toList();
  }

  private void search(AllocationPolicy choosing, IntPredicate among) throws GangDecidedException {
    List<PlacedMember> placed = new ArrayList<>();
    steps = 0;
    unfit = 0;
    try {
      Allocator allocator = site.allocator.withPolicy(choosing);
      if (search(allocator, among, site.inventory, new HashMap<>(), placed, 0)) {
        offer(placed);
      }
    } catch (BudgetExceededException e) {
      interruptedBy(e);
    }
  }

  /** Tries nodes for the next pod until all others fit; {@code last} is the previous pod's node. */
  private boolean search(
      Allocator choosing,
      IntPredicate among,
      DeviceInventory current,
      Map<ClaimKey, AllocationResult> made,
      List<PlacedMember> placed,
      int last)
      throws GangDecidedException, BudgetExceededException {
    if (placed.size() == pods.size()) {
      return true;
    }
    GangMember member = pods.get(placed.size());
    List<ResourceClaim> pending = new ArrayList<>();
    List<AllocationResult> results = new ArrayList<>();
    sort(member, made, pending, results);
    ClusterQuery fit = choosing.query(current, pending).withBudget(budget);
    // Pods with equal demand are on nodes in their order: other orders only repeat the same plans.
    for (int i = isLikeTheOneBefore(placed.size()) ? last : 0; i < site.nodes.size(); i++) {
      budget.check();
      Node node = site.nodes.get(i);
      if (!among.test(i) || !member.nodes().test(node) || !canUse(results, node)) {
        continue;
      }
      if (steps >= maxSteps) {
        interrupted = true;
        return false;
      }
      Allocated allocated = allocated(member, node, fit.on(node.name()));
      steps += allocated != null || ++unfit % UNFIT_PER_STEP == 0 ? 1 : 0;
      if (allocated != null) {
        Map<ClaimKey, AllocationResult> next = new HashMap<>(made);
        allocated.allocations().forEach(one -> next.put(ClaimKey.of(one.claim()), one.result()));
        placed.add(placed(member, node.name(), allocated));
        if (search(choosing, among, with(current, allocated.allocations()), next, placed, i)) {
          return true;
        } else if (hasNoRoom || (interrupted && steps >= maxSteps)) {
          return false;
        }
        placed.remove(placed.size() - 1);
      }
    }
    if (best == null && placed.size() > 0) {
      demand(); // other places for the pods before are useless if there are too few devices
    }
    return false;
  }

  private GangDemand demand() throws BudgetExceededException {
    GangDemand known = demand;
    if (known == null) {
      known = new GangDemand(site, members, firstFit, budget);
      hasNoRoom = known.haveNoRoom();
      demand = known;
    }
    return known;
  }

  /** Whether a pod has the same demand as the pod before, and shares no claim with others. */
  private boolean isLikeTheOneBefore(int number) throws BudgetExceededException {
    if (interchangeable == null) {
      interchangeable = interchangeable();
    }
    return interchangeable.get(number);
  }

  private BitSet interchangeable() throws BudgetExceededException {
    BitSet found = new BitSet();
    Map<ClaimKey, Integer> users = new HashMap<>();
    for (GangMember member : pods) {
      member.claims().forEach(claim -> users.merge(ClaimKey.of(claim), 1, Integer::sum));
    }
    boolean ownDevices = true; // an allocation on a node does not affect other nodes
    for (int node = 0; node < site.nodes.size(); node++) {
      ownDevices &= site.view(node, budget).isSelfContained();
    }
    for (int i = 1; ownDevices && i < pods.size(); i++) {
      GangMember one = pods.get(i - 1);
      GangMember other = pods.get(i);
      found.set(
          i,
          one.nodes().equals(other.nodes())
              && specs(one).equals(specs(other))
              && Stream.concat(one.claims().stream(), other.claims().stream())
                  .allMatch(
                      claim ->
                          claim.allocation() == null
                              && Integer.valueOf(1).equals(users.get(ClaimKey.of(claim)))));
    }
    return found;
  }

  private static List<ResourceClaimSpec> specs(GangMember member) {
    return member.claims().stream().map(ResourceClaim::spec).toList();
  }

  static boolean canUse(List<AllocationResult> results, Node node) {
    return results.stream()
        .allMatch(
            result ->
                result.nodeSelector() == null || NodeAffinity.matches(result.nodeSelector(), node));
  }

  /** Returns a pod with its allocations. */
  static PlacedMember placed(GangMember member, String node, Allocated allocated) {
    Optional<PlacementScore> score =
        allocated.score().filter(PlacementScore.class::isInstance).map(PlacementScore.class::cast);
    return new PlacedMember(member, node, allocated.allocations(), score);
  }

  /** Returns the inventory after some claims got their devices. */
  static DeviceInventory with(DeviceInventory inventory, List<ClaimAllocation> allocations) {
    return inventory.with(allocations.stream().map(ClaimAllocation::allocatedClaim).toList());
  }
}
