package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.model.Feature;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.SelectorCompiler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for the claims of a pod on a node, exactly those that Kubernetes would choose.
 * Immutable and thread-safe; several allocations may run at a time, also on one inventory.
 */
public final class Allocator {

  private final SelectorCompiler compiler;
  private final Set<Feature> features;
  private final Duration timeout;
  private final Supplier<String> shareIds;

  private Allocator(Builder builder) {
    this.compiler =
        Objects.requireNonNull(
            builder.compiler, "an Allocator needs selectors(...), for example those of dra4j-cel");
    this.features = builder.features;
    this.timeout = builder.timeout;
    this.shareIds = builder.shareIds;
  }

  /**
   * Starts an allocator with all features of Kubernetes, without time limit.
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
   * @throws IllegalArgumentException if the inventory has no such node
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory, String nodeName, List<ResourceClaim> claims) {
    return allocate(inventory, nodeName, claims, () -> false);
  }

  /**
   * Finds devices for claims that are allocated together, unless the caller loses patience.
   *
   * @param inventory the devices and what of them is in use; not changed
   * @param nodeName the node on which the claims will be used
   * @param claims pending claims, in order
   * @param cancelled asked on every step of the search; once true, the search ends undecided
   * @return the devices, or why there are none
   * @throws IllegalArgumentException if the inventory has no such node
   */
  public AllocationOutcome allocate(
      DeviceInventory inventory,
      String nodeName,
      List<ResourceClaim> claims,
      BooleanSupplier cancelled) {
    Node node = inventory.node(nodeName);
    if (node == null) {
      throw new IllegalArgumentException("no node " + nodeName + " in the inventory");
    }
    SearchLimit limit = new SearchLimit(timeout, cancelled);
    try {
      NodePools pools = inventory.poolsOf(node, features);
      SearchContext context =
          new SearchContext(
              inventory, pools, inventory.stateOf(pools, features), compiler, features);
      SearchPlan plan = new SearchPlan(context, claims);
      Search search = new Search(plan, limit);
      return search.run()
          ? new Allocated(assemble(plan, search))
          : new Unallocatable(new Explanation(context, claims));
    } catch (RejectedException e) {
      return new Rejected(e.error());
    } catch (ArithmeticException e) {
      return new Rejected(String.valueOf(e.getMessage())); // quantities too far apart to be added
    } catch (SearchLimit.ExceededException e) {
      return new Undecided(e.reason());
    }
  }

  private List<ClaimAllocation> assemble(SearchPlan plan, Search search) throws RejectedException {
    ResultAssembly assembly = new ResultAssembly(plan, shareIds);
    List<ClaimAllocation> allocations = new ArrayList<>();
    for (int i = 0; i < plan.claims.size(); i++) {
      ClaimPlan claim = plan.claims.get(i);
      List<Target> chosen = new ArrayList<>();
      for (int request = 0; request < claim.requests().size(); request++) {
        chosen.add(search.target(i, request));
      }
      allocations.add(
          new ClaimAllocation(
              claim.claim(), assembly.assemble(claim, chosen, search.results().get(i))));
    }
    return allocations;
  }

  /** Collects what an allocator needs: only {@link #selectors} must be set. */
  public static final class Builder {

    /** As good as no limit, without special case: 100 years. */
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private @Nullable SelectorCompiler compiler;
    private Set<Feature> features = Feature.kubernetes();
    private Duration timeout = FOREVER;
    private Supplier<String> shareIds = () -> UUID.randomUUID().toString();

    private Builder() {}

    /**
     * Sets how selectors are compiled.
     *
     * @param selectors for example {@code CelSelectors.create()} of the module cel
     * @return this builder
     */
    public Builder selectors(SelectorCompiler selectors) {
      this.compiler = selectors;
      return this;
    }

    /**
     * Sets the optional behaviours; all of {@link Feature#kubernetes()} unless set.
     *
     * @param enabled those that are on
     * @return this builder
     */
    public Builder features(Set<Feature> enabled) {
      EnumSet<Feature> copy = EnumSet.noneOf(Feature.class);
      copy.addAll(enabled);
      this.features = Collections.unmodifiableSet(copy);
      return this;
    }

    /**
     * Limits how long one allocation may take; unlimited unless set.
     *
     * @param limit after this time the outcome is undecided
     * @return this builder
     */
    public Builder timeout(Duration limit) {
      this.timeout = limit;
      return this;
    }

    /**
     * Sets where the IDs of shares come from; random UUIDs unless set. Meant for tests and
     * simulators that want the same answer twice.
     *
     * @param ids gives a new ID each time; must be thread-safe if the allocator is used so
     * @return this builder
     */
    public Builder shareIds(Supplier<String> ids) {
      this.shareIds = ids;
      return this;
    }

    /**
     * Makes the allocator.
     *
     * @return the allocator
     * @throws NullPointerException if {@link #selectors} was not set
     */
    public Allocator build() {
      return new Allocator(this);
    }
  }
}
