package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.internal.access.NodeSight;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.status.DeviceStatus;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for the claims of a pod on a node: exactly the devices that Kubernetes would
 * choose, unless an {@link AllocationPolicy} chooses other valid devices. Immutable and
 * thread-safe; several allocations may run at the same time, also on one inventory.
 */
public final class Allocator {

  static {
    AllocatorAccess.open(new Access());
  }

  final AllocationEngine engine;

  private Allocator(AllocationEngine engine) {
    this.engine = engine;
  }

  /** {@return a builder with all features of Kubernetes and a time limit of 10 s per allocation} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the devices for claims that are allocated together, like the claims of one pod: for
   * all of them, or the reason why there are none} Each call searches the node. For the same claims
   * on many nodes, keep one {@link #query(DeviceInventory, List) query} and call {@link
   * ClusterQuery#on}: it searches nodes that are equivalent for the claims only once.
   *
   * @param inventory the devices and their holders; not changed
   * @param nodeName the node on which the claims will be used
   * @param claims pending claims, in order
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims) {
    return allocate(inventory, nodeName, claims, Budget.unlimited());
  }

  /**
   * {@return the devices for claims that are allocated together, or the reason why there are none}
   *
   * @param inventory the devices and their holders; not changed
   * @param nodeName the node on which the claims will be used
   * @param claims pending claims, in order
   * @param cancelled called repeatedly; once it returns true, the search ends undecided
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory,
      String nodeName,
      List<ResourceClaim> claims,
      BooleanSupplier cancelled) {
    Objects.requireNonNull(cancelled, "cancelled");
    return allocate(inventory, nodeName, claims, Budget.unlimited().orUntil(cancelled));
  }

  /**
   * {@return the devices for claims that are allocated together, or the reason why there are none}
   * All parts, also the evaluation of selectors, check the budget and {@link Builder#timeout}.
   *
   * @param inventory the devices and their holders; not changed
   * @param nodeName the node on which the claims will be used
   * @param claims pending claims, in order. A claim that occurs twice or is already allocated is
   *     rejected, even if the claim object is out of date and only the inventory has its allocation
   *     ({@link DeviceInventory#isAllocated(ResourceClaim)}; a claim with the same name and another
   *     UID is another claim). To move a claim, use an inventory in which it is released
   * @param budget the limit of the caller
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims, Budget budget) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(budget, "budget");
    return engine.allocate(inventory, nodeName, claims, budget);
  }

  /** {@return the policy that chooses among several valid allocations} */
  public AllocationPolicy policy() {
    return engine.policy;
  }

  /** {@return the features that are on, as set with {@link Builder#features}} */
  public Set<Feature> features() {
    return engine.features;
  }

  /**
   * {@return an allocator that differs from this one only in its policy}
   *
   * @param policy chooses among several valid allocations
   */
  public Allocator withPolicy(AllocationPolicy policy) {
    return new Allocator(engine.withPolicy(Objects.requireNonNull(policy, "policy")));
  }

