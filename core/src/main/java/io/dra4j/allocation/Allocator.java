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
 * Finds devices for the claims of a pod on a node, exactly those that Kubernetes would choose,
 * unless an {@link AllocationPolicy} chooses among what would be valid, too. Immutable and
 * thread-safe; several allocations may run at a time, also on one inventory.
 */
public final class Allocator {

  static {
    AllocatorAccess.open(new Access());
  }

  final AllocationEngine engine;

  private Allocator(AllocationEngine engine) {
    this.engine = engine;
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
   * none. Each call searches the node. To ask about the same claims on many nodes, keep one {@link
   * #query(DeviceInventory, List) query} and call {@link ClusterQuery#on}: it searches nodes that
   * look the same to the claims once.
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
   * Finds devices for claims that are allocated together, unless the caller cancels.
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
    Objects.requireNonNull(cancelled, "cancelled");
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
   *     is out of date ({@link DeviceInventory#isAllocated(ResourceClaim)}; a claim of the same
   *     name with another UID is another claim). To move a claim, ask an inventory in which it is
   *     released
   * @param budget how long the caller waits
   * @return the devices, or why there are none
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims, Budget budget) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(budget, "budget");
    return engine.allocate(inventory, nodeName, claims, budget);
  }

  /**
   * Returns which of several valid allocations this allocator takes.
   *
   * @return the policy
   */
  public AllocationPolicy policy() {
    return engine.policy;
  }

  /**
   * Returns the features that are on: those of {@link Builder#features}.
   *
   * @return the features
   */
  public Set<Feature> features() {
    return engine.features;
  }

  /**
   * Returns the same allocator with another policy.
   *
   * @param policy which of several valid allocations is taken
   * @return the allocator
   */
  public Allocator withPolicy(AllocationPolicy policy) {
    return new Allocator(engine.withPolicy(Objects.requireNonNull(policy, "policy")));
  }

  /**
   * Asks where in a cluster claims fit that are allocated together, as those of one pod are.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param claims pending claims, in order
   * @return the question, which is answered for each node when it is asked about it
   */
  public ClusterQuery query(DeviceInventory inventory, List<ResourceClaim> claims) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(claims, "claims");
    return engine.query(inventory, claims);
  }

  /**
   * Counts how many more of a claim fit, however long that takes.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param claim the claim; an allocation that it has is left aside
   * @param limit where to stop counting on each node, since shares may be without limit; above 0
   * @return the counts, by node and in all
   * @throws IllegalArgumentException if the limit is not above 0, or if the claim has no requests
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
   * @throws IllegalArgumentException if the limit is not above 0, or if the claim has no requests
   */
  public Headroom headroom(
      DeviceInventory inventory, ResourceClaim claim, int limit, Budget budget) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(budget, "budget");
    if (limit <= 0) {
      throw new IllegalArgumentException("limit: want more than 0, got " + limit);
    }
    if (claim.spec().requests().isEmpty()) {
      throw new IllegalArgumentException(
          "claim %s: want requests, got none: it fits any number of times"
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
   * Says of each device of a node whether it can be allocated, and if not, why. Rules that were
   * added with {@link Builder#addRule} are not asked: they are about claims.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param nodeName the node
   * @param budget how long the caller waits
   * @return the status of each device of the pools of the node, those of unusable pools included,
   *     in the order in which they are tried; where a slice that cannot be understood gets every
   *     allocation on the node rejected, of the devices of the other slices
   * @throws IllegalArgumentException if there is no such node
   * @throws BudgetExceededException if the caller does not wait so long
   */
  public Map<DeviceId, DeviceStatus> statusOfDevices(
      DeviceInventory inventory, String nodeName, Budget budget) throws BudgetExceededException {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(nodeName, "nodeName");
    Objects.requireNonNull(budget, "budget");
    return engine.statusOfDevices(inventory, nodeName, budget);
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

  /** What other rooms of the module reach. */
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

  /** Collects what an allocator needs: only {@link #selectors} must be set. */
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
     * Sets how selectors are compiled.
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
     * @param enabled those that are on
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
     * Limits how long one allocation may take, and how long one explanation; 10 seconds unless set,
     * as in kube-scheduler. An answer comes at most 50 ms later, except in a process that has to
     * load classes first: those of a compiler of selectors take some 150 ms.
     *
     * @param limit after this time the outcome is undecided; with 0 it always is
     * @return this builder
     * @throws IllegalArgumentException if the limit is negative
     */
    public Builder timeout(Duration limit) {
      Objects.requireNonNull(limit, "limit");
      if (limit.isNegative()) {
        throw new IllegalArgumentException("timeout: want 0 or more, got " + limit);
      }
      this.timeout = limit;
      return this;
    }

    /**
     * Sets whether quirks of the reference are followed, the default, or mended.
     *
     * @param compatibility whether they are followed or fixed
     * @return this builder
     */
    public Builder compatibility(Compatibility compatibility) {
      this.compatibility = Objects.requireNonNull(compatibility, "compatibility");
      return this;
    }

    /**
     * Sets the release of Kubernetes whose answers are given where releases answer the same
     * question otherwise; {@link KubernetesVersion#DEFAULT} unless set. docs/allocate.md lists what
     * differs. The features stay those of {@link #features}, and selectors those of the compiler:
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
     * Sets where the IDs of shares come from; random UUIDs unless set. Meant for tests and
     * simulators that want the same answer twice.
     *
     * <p>A share is known by its device and this ID. The IDs are not compared with those that
     * claims have already; {@link DeviceInventory#hold} refuses one that another claim has.
     *
     * @param ids gives a new ID each time; must be thread-safe if the allocator is used so. With
     *     null instead of an ID, allocating ends in a {@link NullPointerException} that says so
     * @return this builder
     */
    public Builder shareIds(Supplier<String> ids) {
      this.shareIds = Objects.requireNonNull(ids, "ids");
      return this;
    }

    /**
     * Sets which of several valid allocations is taken; the one that Kubernetes would make unless
     * set, which knows nothing of what claims say to driver {@code dra4j.io}, not even of what they
     * require.
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
     * @param observer for example one that adds to the counters of a metrics library
     * @return this builder
     */
    public Builder observer(AllocationObserver observer) {
      this.observer = Objects.requireNonNull(observer, "observer");
      return this;
    }

    /**
     * Adds an advisor, which proposes what would help where claims do not fit, to be asked after
     * those that the allocator has.
     *
     * @param advisor asked by {@link Explanation#suggestions} only
     * @return this builder
     */
    public Builder addAdvisor(Advisor advisor) {
      this.advisors.add(Objects.requireNonNull(advisor, "advisor"));
      return this;
    }

    /**
     * Adds a condition on the devices that a claim gets, to be asked after those of Kubernetes.
     *
     * @param rule keeps to what {@link ClaimRule} demands
     * @return this builder
     */
    public Builder addRule(ClaimRule rule) {
      this.rules.add(Objects.requireNonNull(rule, "rule"));
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
      return new Allocator(new AllocationEngine(this, selectors));
    }
  }
}
