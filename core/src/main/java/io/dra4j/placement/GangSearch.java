package io.dra4j.placement;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationPolicy;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterFit;
import io.dra4j.allocation.Score;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.NodeAffinity;
import io.dra4j.inventory.NodeView;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.GangOutcome.Placed;
import io.dra4j.placement.GangOutcome.PlacedMember;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a gang one after the other, in several ways, and takes back what does not lead
 * to a place for all of them; the best plan of all ways counts. For what {@link GangPlanner} cannot
 * look at as a whole.
 */
final class GangSearch {

  /** So many places are tried for pods, in each way of choosing. */
  private static final int MAX_STEPS = 20_000;

  /** So many where there is a plan that looks at all pods at once. */
  private static final int MAX_STEPS_BESIDE_PLAN = 2_000;

  /** Servers of more kinds are not looked at apart. */
  private static final int MAX_KINDS = 8;

  private final GangSite site;
  private final GangScorer scorer;
  private final List<GangMember> members;
  private final PlacementPolicy policy;
  private final PlacementPolicy firstFit;
  private final Budget budget;
  private int maxSteps = MAX_STEPS;
  private int steps;
  private boolean interrupted; // for want of time or steps
  private @Nullable String limit; // of an allocator, or that of the time

  GangSearch(
      GangSite site,
      GangScorer scorer,
      List<GangMember> members,
      PlacementPolicy policy,
      PlacementPolicy firstFit,
      Budget budget) {
    this.site = site;
    this.scorer = scorer;
    this.members = members;
    this.policy = policy;
    this.firstFit = firstFit;
    this.budget = budget;
  }

  /** The best plan of all ways. */
  GangOutcome best() throws GangEndedException, BudgetExceededException {
    boolean choosing = !policy.name().equals("first-fit");
    Placed best = bestOf(choosing ? greedy(node -> true) : search(firstFit, node -> true), null);
    if (policy.comparesNodes() && !interrupted) {
      best = bestOf(onBestNodes(), best);
    }
    List<int[]> domains = site.domains();
    for (int level = 0;
        choosing && best != null && level < domains.size() && !interrupted;
        level++) {
      int[] domain = domains.get(level);
      for (int of : Arrays.stream(domain).filter(number -> number >= 0).distinct().toArray()) {
        best = bestOf(search(policy, node -> domain[node] == of), best);
      }
    }
    best = choosing ? amongAlike(best) : best;
    if (best != null) {
      return best;
    }
    return interrupted
        ? new GangOutcome.Undecided(
            limit == null
                ? String.format(
                    Locale.ROOT,
                    "no plan for the gang is among those of %,d places that were tried for pods,"
                        + " in each of several ways",
                    maxSteps)
                : limit + ", before there was a plan for the gang")
        : new GangOutcome.Unplaceable(
            "%d pods do not fit at a time on %d nodes"
                .formatted(members.size(), site.nodes.size()));
  }

  /** The better one of a plan and of some that are made pod by pod. */
  Placed better(Placed placed) {
    maxSteps = MAX_STEPS_BESIDE_PLAN;
    try {
      Placed joint = bestOf(together(placed), placed);
      Placed found = bestOf(onBestNodes(), bestOf(greedy(node -> true), joint));
      Placed best = found == null ? placed : found;
      Placed better = bestOf(together(best), best);
      return better == null ? best : better;
    } catch (GangEndedException e) {
      return placed; // there is a plan, whatever became of others
    }
  }