  /**
   * {@return a query for the nodes on which claims fit that are allocated together, like the claims
   * of one pod} It searches a node when its result is read.
   *
   * @param inventory the devices and their holders; not changed
   * @param claims pending claims, in order
   */
  public ClusterQuery query(DeviceInventory inventory, List<ResourceClaim> claims) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(claims, "claims");
    return engine.query(inventory, claims);
  }

  /**
   * {@return how many more claims like this one fit, by node and in total, without a time limit}
   *
   * @param inventory the devices and their holders; not changed
   * @param claim the claim; its allocation, if any, is ignored
   * @param limit the count at which to stop on each node, as shares may be unlimited; above 0
   * @throws IllegalArgumentException if the limit is not above 0, or if the claim has no requests
   */
  public Headroom headroom(DeviceInventory inventory, ResourceClaim claim, int limit) {
    return headroom(inventory, claim, limit, Budget.unlimited());
  }

  /**
   * {@return how many more claims like this one fit, by node and in total, and where the budget was
   * used up} The {@link Builder#timeout} limits each placement in addition.
   *
   * @param inventory the devices and their holders; not changed
   * @param claim the claim; its allocation, if any, is ignored
   * @param limit the count at which to stop on each node, as shares may be unlimited; above 0
   * @param budget the limit for all nodes together
   * @throws IllegalArgumentException if the limit is not above 0, or if the claim has no requests
   */
  public Headroom headroom(
      DeviceInventory inventory, ResourceClaim claim, int limit, Budget budget) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(budget, "budget");
    if (limit <= 0) {
      throw new IllegalArgumentException("limit: expected more than 0, found " + limit);
    }
    if (claim.spec().requests().isEmpty()) {
      throw new IllegalArgumentException(
          "claim %s: expected requests, found none: it would fit any number of times"
              .formatted(claim.displayName()));
    }
    ResourceClaim pending = claim.toBuilder().allocation(null).build();
    return new HeadroomCounter(
            engine,
            inventory,
            pending,
            limit,
            engine.footprint(
                inventory, List.of(pending), engine.policy == AllocationPolicy.firstFit()),
            budget)
        .headroom();
  }

  /**
   * {@return for each device in all pools of the node, including unusable pools, whether it can be
   * allocated, and if not, the reason; in the order in which devices are tried} If a slice that
   * cannot be read makes every allocation on the node fail, the result has only the devices of the
   * other slices. Rules of {@link Builder#addRule} are not checked, because they depend on claims.
   *
   * @param inventory the devices and their holders; not changed
   * @param nodeName the node
   * @param budget the limit of the caller
   * @throws IllegalArgumentException if there is no such node
   * @throws BudgetExceededException if the budget is used up
   */
  public Map<DeviceId, DeviceStatus> statusOfDevices(
      DeviceInventory inventory, String nodeName, Budget budget) throws BudgetExceededException {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(budget, "budget");
    return engine.statusOfDevices(inventory, nodeName, budget);
  }

  /**
   * {@return the explanation why claims do not fit on a node, for any cause: no devices, an invalid
   * claim, or an expired budget; empty if they fit}
   *
   * @param inventory the devices and their holders; not changed
   * @param nodeName the node
   * @param claims pending claims, in order
   * @throws IllegalArgumentException if there is no such node
   */
  public Optional<Explanation> explain(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(nodeName, "nodeName");
    Node node =
        inventory
            .node(nodeName)
            .orElseThrow(
                () ->
                    new IllegalArgumentException("no node \"" + nodeName + "\" in the inventory"));
    AllocationOutcome outcome = allocate(inventory, nodeName, claims);
    return outcome instanceof Allocated
        ? Optional.empty()
        : Optional.of(
            engine.explain(inventory, node, List.copyOf(claims), outcome, engine.newBudget()));
  }

  /** The access for other packages of the module. */
  private static final class Access extends AllocatorAccess {
    @Override
    protected boolean inUse(Allocator allocator, NodeView view, NodeDevice device) {
      return allocator.engine.isInUse(view, device);
    }

    @Override
    protected Optional<NodeSight> sightOf(ClusterQuery query, String node) {
      return query.sight(node);
    }
  }

  /** Collects the options of an allocator. Only {@link #selectors} must be set. */
  public static final class Builder {

    /** {@code DynamicResourcesArgs.filterTimeout} of kube-scheduler. */
    private static final Duration FILTER_TIMEOUT = Duration.ofSeconds(10);

    private @Nullable SelectorCompiler compiler;
    Set<Feature> features = Feature.kubernetes();
    Duration timeout = FILTER_TIMEOUT;
    Compatibility compatibility = Compatibility.REFERENCE;
    KubernetesVersion release = KubernetesVersion.DEFAULT;
    AllocationPolicy policy = AllocationPolicy.firstFit();
    Supplier<String> shareIds = () -> UUID.randomUUID().toString();
    final List<Advisor> advisors = new ArrayList<>();
    final List<ClaimRule> rules = new ArrayList<>();
    @Nullable AllocationObserver observer;

    private Builder() {}

    /**
     * Sets the compiler of selectors.
     *
     * @param selectors for example {@code CelSelectors.create()} of the module cel
     * @return this builder
     */
    public Builder selectors(SelectorCompiler selectors) {
      this.compiler = Objects.requireNonNull(selectors, "selectors");
      return this;
    }

    /**
     * Sets the optional behaviours; all of {@link Feature#kubernetes()} unless set.
     *
     * @param enabled the features that are on
     * @return this builder
     */
    public Builder features(Set<Feature> enabled) {
      Objects.requireNonNull(enabled, "enabled");
      EnumSet<Feature> copy = EnumSet.noneOf(Feature.class);
      for (Feature feature : enabled) {
        copy.add(Objects.requireNonNull(feature, "feature"));
      }
      this.features = Collections.unmodifiableSet(copy);
      return this;
    }

    /**
     * Sets the time limit of one allocation and of one explanation; 10 seconds unless set, as in
     * kube-scheduler. An answer comes at most 50 ms after the limit. The first answer of a process
     * may come later, because loading the classes of a selector compiler takes about 150 ms.
     *
     * @param limit after this time the outcome is undecided; with 0 it always is
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder timeout(Duration limit) {
      Objects.requireNonNull(limit, "limit");
      if (limit.isNegative()) {
        throw new IllegalArgumentException("timeout: expected 0 or more, found " + limit);
      }
      this.timeout = limit;
      return this;
    }

    /**
     * Sets whether quirks of the reference are followed, which is the default, or fixed.
     *
     * @param compatibility whether they are followed or fixed
     * @return this builder
     */
    public Builder compatibility(Compatibility compatibility) {
      this.compatibility = Objects.requireNonNull(compatibility, "compatibility");
      return this;
    }

    /**
     * Sets the release of Kubernetes that decides where releases give different answers; {@link
     * KubernetesVersion#DEFAULT} unless set. docs/allocate.md lists the differences. Does not
     * change the {@link #features} and the compiler of selectors:
     *
     * <pre>{@code
     * Allocator.builder()
     *     .release(release)
     *     .features(release.features())
     *     .selectors(CelSelectors.create(CelEnvironment.stored(release)))
     * }</pre>
     *
     * @param release the release of the cluster's scheduler
     * @return this builder
     */
    public Builder release(KubernetesVersion release) {
      this.release = Objects.requireNonNull(release, "release");
      return this;
    }

    /**
     * Sets the source of the IDs of shares; random UUIDs unless set. For tests and simulators that
     * need reproducible answers.
     *
     * <p>A share is identified by its device and this ID. The allocator does not compare new IDs
     * with the IDs of existing shares; {@link DeviceInventory#hold} rejects an ID that another
     * claim has.
     *
     * @param ids returns a new ID each time; must be thread-safe if several threads use the
     *     allocator. If it returns null, the allocation throws a {@link NullPointerException}
     * @return this builder
     */
    public Builder shareIds(Supplier<String> ids) {
      this.shareIds = Objects.requireNonNull(ids, "ids");
      return this;
    }

    /**
     * Sets the policy that chooses among several valid allocations. Unless set, the allocator
     * chooses like Kubernetes, and ignores all parameters of claims for driver {@code dra4j.io},
     * including requirements.
     *
     * @param policy for example {@code PlacementPolicy.best()} of package {@code
     *     io.dra4j.placement}
     * @return this builder
     */
    public Builder policy(AllocationPolicy policy) {
      this.policy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the observer of searches; none unless set.
     *
     * @param observer the observer, for example one that increments counters of a metrics library
     * @return this builder
     */
    public Builder observer(AllocationObserver observer) {
      this.observer = Objects.requireNonNull(observer, "observer");
      return this;
    }

    /**
     * Adds an advisor, which proposes changes with which claims might fit. It is asked after the
     * advisors that the allocator already has.
     *
     * @param advisor the advisor; only {@link Explanation#suggestions} asks it
     * @return this builder
     */
    public Builder addAdvisor(Advisor advisor) {
      this.advisors.add(Objects.requireNonNull(advisor, "advisor"));
      return this;
    }

    /**
     * Adds a condition on the devices that a claim gets. It is checked after the rules of
     * Kubernetes.
     *
     * @param rule the rule, which must fulfil the contract of {@link ClaimRule}
     * @return this builder
     */
    public Builder addRule(ClaimRule rule) {
      this.rules.add(Objects.requireNonNull(rule, "rule"));
      return this;
    }

    /**
     * {@return an allocator with the settings of this builder}
     *
     * @throws IllegalStateException if {@link #selectors} was not called
     */
    public Allocator build() {
      SelectorCompiler selectors = compiler;
      if (selectors == null) {
        throw new IllegalStateException(
            "an Allocator needs selectors(...), for example those of dra4j-cel");
      }
      return new Allocator(new AllocationEngine(this, selectors));
    }
  }
}
