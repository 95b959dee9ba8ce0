package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.internal.explain.ConstraintAdvisor;
import io.dra4j.allocation.internal.explain.Diagnosis;
import io.dra4j.allocation.internal.explain.NearNameAdvisor;
import io.dra4j.allocation.internal.explain.PairAdvisor;
import io.dra4j.allocation.internal.explain.ReduceCountAdvisor;
import io.dra4j.allocation.internal.explain.ReleaseAdvisor;
import io.dra4j.allocation.internal.explain.SingleChangeAdvisor;
import io.dra4j.allocation.internal.explain.TolerationAdvisor;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.allocation.internal.rule.RuleKind;
import io.dra4j.allocation.internal.search.AllocationResultBuilder;
import io.dra4j.allocation.internal.search.ClaimPlan;
import io.dra4j.allocation.internal.search.FirstFit;
import io.dra4j.allocation.internal.search.PolicyRun;
import io.dra4j.allocation.internal.search.Search;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.selector.SelectorCompiler;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for the claims of a pod on a node, exactly those that Kubernetes would choose,
 * unless an {@link AllocationPolicy} chooses among what would be valid, too. Immutable and
 * thread-safe; several allocations may run at a time, also on one inventory.
 */
public final class Allocator {

  /** The least harmful changes first. */
  private static final List<Advisor> ADVISORS =
      List.of(
          new NearNameAdvisor(),
          new PairAdvisor(),
          new ConstraintAdvisor(),
          new TolerationAdvisor(),
          new ReleaseAdvisor(),
          new ReduceCountAdvisor());

  /** Asked after those that were added, too. */
  private static final Advisor LAST = new SingleChangeAdvisor();

  private final SelectorCompiler compiler;
  private final Set<Feature> features;
  private final Compatibility compatibility;
  private final Duration timeout;
  private final Supplier<String> shareIds;
  private final AllocationPolicy policy;
  private final List<Advisor> advisors;
  private final List<ClaimRule> rules;
  private final @Nullable AllocationObserver observer;
  private volatile WeakReference<LastQuestion> asked = LastQuestion.NONE;

  private Allocator(Allocator other, AllocationPolicy policy, List<Advisor> advisors) {
    this.compiler = other.compiler;
    this.features = other.features;
    this.compatibility = other.compatibility;
    this.timeout = other.timeout;
    this.shareIds = other.shareIds;
    this.advisors = advisors;
    this.rules = other.rules;
    this.observer = other.observer;
    this.policy = policy;
  }

