package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.internal.explain.ConstraintAdvisor;
import io.dra4j.allocation.internal.explain.Diagnosis;
import io.dra4j.allocation.internal.explain.ExplanationSource;
import io.dra4j.allocation.internal.explain.NearNameAdvisor;
import io.dra4j.allocation.internal.explain.NodeExplanation;
import io.dra4j.allocation.internal.explain.NodeStatus;
import io.dra4j.allocation.internal.explain.PairAdvisor;
import io.dra4j.allocation.internal.explain.ReduceCountAdvisor;
import io.dra4j.allocation.internal.explain.ReleaseAdvisor;
import io.dra4j.allocation.internal.explain.SingleChangeAdvisor;
import io.dra4j.allocation.internal.explain.TolerationAdvisor;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.RuleKind;
import io.dra4j.allocation.internal.search.AllocationResultBuilder;
import io.dra4j.allocation.internal.search.ClaimPlan;
import io.dra4j.allocation.internal.search.PolicyRun;
import io.dra4j.allocation.internal.search.Search;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.status.DeviceStatus;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of {@link Allocator}: checks the claims, searches one node, asks the policy,
 * assembles the results, and finds the reasons if there are none. Immutable and thread-safe.
 */
final class AllocationEngine implements ExplanationSource {

  /** The least harmful changes first. */
  private static final List<Advisor> ADVISORS =
      List.of(
          new NearNameAdvisor(),
          new PairAdvisor(),
          new ConstraintAdvisor(),
          new TolerationAdvisor(),
          new ReleaseAdvisor(),
          new ReduceCountAdvisor());

  /** Asked last, after added advisors. */
  private static final Advisor LAST = new SingleChangeAdvisor();

  private final SelectorCompiler compiler;
  final Set<Feature> features;
  private final Set<Quirk> fixed;
  private final Duration timeout;
  private final Supplier<String> shareIds;
  final AllocationPolicy policy;
  private final List<Advisor> advisors;
  private final List<ClaimRule> rules;
  private final @Nullable AllocationObserver observer;

  AllocationEngine(Allocator.Builder builder, SelectorCompiler compiler) {
    this.compiler = compiler;
    this.features = builder.features;
    this.fixed = Quirk.fixed(builder.compatibility, builder.release);
    this.timeout = builder.timeout;
    this.shareIds = builder.shareIds;
    this.policy = builder.policy;
    this.observer = builder.observer;
    List<Advisor> all = new ArrayList<>(ADVISORS);
    all.addAll(builder.advisors);
    all.add(LAST);
    this.advisors = List.copyOf(all);
    this.rules = List.copyOf(builder.rules);
  }

  private AllocationEngine(
      AllocationEngine engine, AllocationPolicy policy, List<Advisor> advisors) {
    this.compiler = engine.compiler;
    this.features = engine.features;
    this.fixed = engine.fixed;
    this.timeout = engine.timeout;
    this.shareIds = engine.shareIds;
    this.rules = engine.rules;
    this.observer = engine.observer;
    this.policy = policy;
    this.advisors = advisors;
  }

  AllocationEngine withPolicy(AllocationPolicy replacement) {
    return new AllocationEngine(this, replacement, advisors);
  }

  @Override
  public AllocationEngine withAdvisor(Advisor advisor) {
    List<Advisor> more = new ArrayList<>(advisors);
    more.add(more.indexOf(LAST), Objects.requireNonNull(advisor, "advisor"));
    return new AllocationEngine(this, policy, List.copyOf(more));
  }

  @Override
  public List<Advisor> advisors() {
    return advisors;
  }