  /**
   * The same pods on the same nodes, with the devices that are best for all pods of each node: what
   * pairs share is not what {@link GangSolver} looks at.
   */
  private List<Optional<List<PlacedMember>>> together(Placed plan) {
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
        ServerKind kind = site.kind(site.number(node), budget);
        if (!(outcome instanceof Allocated all) || !kind.isSmall()) {
          return List.of();
        }
        for (int i : pods.getValue()) {
          GangMember member = plan.members().get(i).member();
          long[] masks = masks(member, all, site.view(site.number(node)), kind);
          AllocationOutcome own =
              site.allocator
                  .withPolicy(policy.among(masks[0], masks[1]))
                  .allocate(current, node, member.claims(), budget);
          if (!(own instanceof Allocated some)) {
            return List.of();
          }
          placed.set(i, placed(member, node, some));
          current = with(current, some.allocations());
        }
      }
    } catch (BudgetExceededException e) {
      interrupted = true;
      limit = e.reason();
      return List.of();
    }
    return List.of(Optional.of(List.copyOf(placed)));
  }

  /** The GPUs and the NICs of a pod. */
  private static long[] masks(GangMember member, Allocated all, NodeView view, ServerKind kind) {
    Set<DeviceId> ids = new HashSet<>();
    Set<ClaimKey> own = new HashSet<>();
    member.claims().forEach(claim -> own.add(ClaimKey.of(claim)));
    for (ClaimAllocation one : all.allocations()) {
      if (own.contains(ClaimKey.of(one.claim()))) {
        one.result().results().forEach(result -> ids.add(result.deviceId()));
      }
    }
    long[] masks = new long[2];
    for (int ordinal = 0; ordinal < view.size(); ordinal++) {
      if (ids.contains(view.candidate(ordinal).id())) {
        int gpu = kind.gpuOf[ordinal];
        int nic = kind.nicOf[ordinal];
        masks[0] |= gpu < 0 ? 0 : ServerShape.bit(gpu);
        masks[1] |= nic < 0 ? 0 : ServerShape.bit(nic);
      }
    }
    return masks;
  }

  /** The first plan that a way of choosing gives; null if it gives none in time. */
  @Nullable Placed first(AllocationPolicy choosing) throws GangEndedException {
    return bestOf(search(choosing, node -> true), null);
  }

  /** Servers of one kind alone, and without one kind, so that no odd server makes plans worse. */
  private @Nullable Placed amongAlike(@Nullable Placed found)
      throws GangEndedException, BudgetExceededException {
    Map<ServerKind, BitSet> alike = new LinkedHashMap<>();
    for (int node = 0; node < site.nodes.size() && alike.size() <= MAX_KINDS; node++) {
      budget.check();
      alike.computeIfAbsent(site.kind(node, budget), any -> new BitSet()).set(node);
    }
    Placed best = found;
    for (BitSet some : alike.size() < 2 ? List.<BitSet>of() : List.copyOf(alike.values())) {
      for (boolean among : List.of(true, false)) {
        if (!interrupted) {
          best = bestOf(greedy(node -> some.get(node) == among), best);
        }
      }
    }
    return best;
  }

  /** As first fit would, and with the best devices on each node. */
  private List<Optional<List<PlacedMember>>> greedy(IntPredicate among) throws GangEndedException {
    List<Optional<List<PlacedMember>>> found = new ArrayList<>(search(firstFit, among));
    found.addAll(search(policy, among));
    return found;
  }

  /** Each pod on the node that is best for it, as pods that are placed without their gang. */
  private List<Optional<List<PlacedMember>>> onBestNodes() throws GangEndedException {
    List<PlacedMember> placed = new ArrayList<>();
    steps = 0;
    try {
      DeviceInventory current = site.inventory;
      Map<ClaimKey, AllocationResult> made = new HashMap<>();
      while (placed.size() < members.size()) {
        PlacedMember best = onBestNode(members.get(placed.size()), current, made);
        if (best == null) {
          return List.of();
        }
        placed.add(best);
        current = with(current, best.allocations());
        best.allocations().forEach(one -> made.put(ClaimKey.of(one.claim()), one.result()));
      }
      return List.of(Optional.of(placed));
    } catch (BudgetExceededException e) {
      interrupted = true;
      limit = e.reason();
      return List.of();
    }
  }

  private @Nullable PlacedMember onBestNode(
      GangMember member, DeviceInventory current, Map<ClaimKey, AllocationResult> made)
      throws GangEndedException, BudgetExceededException {
    List<ResourceClaim> pending = new ArrayList<>();
    List<AllocationResult> results = new ArrayList<>();
    sort(member, made, pending, results);
    ClusterFit fit = site.allocator.withPolicy(policy).allocate(current, pending);
    PlacedMember best = null;
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
          && (best == null
              || (score != null && (bestScore == null || score.compareTo(bestScore) > 0)))) {
        best = placed(member, node.name(), allocated);
        bestScore = score;
      }
    }
    return best;
  }

  /** The claims of a pod that have no devices yet, and the allocations of the others. */
  private static void sort(
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

  /** What a pod gets on a node, or null if it lacks devices; faults and limits end the search. */
  private static @Nullable Allocated allocated(
      GangMember member, Node node, AllocationOutcome outcome)
      throws GangEndedException, BudgetExceededException {
    if (outcome instanceof AllocationOutcome.Rejected fault) {
      throw new GangEndedException(new GangOutcome.Rejected(member, node.name(), fault));
    } else if (outcome instanceof AllocationOutcome.Undecided limit) {
      throw new BudgetExceededException(node.name() + ": " + limit.reason());
    }
    return outcome instanceof Allocated allocated ? allocated : null;
  }

  private @Nullable Placed bestOf(
      List<Optional<List<PlacedMember>>> plans, @Nullable Placed other) {
    Placed best = other;
    for (Optional<List<PlacedMember>> plan : plans) {
      if (plan.isPresent()) {
        try {
          GangScore score = scorer.score(plan.get(), false, budget);
          if (best == null || isBetter(score, best.score())) {
            best = new Placed(plan.get(), score);
          }
        } catch (BudgetExceededException e) {
          interrupted = true;
          limit = e.reason();
        }
      }
    }
    return best;
  }

  /** Whether a plan is what the policy wants more than another one. */
  private boolean isBetter(GangScore one, GangScore other) {
    int byRest =
        policy.name().equals("pack")
            ? Double.compare(one.fragmentationChange(), other.fragmentationChange())
            : 0;
    return byRest != 0 ? byRest > 0 : one.compareTo(other) > 0;
  }

  private List<Optional<List<PlacedMember>>> search(AllocationPolicy choosing, IntPredicate among)
      throws GangEndedException {
    List<PlacedMember> placed = new ArrayList<>();
    steps = 0;
    try {
      boolean found =
          search(
              site.allocator.withPolicy(choosing), among, site.inventory, new HashMap<>(), placed);
      return List.of(found ? Optional.of(List.copyOf(placed)) : Optional.empty());
    } catch (BudgetExceededException e) {
      interrupted = true;
      limit = e.reason();
      return List.of();
    }
  }

  /** Places the next pod on one node after the other, until there is a place for all others. */
  private boolean search(
      Allocator choosing,
      IntPredicate among,
      DeviceInventory current,
      Map<ClaimKey, AllocationResult> made,
      List<PlacedMember> placed)
      throws GangEndedException, BudgetExceededException {
    if (placed.size() == members.size()) {
      return true;
    }
    GangMember member = members.get(placed.size());
    List<ResourceClaim> pending = new ArrayList<>();
    List<AllocationResult> results = new ArrayList<>();
    sort(member, made, pending, results);
    ClusterFit fit = choosing.allocate(current, pending);
    for (int i = 0; i < site.nodes.size(); i++) {
      budget.check();
      Node node = site.nodes.get(i);
      if (!among.test(i) || !member.nodes().test(node) || !canUse(results, node)) {
        continue;
      }
      if (++steps > maxSteps) {
        interrupted = true;
        return false;
      }
      Allocated allocated = allocated(member, node, fit.on(node.name()));
      if (allocated != null) {
        Map<ClaimKey, AllocationResult> next = new HashMap<>(made);
        allocated.allocations().forEach(one -> next.put(ClaimKey.of(one.claim()), one.result()));
        placed.add(placed(member, node.name(), allocated));
        if (search(choosing, among, with(current, allocated.allocations()), next, placed)) {
          return true;
        } else if (steps > maxSteps) {
          return false;
        }
        placed.remove(placed.size() - 1);
      }
    }
    return false;
  }

  private static boolean canUse(List<AllocationResult> results, Node node) {
    return results.stream()
        .allMatch(
            result ->
                result.nodeSelector() == null || NodeAffinity.matches(result.nodeSelector(), node));
  }

  /** A pod and what it got. */
  static PlacedMember placed(GangMember member, String node, Allocated allocated) {
    Optional<PlacementScore> score =
        allocated.score().filter(PlacementScore.class::isInstance).map(PlacementScore.class::cast);
    return new PlacedMember(member, node, allocated.allocations(), score);
  }

  /** The devices after some claims got theirs. */
  static DeviceInventory with(DeviceInventory inventory, List<ClaimAllocation> allocations) {
    return inventory.apply(
        allocations.stream().map(ClaimAllocation::allocatedClaim).map(ClaimPut::new).toList());
  }
}