  private Allocator(Builder builder, SelectorCompiler compiler) {
    this.compiler = compiler;
    this.features = builder.features;
    this.compatibility = builder.compatibility;
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

  /**
   * Starts an allocator with all features of Kubernetes and a time limit of 10 seconds for each
   * allocation.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Finds devices for claims that are allocated together, as those of one pod are: all of them, or
   * none.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param nodeName the node on which the claims will be used
   * @param claims pending claims, in order
   * @return the devices, or why there are none
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims) {
    return allocate(inventory, nodeName, claims, Budget.unlimited());
  }

  /**
   * Finds devices for claims that are allocated together, unless the caller loses patience.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param nodeName the node on which the claims will be used
   * @param claims pending claims, in order
   * @param cancelled asked again and again; once true, the search ends undecided
   * @return the devices, or why there are none
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory,
      String nodeName,
      List<ResourceClaim> claims,
      BooleanSupplier cancelled) {
    Objects.requireNonNull(cancelled, "cancelled: want a condition, got null");
    return allocate(inventory, nodeName, claims, Budget.unlimited().orUntil(cancelled));
  }

  /**
   * Finds devices for claims that are allocated together, within what the caller and the {@link
   * Builder#timeout} allow. Everything that an allocation does looks at both, the evaluation of
   * selectors included.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param nodeName the node on which the claims will be used
   * @param claims pending claims, in order; one that is there twice or is allocated already is
   *     rejected, also where only the inventory knows of the allocation, as of a claim object that
   *     is out of date ({@link DeviceInventory#isAllocated(ResourceClaim)}; another claim of the
   *     name with another UID is none of its business). To move a claim, ask an inventory in which
   *     it is released
   * @param budget how long the caller waits
   * @return the devices, or why there are none
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims, Budget budget) {
    Objects.requireNonNull(inventory, "inventory: want the devices of a cluster, got null");
    Objects.requireNonNull(nodeName, "nodeName: want the name of a node, got null");
    Objects.requireNonNull(claims, "claims: want a list, got null");
    Objects.requireNonNull(budget, "budget: want Budget.unlimited() or another, got null");
    if (policy != FirstFit.INSTANCE) {
      return search(inventory, nodeName, claims, budget); // which looks at each node anew
    }
    LastQuestion last = asked.get();
    if (last == null || !last.isAbout(inventory, claims)) {
      asked = new WeakReference<>(new LastQuestion(inventory, copy(claims), null));
      return search(inventory, nodeName, claims, budget);
    }
    ClusterQuery fit = last.fit();
    if (fit == null) {
      fit = allocate(inventory, last.claims());
      asked = new WeakReference<>(new LastQuestion(inventory, last.claims(), fit));
    }
    return fit.within(budget).on(nodeName);
  }

  private static List<ResourceClaim> copy(List<ResourceClaim> claims) {
    for (ResourceClaim claim : claims) {
      Objects.requireNonNull(claim, "claims: want resource claims, got null among them");
    }
    return List.copyOf(claims);
  }

  /** As {@link #allocate(DeviceInventory, String, List, Budget)}, whatever was found before. */
  AllocationOutcome search(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims, Budget budget) {
    return search(inventory, nodeName, claims, budget, inventory::isAllocated);
  }

  /** The same for one more of a claim, which may be allocated in the inventory. */
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
    SearchPosition position = new SearchPosition("before it looked at the claims");
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
        return new Unallocatable(new Explanation(this, inventory, view.node(), pending));
      }
      if (policy == FirstFit.INSTANCE) {
        return new Allocated(assemble(context, plan, search));
      }
      PolicyRun run = new PolicyRun(plan, position, search);
      AllocationPolicy.Choice choice = run.choose(policy);
      Search next = search;
      while (choice instanceof AllocationPolicy.Choice.Refused) {
        next = Search.afterAlternative(plan, position, next.selected());
        if (next == null || !next.run()) {
          break;
        }
        run = new PolicyRun(plan, position, next);
        choice = run.choose(policy);
      }
      if (choice instanceof AllocationPolicy.Choice.Refused refused) {
        if (hasSeveralChoices(plan)) {
          return new Undecided(
              refused.reason() + "; other alternatives than the first that fit were not tried");
        }
        return new Unallocatable(
            new Explanation(
                this, inventory, view.node(), pending, new Reason.ByPolicy(refused.reason())));
      } else if (choice instanceof AllocationPolicy.Choice.Faulty faulty) {
        return new Rejected(RejectionReason.CLAIM, faulty.error());
      }
      return new Allocated(assemble(context, plan, run.search()), run.score(policy));
    } catch (RejectedException e) {
      return new Rejected(e.reason(), e.error());
    } catch (NodeSelectorException e) {
      return new Rejected(RejectionReason.SLICE, String.valueOf(e.getMessage()));
    } catch (BudgetExceededException e) {
      return new Undecided(e.reason() + ", stopped " + position);
    }
  }

  /** Whether several requests have alternatives, of which not all combinations are tried. */
  private static boolean hasSeveralChoices(SearchPlan plan) {
    long choices =
        plan.claims.stream()
            .flatMap(claim -> claim.requests().stream())
            .filter(ClaimPlan.RequestPlan::hasChoice)
            .count();
    return choices > 1;
  }

  /** Runs a search, and tells the observer what it took. */
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

  /** Notes that a node needs no search. */
  void skipped(String node) {
    if (observer != null) {
      observer.skipped(node);
    }
  }

  /**
   * Returns which of several valid allocations this allocator takes.
   *
   * @return the policy
   */
  public AllocationPolicy policy() {
    return policy;
  }

  /**
   * Returns the same allocator with another policy.
   *
   * @param other which of several valid allocations is taken
   * @return the allocator
   */
  public Allocator withPolicy(AllocationPolicy other) {
    return new Allocator(
        this, Objects.requireNonNull(other, "other: want a policy, got null"), advisors);
  }

  /** The same allocator, which asks one more what would help. */
  public Allocator advisedBy(Advisor advisor) {
    List<Advisor> more = new ArrayList<>(advisors);
    more.add(
        more.indexOf(LAST), Objects.requireNonNull(advisor, "advisor: want an advisor, got null"));
    return new Allocator(this, policy, List.copyOf(more));
  }

  /**
   * Asks where in a cluster claims fit that are allocated together, as those of one pod are.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param claims pending claims, in order
   * @return the question, which is answered node by node as far as it is asked
   */
  public ClusterQuery allocate(DeviceInventory inventory, List<ResourceClaim> claims) {
    Objects.requireNonNull(inventory, "inventory: want the devices of a cluster, got null");
    Objects.requireNonNull(claims, "claims: want a list, got null");
    List<ResourceClaim> pending = copy(claims);
    return new ClusterQuery(this, inventory, pending, sight(inventory, pending, true));
  }

  /**
   * Counts how many more of a claim fit, however long that takes.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param claim the claim; an allocation that it has is left aside
   * @param limit where to stop counting on each node, since shares may be without limit; above 0
   * @return the counts, by node and in all
   * @throws IllegalArgumentException if the limit is not above 0
   */
  public Headroom headroom(DeviceInventory inventory, ResourceClaim claim, int limit) {
    return headroom(inventory, claim, limit, Budget.unlimited());
  }

  /**
   * Counts how many more of a claim fit, within what the caller waits. Each placement keeps to the
   * {@link Builder#timeout} besides.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param claim the claim; an allocation that it has is left aside
   * @param limit where to stop counting on each node, since shares may be without limit; above 0
   * @param budget how long the caller waits for all nodes together
   * @return the counts, by node and in all; where the time was not enough they say so
   * @throws IllegalArgumentException if the limit is not above 0
   */
  public Headroom headroom(
      DeviceInventory inventory, ResourceClaim claim, int limit, Budget budget) {
    Objects.requireNonNull(inventory, "inventory: want the devices of a cluster, got null");
    Objects.requireNonNull(claim, "claim: want a resource claim, got null");
    Objects.requireNonNull(budget, "budget: want Budget.unlimited() or another, got null");
    if (limit <= 0) {
      throw new IllegalArgumentException("limit: want more than 0, got " + limit);
    }
    ResourceClaim pending = claim.toBuilder().allocation(null).build();
    return new Headroom.Count(
            this,
            inventory,
            pending,
            limit,
            sight(inventory, List.of(pending), policy == FirstFit.INSTANCE),
            budget)
        .headroom();
  }

  /** What claims see of nodes, unless a rule may see anything. */
  private ClaimFootprint sight(
      DeviceInventory inventory, List<ResourceClaim> claims, boolean comparable) {
    return new ClaimFootprint(
        inventory, compiler, claims, comparable && !RuleKind.anyReadsAnything(features, rules));
  }

  /** What a node can use, or null if there is no such node. */
  @Nullable NodeView view(DeviceInventory inventory, String node, Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    return InventoryAccess.stateOf(inventory).view(node, features, forOneNode(budget));
  }

  /**
   * Tells whether claims that have devices keep others from having a device: as a whole, or, with
   * {@link Compatibility#STRICT}, by shares of one that can be shared no longer.
   *
   * @param view what a node can use, with the features of this allocator
   * @param device a device of the node
   * @return false for a device that is free, or of which shares may be left
   */
  public boolean isInUse(NodeView view, NodeDevice device) {
    return SearchContext.isInUse(
        Objects.requireNonNull(view, "view: want that of the device's node, got null"),
        Objects.requireNonNull(device, "device: want a device of the node, got null"),
        features,
        compatibility);
  }

  /** What of a caller's time is for one node, from now on. */
  Budget forOneNode(Budget budget) {
    return budget.atMost(timeout);
  }

  /** The outcome on a node of which is known that the claims do not fit there. */
  AllocationOutcome misfit(DeviceInventory inventory, String node, List<ResourceClaim> claims) {
    Node there = Objects.requireNonNull(inventory.node(node), "a node that was looked at");
    return new Unallocatable(new Explanation(this, inventory, there, claims));
  }

  /** Copies the claims, and refuses those that must not be allocated. */
  private static List<ResourceClaim> pending(
      List<ResourceClaim> claims, Predicate<ResourceClaim> allocated, Budget budget)
      throws RejectedException, BudgetExceededException {
    Set<String> names = claims.size() > 1 ? new HashSet<>() : Set.of();
    for (ResourceClaim claim : claims) {
      budget.spend(1);
      Objects.requireNonNull(claim, "claims: want resource claims, got null among them");
      if (claim.allocation() != null) {
        throw new RejectedException(
            RejectionReason.CLAIM, "claim " + claim.displayName() + ": is allocated already");
      }
      if (allocated.test(claim)) {
        throw new RejectedException(
            RejectionReason.CLAIM,
            "claim " + claim.displayName() + ": is allocated already in the inventory");
      }
      if (claims.size() > 1 && !names.add(claim.displayName())) {
        throw new RejectedException(
            RejectionReason.CLAIM,
            "claim " + claim.displayName() + ": is there twice among the claims to allocate");
      }
    }
    return List.copyOf(claims);
  }

  private SearchContext context(DeviceInventory inventory, NodeView view, Budget budget) {
    return SearchContext.of(inventory, view, compiler, features, compatibility, rules, budget);
  }

  /**
   * Says why claims do not fit on a node, whatever kept them from it: also a fault of theirs, or
   * the end of the time.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param nodeName the node
   * @param claims pending claims, in order
   * @return why; empty if they fit
   * @throws IllegalArgumentException if there is no such node
   */
  public Optional<Explanation> explain(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims) {
    Objects.requireNonNull(inventory, "inventory: want the devices of a cluster, got null");
    Objects.requireNonNull(claims, "claims: want a list, got null");
    Node node =
        inventory.node(
            Objects.requireNonNull(nodeName, "nodeName: want the name of a node, got null"));
    if (node == null) {
      throw new IllegalArgumentException("no node \"" + nodeName + "\" in the inventory");
    }
    AllocationOutcome outcome = allocate(inventory, nodeName, claims);
    return outcome instanceof Allocated
        ? Optional.empty()
        : Optional.of(explain(inventory, node, List.copyOf(claims), outcome, patience()));
  }

  /** Explains an outcome that is no allocation. */
  public Explanation explain(
      DeviceInventory inventory,
      Node node,
      List<ResourceClaim> claims,
      AllocationOutcome outcome,
      Budget budget) {
    if (outcome instanceof Unallocatable unallocatable) {
      return unallocatable.explanation();
    } else if (outcome instanceof Rejected rejected) {
      return new Explanation(
          this,
          inventory,
          node,
          claims,
          new Reason.Fault(rejected.error(), hints(inventory, node, claims, budget)));
    }
    String reason = outcome instanceof Undecided undecided ? undecided.reason() : "";
    return new Explanation(
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

  /** Those who may know what would help. */
  public List<Advisor> advisors() {
    return advisors;
  }

  /** The time of one allocation or explanation, from now on. */
  public Budget patience() {
    return Budget.of(timeout);
  }

  /** Says why claims do not fit on a node; at least one reason. */
  public List<Reason> refusals(
      DeviceInventory inventory, Node node, List<ResourceClaim> claims, Budget budget) {
    try {
      NodeView view = viewOf(inventory, node, budget);
      return new Diagnosis(context(inventory, view, budget), claims).refusals();
    } catch (NodeSelectorException e) {
      return List.of(new Reason.Fault(String.valueOf(e.getMessage()), List.of()));
    } catch (BudgetExceededException e) {
      return List.of(
          new Reason.Undecided(
              "the devices of node " + node.name() + " were not looked at: " + e.reason()));
    }
  }

  /** The pools of a node whose slices contradict each other, with the reasons. */
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

  /** Collects what an allocator needs: only {@link #selectors} must be set. */
  public static final class Builder {

    /** {@code DynamicResourcesArgs.filterTimeout} of kube-scheduler. */
    private static final Duration FILTER_TIMEOUT = Duration.ofSeconds(10);

    private @Nullable SelectorCompiler compiler;
    private Set<Feature> features = Feature.kubernetes();
    private Duration timeout = FILTER_TIMEOUT;
    private Compatibility compatibility = Compatibility.REFERENCE;
    private AllocationPolicy policy = AllocationPolicy.firstFit();
    private Supplier<String> shareIds = () -> UUID.randomUUID().toString();
    private final List<Advisor> advisors = new ArrayList<>();
    private final List<ClaimRule> rules = new ArrayList<>();
    private @Nullable AllocationObserver observer;

    private Builder() {}

    /**
     * Sets how selectors are compiled.
     *
     * @param selectors for example {@code CelSelectors.create()} of the module cel
     * @return this builder
     */
    public Builder selectors(SelectorCompiler selectors) {
      this.compiler = Objects.requireNonNull(selectors, "selectors: want a compiler, got null");
      return this;
    }

    /**
     * Sets the optional behaviours; all of {@link Feature#kubernetes()} unless set.
     *
     * @param enabled those that are on
     * @return this builder
     */
    public Builder features(Set<Feature> enabled) {
      Objects.requireNonNull(enabled, "enabled: want a set of features, got null");
      EnumSet<Feature> copy = EnumSet.noneOf(Feature.class);
      for (Feature feature : enabled) {
        copy.add(Objects.requireNonNull(feature, "enabled: want features, got null among them"));
      }
      this.features = Collections.unmodifiableSet(copy);
      return this;
    }

    /**
     * Limits how long one allocation may take, and how long one explanation; 10 seconds unless set,
     * as in kube-scheduler. An answer comes at most 50 ms later, except in a process that has to
     * load classes first: those of a compiler of selectors take some 150 ms.
     *
     * @param limit after this time the outcome is undecided; with 0 it always is
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder timeout(Duration limit) {
      Objects.requireNonNull(limit, "limit: want a duration, got null");
      if (limit.isNegative()) {
        throw new IllegalArgumentException("timeout: want 0 or more, got " + limit);
      }
      this.timeout = limit;
      return this;
    }

    /**
     * Sets what becomes of the reference's quirks; followed unless set.
     *
     * @param wanted whether they are followed or mended
     * @return this builder
     */
    public Builder compatibility(Compatibility wanted) {
      this.compatibility = Objects.requireNonNull(wanted, "compatibility: got null");
      return this;
    }

    /**
     * Sets where the IDs of shares come from; random UUIDs unless set. Meant for tests and
     * simulators that want the same answer twice.
     *
     * <p>A share is known by its device and this ID. Nobody compares the IDs with those that claims
     * have already; {@link DeviceInventory#hold} refuses one that another claim has.
     *
     * @param ids gives a new ID each time; must be thread-safe if the allocator is used so. With
     *     null instead of an ID, allocating ends in a {@link NullPointerException} that says so
     * @return this builder
     */
    public Builder shareIds(Supplier<String> ids) {
      this.shareIds = Objects.requireNonNull(ids, "ids: want a supplier, got null");
      return this;
    }

    /**
     * Sets which of several valid allocations is taken; the one that Kubernetes would make unless
     * set, which knows nothing of what claims say to driver {@code dra4j.io}, not even of what they
     * require.
     *
     * @param wanted for example {@code PlacementPolicy.best()} of package {@code
     *     io.dra4j.placement}
     * @return this builder
     */
    public Builder policy(AllocationPolicy wanted) {
      this.policy = Objects.requireNonNull(wanted, "policy: want a policy, got null");
      return this;
    }

    /**
     * Sets who is told what searches take; nobody unless set.
     *
     * @param wanted for example one that adds to the counters of a metrics library
     * @return this builder
     */
    public Builder observer(AllocationObserver wanted) {
      this.observer = Objects.requireNonNull(wanted, "observer: want an observer, got null");
      return this;
    }

    /**
     * Adds somebody who may know what would help where claims do not fit, to be asked after those
     * that the allocator has.
     *
     * @param advisor asked by {@link Explanation#suggestions} only
     * @return this builder
     */
    public Builder advisor(Advisor advisor) {
      this.advisors.add(Objects.requireNonNull(advisor, "advisor: want an advisor, got null"));
      return this;
    }

    /**
     * Adds a condition on the devices that a claim gets, to be asked after those of Kubernetes.
     *
     * @param rule keeps to what {@link ClaimRule} demands
     * @return this builder
     */
    public Builder rule(ClaimRule rule) {
      this.rules.add(Objects.requireNonNull(rule, "rule: want a rule, got null"));
      return this;
    }

    /**
     * Makes the allocator.
     *
     * @return the allocator
     * @throws IllegalStateException if {@link #selectors} was not called
     */
    public Allocator build() {
      SelectorCompiler selectors = compiler;
      if (selectors == null) {
        throw new IllegalStateException(
            "an Allocator needs selectors(...), for example those of dra4j-cel");
      }
      return new Allocator(this, selectors);
    }
  }
}