  Map<DeviceId, DeviceStatus> statusOfDevices(
      DeviceInventory inventory, String nodeName, Budget budget) throws BudgetExceededException {
    try {
      NodeView view = InventoryAccess.stateOf(inventory).view(nodeName, features, budget);
      if (view == null) {
        throw new IllegalArgumentException("no node \"" + nodeName + "\" in the inventory");
      }
      return NodeStatus.of(context(inventory, view, budget));
    } catch (NodeSelectorException e) {
      DeviceStatus faulty =
          new DeviceStatus.Unsuitable(ExclusionCause.FAULT, String.valueOf(e.getMessage()));
      Map<DeviceId, DeviceStatus> all = new LinkedHashMap<>();
      inventory
          .devicesOf(nodeName)
          .ifPresent(devices -> devices.list().forEach(device -> all.put(device.id(), faulty)));
      return Collections.unmodifiableMap(all);
    }
  }

  @Override
  public Budget newBudget() {
    return Budget.of(timeout);
  }

  @Override
  public AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims, Budget budget) {
    return search(inventory, nodeName, copy(claims), budget);
  }

  private static List<ResourceClaim> copy(List<ResourceClaim> claims) {
    for (ResourceClaim claim : claims) {
      Objects.requireNonNull(claim, "claim");
    }
    return List.copyOf(claims);
  }

  /** Starts a query for the nodes on which claims fit. */
  ClusterQuery query(DeviceInventory inventory, List<ResourceClaim> claims) {
    List<ResourceClaim> pending = copy(claims);
    return new ClusterQuery(this, inventory, pending, footprint(inventory, pending, true));
  }

  /** Searches like {@link #allocate}, without results of earlier searches. */
  AllocationOutcome search(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims, Budget budget) {
    return search(inventory, nodeName, claims, budget, inventory::isAllocated);
  }

  /** Searches devices for one more claim like this one, which may be allocated in the inventory. */
  AllocationOutcome searchForAnother(
      DeviceInventory inventory, String nodeName, ResourceClaim claim, Budget budget) {
    return search(inventory, nodeName, List.of(claim), budget, any -> false);
  }

  private AllocationOutcome search(
      DeviceInventory inventory,
      String nodeName,
      List<ResourceClaim> claims,
      Budget budget,
      Predicate<ResourceClaim> allocated) {
    SearchPosition position = new SearchPosition("before it checked the claims");
    try {
      Budget within = forOneNode(budget);
      within.check();
      List<ResourceClaim> pending = pending(claims, allocated, within);
      NodeView view = InventoryAccess.stateOf(inventory).view(nodeName, features, within);
      if (view == null) {
        return new Rejected(
            RejectionReason.UNKNOWN_NODE, "node " + nodeName + ": not in the inventory");
      }
      SearchContext context = context(inventory, view, within);
      SearchPlan plan = new SearchPlan(context, pending, position);
      Search search = Search.of(plan, position);
      if (!run(search, nodeName, context)) {
        return new Unallocatable(new NodeExplanation(this, inventory, view.node(), pending));
      }
      return policy == AllocationPolicy.firstFit()
          ? new Allocated(assemble(context, plan, search))
          : chosen(plan, pending, position, search);
    } catch (RejectedException e) {
      return rejected(e, inventory, nodeName, claims);
    } catch (NodeSelectorException e) {
      return new Rejected(RejectionReason.SLICE, String.valueOf(e.getMessage()));
    } catch (BudgetExceededException e) {
      return new Undecided(e.reason() + ", stopped " + position);
    }
  }

  /** The outcome of the policy's choice among the devices that fit. */
  private AllocationOutcome chosen(
      SearchPlan plan, List<ResourceClaim> pending, SearchPosition position, Search first)
      throws RejectedException, BudgetExceededException {
    PolicyRun run = new PolicyRun(plan, position, first);
    AllocationPolicy.Choice choice = run.choose(policy);
    Search next = first;
    while (choice instanceof AllocationPolicy.Choice.Refused) {
      next = Search.afterAlternative(plan, position, next.selected());
      if (next == null || !next.run()) {
        break;
      }
      run = new PolicyRun(plan, position, next);
      choice = run.choose(policy);
    }
    SearchContext context = plan.context;
    if (choice instanceof AllocationPolicy.Choice.Refused refused) {
      if (hasSeveralChoices(plan)) {
        return new Undecided(
            refused.reason() + "; other alternatives than the first that fit were not tried");
      }
      Reason reason = new Reason.ByPolicy(refused.reason());
      return new Unallocatable(
          new NodeExplanation(this, context.inventory(), context.view().node(), pending, reason));
    } else if (choice instanceof AllocationPolicy.Choice.Faulty faulty) {
      return new Rejected(RejectionReason.CLAIM, faulty.error());
    }
    return new Allocated(assemble(context, plan, run.search()), run.score(policy));
  }

  /** The outcome of a fault that concerns all nodes, or only this node. */
  private AllocationOutcome rejected(
      RejectedException fault,
      DeviceInventory inventory,
      String nodeName,
      List<ResourceClaim> claims) {
    Node node = inventory.node(nodeName).orElse(null);
    boolean isOfNode =
        fault.reason() == RejectionReason.UNUSABLE_POOL
            && fixed.contains(Quirk.UNUSABLE_POOL_ENDS_ALL_NODES);
    return isOfNode && node != null
        ? new Unallocatable(
            new NodeExplanation(
                this,
                inventory,
                node,
                List.copyOf(claims),
                new Reason.Fault(fault.error(), List.of())))
        : new Rejected(fault.reason(), fault.error());
  }

  /** Whether several requests have alternatives, so that not all combinations are tried. */
  private static boolean hasSeveralChoices(SearchPlan plan) {
    long choices =
        plan.claims.stream()
            .flatMap(claim -> claim.requests().stream())
            .filter(ClaimPlan.RequestPlan::hasChoice)
            .count();
    return choices > 1;
  }

  /** Runs a search, and reports its statistics to the observer. */
  private boolean run(Search search, String node, SearchContext context)
      throws RejectedException, BudgetExceededException {
    if (observer == null) {
      return search.run();
    }
    boolean fits = false;
    try {
      fits = search.run();
    } finally {
      observer.searched(
          new SearchStatistics(
              node, context.candidates().size(), search.steps(), search.cuts(), fits));
    }
    return fits;
  }

  /** Reports to the observer that a node needs no search. */
  void skipped(String node) {
    if (observer != null) {
      observer.skipped(node);
    }
  }

  /** The properties of nodes that the claims depend on, unless a rule may read anything. */
  ClaimFootprint footprint(
      DeviceInventory inventory, List<ResourceClaim> claims, boolean comparable) {
    return new ClaimFootprint(
        inventory, compiler, claims, comparable && !RuleKind.anyReadsAnything(features, rules));
  }

  /** The pools and devices that a node can use, or null if there is no such node. */
  @Nullable NodeView view(DeviceInventory inventory, String node, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    return InventoryAccess.stateOf(inventory).view(node, features, forOneNode(budget));
  }

  /** Whether existing allocations make a device unavailable. */
  boolean isInUse(NodeView view, NodeDevice device) {
    return SearchContext.isInUse(view, device, features, fixed);
  }

  /** The part of a caller's budget for one node, from now on. */
  Budget forOneNode(Budget budget) {
    return budget.atMost(timeout);
  }

  /** The outcome on a node on which the claims are known not to fit. */
  AllocationOutcome unfit(DeviceInventory inventory, String node, List<ResourceClaim> claims) {
    Node there = inventory.node(node).orElseThrow();
    return new Unallocatable(new NodeExplanation(this, inventory, there, claims));
  }

  /** Copies the claims, and rejects claims that must not be allocated. */
  private static List<ResourceClaim> pending(
      List<ResourceClaim> claims, Predicate<ResourceClaim> allocated, Budget budget)
      throws RejectedException, BudgetExceededException {
    Set<String> names = claims.size() > 1 ? new HashSet<>() : Set.of();
    for (ResourceClaim claim : claims) {
      budget.spend(1);
      Objects.requireNonNull(claim, "claim");
      if (claim.allocation() != null) {
        throw new RejectedException(
            RejectionReason.CLAIM, "claim " + claim.displayName() + ": is already allocated");
      }
      if (allocated.test(claim)) {
        throw new RejectedException(
            RejectionReason.CLAIM,
            "claim " + claim.displayName() + ": is already allocated in the inventory");
      }
      if (claims.size() > 1 && !names.add(claim.displayName())) {
        throw new RejectedException(
            RejectionReason.CLAIM,
            "claim " + claim.displayName() + ": occurs twice among the claims to allocate");
      }
    }
    return List.copyOf(claims);
  }

  private SearchContext context(DeviceInventory inventory, NodeView view, Budget budget) {
    return SearchContext.of(inventory, view, compiler, features, fixed, rules, budget);
  }

  /** Explains an outcome that is no allocation. */
  Explanation explain(
      DeviceInventory inventory,
      Node node,
      List<ResourceClaim> claims,
      AllocationOutcome outcome,
      Budget budget) {
    if (outcome instanceof Unallocatable unallocatable) {
      return unallocatable.explanation();
    } else if (outcome instanceof Rejected rejected) {
      return new NodeExplanation(
          this,
          inventory,
          node,
          claims,
          new Reason.Fault(rejected.error(), hints(inventory, node, claims, budget)));
    }
    String reason = outcome instanceof Undecided undecided ? undecided.reason() : "";
    return new NodeExplanation(
        this, inventory, node, claims, new Reason.Undecided("undecided: " + reason));
  }

  private List<String> hints(
      DeviceInventory inventory, Node node, List<ResourceClaim> claims, Budget budget) {
    try {
      return new Diagnosis(context(inventory, viewOf(inventory, node, budget), budget), claims)
          .hints();
    } catch (NodeSelectorException | BudgetExceededException e) {
      return List.of();
    }
  }

  @Override
  public List<Reason> reasons(
      DeviceInventory inventory, Node node, List<ResourceClaim> claims, Budget budget) {
    try {
      NodeView view = viewOf(inventory, node, budget);
      return new Diagnosis(context(inventory, view, budget), claims).reasons();
    } catch (NodeSelectorException e) {
      return List.of(new Reason.Fault(String.valueOf(e.getMessage()), List.of()));
    } catch (BudgetExceededException e) {
      return List.of(
          new Reason.Undecided(
              "the devices of node " + node.name() + " were not checked: " + e.reason()));
    }
  }

  @Override
  public List<String> invalidPools(DeviceInventory inventory, Node node) {
    try {
      return viewOf(inventory, node, Budget.unlimited()).pools().stream()
          .filter(pool -> pool.invalidReason() != null)
          .map(pool -> pool.id() + ": " + pool.invalidReason())
          .toList();
    } catch (NodeSelectorException | BudgetExceededException e) {
      throw new IllegalStateException("the pools of a node that was searched", e);
    }
  }

  private NodeView viewOf(DeviceInventory inventory, Node node, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    return Objects.requireNonNull(
        InventoryAccess.stateOf(inventory).view(node.name(), features, budget),
        "a node that was searched");
  }

  private List<ClaimAllocation> assemble(SearchContext context, SearchPlan plan, Search search)
      throws RejectedException, BudgetExceededException {
    AllocationResultBuilder assembly = new AllocationResultBuilder(context, shareIds);
    List<ClaimAllocation> allocations = new ArrayList<>(plan.claims.size());
    for (int i = 0; i < plan.claims.size(); i++) {
      ClaimPlan claim = plan.claims.get(i);
      allocations.add(
          new ClaimAllocation(
              claim.claim(), assembly.assemble(claim, search.chosen(i), search.results().get(i))));
    }
    return allocations;
  }
}
