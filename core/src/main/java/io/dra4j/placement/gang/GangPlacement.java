package io.dra4j.placement.gang;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangOutcome.Placed;
import io.dra4j.placement.internal.gang.GangSolver;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.policy.PolicyName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places pods that work together, all of them or none. Chooses a node for each pod, and devices
 * there. The pairs of GPUs and NICs should have the most bandwidth, NICs of different servers
 * should be on the same rails, and servers should be near in the network.
 *
 * <pre>{@code
 * GangPlacement gangs =
 *     GangPlacement.builder(allocator).levels(List.of("example.com/rack")).build();
 * GangOutcome outcome = gangs.place(inventory, members, Budget.of(Duration.ofSeconds(10)));
 * }</pre>
 *
 * <p>If the pods want interchangeable GPUs and NICs, the best plan is found exactly. Otherwise the
 * pods are placed one by one in several ways, with backtracking, until the time ends. This applies
 * to pods with shared claims, with other devices, with constraints on attributes that are not a
 * level of the topology, or on a node with more than 64 GPUs or NICs. In both cases the rules of
 * the allocator decide on each pod.
 *
 * <p>Immutable, except for its caches of nodes; thread-safe.
 */
public final class GangPlacement {

  /** The most pods that are placed together. */
  private static final int MAX_MEMBERS = 1_000;

  private final Allocator allocator;
  private final PlacementPolicy policy;
  private final PlacementPolicy firstFit; // reads the requirements of claims
  private final List<String> levels;
  private final Rails rails;
  private final GangSolver solver;

  private GangPlacement(Builder builder) {
    this.allocator = builder.allocator;
    this.policy = builder.policy;
    this.firstFit = named(PolicyName.FIRST_FIT, policy);
    this.levels = builder.levels;
    this.rails = builder.rails;
    this.solver = new GangSolver();
  }

  /**
   * {@return a builder with defaults for all options: rails by index, and the levels {@code
   * topology.kubernetes.io/region}, {@code zone}, {@code block} and {@code rack}}
   *
   * @param allocator decides which allocations are valid. If it has a {@link PlacementPolicy}, the
   *     placement uses the overlays and link rates of this policy, and chooses as if the policy
   *     were set by {@link Builder#policy}; {@code best} replaces {@code first-fit}
   */
  public static Builder builder(Allocator allocator) {
    Objects.requireNonNull(allocator, "allocator");
    PlacementPolicy policy =
        !(allocator.policy() instanceof PlacementPolicy own)
            ? PlacementPolicy.best()
            : PolicyEngine.of(own).name() == PolicyName.FIRST_FIT
                ? named(PolicyName.BEST, own)
                : own;
    return new Builder(allocator, policy);
  }

  /** Returns the named policy with the overlays and link rates of the given policy. */
  private static PlacementPolicy named(PolicyName name, PlacementPolicy policy) {
    PolicyEngine engine = PolicyEngine.of(policy);
    return PlacementPolicy.of(name.toString())
        .withLinkModel(engine.model())
        .withOverlays(engine.overlays());
  }

  /**
   * {@return the plan for a gang, or the reason why there is none}
   *
   * @param inventory the nodes and devices; not changed
   * @param members the pods
   * @param budget the time for the search; when it ends, the result is the best plan so far
   * @throws IllegalArgumentException if members have different claims of one name
   */
  public GangOutcome place(DeviceInventory inventory, List<GangMember> members, Budget budget) {
    return place(inventory, members, List.of(), budget);
  }

  /**
   * {@return the plan for a gang on nodes with equal labels, or the reason why there is none}
   *
   * @param inventory the nodes and devices; not changed
   * @param members the pods
   * @param sameLabels node labels that all nodes of the gang have, with the same values
   * @param budget the time for the search; when it ends, the result is the best plan so far
   * @throws IllegalArgumentException if members have different claims of one name
   */
  public GangOutcome place(
      DeviceInventory inventory, List<GangMember> members, List<String> sameLabels, Budget budget) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(members, "members");
    Objects.requireNonNull(sameLabels, "sameLabels");
    Objects.requireNonNull(budget, "budget");
    List<Node> nodes = inventory.nodes();
    List<GangMember> pods = List.copyOf(members);
    checkSharedClaims(pods);
    if (sameLabels.isEmpty()) {
      return place(site(inventory, nodes), pods, budget);
    }
    Map<List<String>, List<Node>> domains = new LinkedHashMap<>();
    for (Node node : nodes) {
      Map<String, String> labels = node.metadata().labels();
      if (labels.keySet().containsAll(sameLabels)) {
        domains
            .computeIfAbsent(GangCandidates.values(labels, sameLabels), any -> new ArrayList<>())
            .add(node);
      }
    }
    if (domains.isEmpty()) {
      return new GangOutcome.Unplaceable("no node has the labels " + String.join(", ", sameLabels));
    }
    return bestOf(inDomains(inventory, List.copyOf(domains.values()), pods, budget));
  }

  /**
   * Returns the outcomes of all domains. Half of the time is first divided among all domains, so
   * that no domain uses the time of the others. The rest is divided among the domains that are not
   * decided after that. With the policy first-fit, domains after the first one with a plan are not
   * tried.
   */
  private List<GangOutcome> inDomains(
      DeviceInventory inventory, List<List<Node>> domains, List<GangMember> pods, Budget budget) {
    Map<Integer, GangOutcome> outcomes = new LinkedHashMap<>();
    List<Integer> open = IntStream.range(0, domains.size()).boxed().toList();
    for (Budget round : open.size() == 1 ? List.of(budget) : List.of(budget.half(), budget)) {
      List<Integer> unfinished = new ArrayList<>();
      for (int i = 0; i < open.size(); i++) {
        int domain = open.get(i);
        Budget share = round.share(open.size() - i);
        try {
          share.check();
          GangOutcome outcome = place(site(inventory, domains.get(domain)), pods, share);
          outcomes.merge(domain, outcome, this::laterOf);
        } catch (BudgetExceededException e) {
          outcomes.putIfAbsent(domain, new GangOutcome.Undecided(e.reason()));
        }
        if (share.isOver() && !isDecided(outcomes.get(domain))) {
          unfinished.add(domain);
        }
        if (outcomes.get(domain) instanceof Placed
            && PolicyEngine.of(policy).name() == PolicyName.FIRST_FIT) {
          break; // its plan counts, unless an unfinished domain before it has one
        }
      }
      open = unfinished;
    }
    return List.copyOf(outcomes.values());
  }

  /** Whether more time would change nothing. */
  private static boolean isDecided(@Nullable GangOutcome outcome) {
    return outcome instanceof Placed placed
        ? placed.score().proven()
        : !(outcome instanceof GangOutcome.Undecided);
  }

  /** Returns the outcome of a domain with more time, unless it has no plan or a worse plan. */
  private GangOutcome laterOf(GangOutcome before, GangOutcome outcome) {
    boolean isWorse =
        before instanceof Placed one
            && !(outcome instanceof Placed other
                && !PlanScore.of(one.score()).isBetterThan(other.score(), policy));
    return isWorse ? before : outcome;
  }

  /** Checks that members have equal claims of one name, since they share its allocation. */
  private static void checkSharedClaims(List<GangMember> members) {
    Map<ClaimKey, ResourceClaim> known = new HashMap<>();
    for (GangMember member : members) {
      for (ResourceClaim claim : member.claims()) {
        ResourceClaim other = known.putIfAbsent(ClaimKey.of(claim), claim);
        if (other != null && !other.equals(claim)) {
          throw new IllegalArgumentException(
              "members refer to different claims named %s (the second in %s)"
                  .formatted(ClaimKey.of(claim), member.name()));
        }
      }
    }
  }

  /** The best plan of several domains, or the most serious obstacle if no domain has a plan. */
  private GangOutcome bestOf(List<GangOutcome> outcomes) {
    Placed best = null;
    boolean decided = true; // the best plan of each domain is known
    GangOutcome worst = outcomes.get(0);
    for (GangOutcome outcome : outcomes) {
      if (outcome instanceof Placed placed) {
        boolean better =
            best == null || PlanScore.of(placed.score()).isBetterThan(best.score(), policy);
        best = better ? placed : best;
        decided &= placed.score().proven();
      } else {
        decided &= outcome instanceof GangOutcome.Unplaceable;
        worst = weight(outcome) > weight(worst) ? outcome : worst;
      }
    }
    if (best == null) {
      return worst;
    }
    return decided ? best : new Placed(best.members(), PlanScore.of(best.score()).unproven());
  }

  private static int weight(GangOutcome outcome) {
    return outcome instanceof GangOutcome.Rejected
        ? 2
        : outcome instanceof GangOutcome.Undecided ? 1 : 0;
  }

  private GangCandidates site(DeviceInventory inventory, List<Node> nodes) {
    return new GangCandidates(allocator, PolicyEngine.of(policy), rails, levels, inventory, nodes);
  }

  private GangOutcome place(GangCandidates site, List<GangMember> members, Budget budget) {
    if (members.isEmpty()) {
      return new Placed(List.of(), new PlanScore(0, 0, 0, 0, "", Map.of(), true));
    } else if (members.size() > MAX_MEMBERS) {
      return new GangOutcome.Undecided(
          "a gang of %d pods; at most %d are placed together"
              .formatted(members.size(), MAX_MEMBERS));
    }
    GangScorer scorer = new GangScorer(site, members);
    try {
      GangOutcome outcome = place(site, scorer, members, budget);
      return outcome instanceof Placed placed ? scorer.withAllRunning(placed) : outcome;
    } catch (GangDecidedException e) {
      return e.outcome;
    } catch (BudgetExceededException e) {
      return inTheEnd(new GangSearch(site, scorer, members, policy, firstFit, budget), e);
    }
  }

  private GangOutcome place(
      GangCandidates site, GangScorer scorer, List<GangMember> members, Budget budget)
      throws GangDecidedException, BudgetExceededException {
    GangSearch search = new GangSearch(site, scorer, members, policy, firstFit, budget);
    if (PolicyEngine.of(policy).name() == PolicyName.BEST) {
      // The other half of the time is for the simpler ways.
      GangPlanner planner = new GangPlanner(site, scorer, solver, members, policy, budget.half());
      GangOutcome planned = planner.plan();
      if (planned instanceof Placed placed) {
        boolean isBest = placed.score().proven() || planner.hasPreferred();
        return isBest ? placed : search.better(placed);
      } else if (planned != null) {
        return planned;
      }
    }
    return search.best();
  }

  /** Returns the first plan that fits, after the time for the best plan ended. */
  private GangOutcome inTheEnd(GangSearch search, BudgetExceededException over) {
    try {
      Placed found = search.first(firstFit);
      return found != null
          ? found
          : new GangOutcome.Undecided(over.reason() + ", before there was a plan for the gang");
    } catch (GangDecidedException e) {
      return e.outcome;
    }
  }

  /** Places the pods of a gang one by one, for comparison. */
  GangOutcome oneByOne(
      AllocationPolicy choosing,
      DeviceInventory inventory,
      List<GangMember> members,
      Budget budget) {
    GangCandidates site = site(inventory, inventory.nodes());
    GangScorer scorer = new GangScorer(site, members);
    try {
      Placed placed =
          new GangSearch(site, scorer, members, policy, firstFit, budget).first(choosing);
      return placed != null ? placed : new GangOutcome.Unplaceable("not one by one");
    } catch (GangDecidedException e) {
      return e.outcome;
    }
  }

  /** Collects the options of a placement. */
  public static final class Builder {

    private final Allocator allocator;
    private PlacementPolicy policy;
    private List<String> levels =
        List.of(
            "topology.kubernetes.io/region",
            "topology.kubernetes.io/zone",
            "topology.kubernetes.io/block",
            "topology.kubernetes.io/rack");
    private Rails rails = new Rails.ByIndex();

    private Builder(Allocator allocator, PlacementPolicy policy) {
      this.allocator = allocator;
      this.policy = policy;
    }

    /**
     * Sets the policy. Only {@code best} considers all pods and servers at once. With {@code pack}
     * and {@code spread} pods are placed one by one, each by the policy; among plans, {@code pack}
     * prefers the plan that keeps the remaining devices most useful. With {@code first-fit} each
     * pod gets the first devices that fit, and the gang only ensures that all pods are placed or
     * none.
     *
     * @param policy the policy, with its overlays and link rates
     * @return this builder
     */
    public Builder policy(PlacementPolicy policy) {
      this.policy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the levels of the network.
     *
     * @param nodeLabels the labels whose values name the domain of a node, the widest one first; a
     *     node without a label is in a domain of its own at that level
     * @return this builder
     */
    public Builder levels(List<String> nodeLabels) {
      this.levels = List.copyOf(Objects.requireNonNull(nodeLabels, "nodeLabels"));
      return this;
    }

    /**
     * Sets the rails.
     *
     * @param rails the way to determine the rail of a NIC
     * @return this builder
     */
    public Builder rails(Rails rails) {
      this.rails = Objects.requireNonNull(rails, "rails");
      return this;
    }

    /** {@return a placement of gangs with the options set so far} */
    public GangPlacement build() {
      return new GangPlacement(this);
    }
  }
}
