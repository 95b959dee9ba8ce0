package io.dra4j.scheduling;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.placement.gang.GangScore;
import io.dra4j.placement.internal.policy.ContentionScores;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.scheduling.ExtendedResources.NodeClaims;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome.GangUnplaceable;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Undecided;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a cluster one after the other. Each pod gets the first node that can allocate
 * all of its claims. If the policy of the allocator compares nodes, it gets the node with the best
 * score. The devices of earlier pods are in use for later ones. If claims have alternatives ({@code
 * firstAvailable}), a node with earlier alternatives is preferred, as in kube-scheduler since 1.35.
 * For the first pod of a kind, up to 100 nodes with room are checked. A selector that fails on a
 * device of a checked node ends the search for the pod.
 *
 * <pre>{@code
 * PodQueue queue = PodQueue.of(objects);
 * DeviceInventory inventory =
 *     DeviceInventory.of(cluster.withResourceClaims(List.copyOf(queue.claims().values())));
 * ClusterOutcome outcome = ClusterRun.builder(allocator).build().place(queue, inventory);
 * }</pre>
 *
 * <p>Immutable; as thread-safe as its allocator and its observer.
 */
public final class ClusterRun {

  private final Allocator allocator;
  private final @Nullable String onlyNode;
  private final Consumer<PodOutcome> observer;
  private final @Nullable GangRun gangs;
  private final Budget budget;

  private ClusterRun(Builder builder) {
    this.allocator = builder.allocator;
    this.onlyNode = builder.node;
    this.observer = builder.observer;
    this.gangs = builder.gangs;
    this.budget = builder.budget;
  }

  /**
   * {@return a builder of a run; by default it places all pods, one by one, on any node}
   *
   * @param allocator finds the devices of each pod on each node
   */
  public static Builder builder(Allocator allocator) {
    return new Builder(Objects.requireNonNull(allocator, "allocator"));
  }

  /** {@return a builder with the options of this run} */
  public Builder toBuilder() {
    Builder builder = new Builder(allocator);
    builder.node = onlyNode;
    builder.observer = observer;
    builder.gangs = gangs;
    builder.budget = budget;
    return builder;
  }

  /**
   * {@return the outcome of placing each pod}
   *
   * @param queue the pods and their claims
   * @param inventory the nodes and devices; the devices of the claims of the queue must be in use
   *     there; it is not changed
   */
  public ClusterOutcome place(PodQueue queue, DeviceInventory inventory) {
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(inventory, "inventory");
    State state = new State(queue, inventory);
    List<PodOutcome> outcomes = new ArrayList<>();
    Map<String, GangScore> scores = new LinkedHashMap<>();
    Map<PendingPod, GroupForest.Node> toPlace =
        new HashMap<>(); // the gangs of pods not handled yet
    Map<PendingPod, PodOutcome> decided = new HashMap<>();
    Map<PendingPod, Map<String, String>> leftOut =
        new HashMap<>(); // with the labels of the nodes of their gangs
    if (gangs != null) {
      gangs.gangsOf(queue).forEach(gang -> gang.pods().forEach(pod -> toPlace.put(pod, gang)));
    }
    for (PendingPod pod : queue.pods()) {
      GroupForest.Node gang = toPlace.get(pod);
      if (gang != null && gangs != null) {
        GroupTrial.Result result = new GroupTrial(this, gangs).place(gang, state, budget);
        Map<PendingPod, PodOutcome> placed = result.outcomes();
        placed.computeIfPresent(pod, (first, refused) -> withCause(refused, state));
        placed.replaceAll((member, answer) -> state.take(withEnd(answer)));
        decided.putAll(placed);
        scores.putAll(result.scores());
        for (PendingPod member : gang.pods()) {
          toPlace.remove(member);
          leftOut.put(member, result.where().getOrDefault(member, Map.of()));
        }
      }
      PodOutcome outcome = decided.get(pod);
      if (outcome == null) {
        outcome = state.take(withEnd(place(pod, leftOut.getOrDefault(pod, Map.of()), state)));
      }
      outcomes.add(outcome);
      observer.accept(outcome);
    }
    return new ClusterOutcome(
        withAllRunning(outcomes, state.claims, state.inventory), state.claims, scores);
  }

  /** Reports the end of the run as the reason of a pod that is undecided after it. */
  private PodOutcome withEnd(PodOutcome outcome) {
    if (outcome instanceof Undecided undecided) {
      try {
        budget.check();
      } catch (BudgetExceededException e) {
        String reason = "the time of the run is over: " + e.reason();
        return new Undecided(undecided.pod(), undecided.node(), reason);
      }
    }
    return outcome;
  }

  /** The cluster as the pods see it that were not placed yet. */
  final class State {

    final PodQueue queue;
    final Map<ClaimKey, ResourceClaim> claims;
    final NodePrefilter nodes;
    final Set<List<ResourceClaimSpec>> faultless; // asked on many nodes, and nothing was wrong
    final NodeAnswers.Memory memory;
    final boolean countsDevices; // of which some cost resources of nodes
    private final Map<ClaimKey, PendingPod> users; // of the claims, where devices count
    RunningPods running;
    DeviceInventory inventory;

    private State(PodQueue queue, DeviceInventory inventory) {
      this.queue = queue;
      this.claims = new LinkedHashMap<>(queue.claims());
      this.faultless = new HashSet<>();
      this.nodes =
          new NodePrefilter(
              inventory.nodes().stream().filter(ClusterRun.this::isLookedAt).toList(), inventory);
      this.running = new RunningPods(inventory.nodes(), queue.extended());
      this.inventory = inventory;
      this.memory = new NodeAnswers.Memory(inventory.slicesOfNoSingleNode().isEmpty(), nodes.all());
      boolean isOn = allocator.features().contains(Feature.NODE_ALLOCATABLE_RESOURCES);
      this.countsDevices = isOn && NodeAllocatableResources.areIn(inventory);
      this.users = new HashMap<>();
      queue.bound().forEach(pod -> running.add(pod.pod(), pod.node(), pod.requests(isOn)));
      queue.pods().stream().filter(pod -> !pod.spec().nodeName().isEmpty()).forEach(this::use);
    }

    private State(State other) {
      this.queue = other.queue;
      this.claims = new LinkedHashMap<>(other.claims);
      this.faultless = other.faultless;
      this.nodes = other.nodes;
      this.running = other.running.copy();
      this.inventory = other.inventory;
      this.memory = other.memory.fresh();
      this.countsDevices = other.countsDevices;
      this.users = new HashMap<>(other.users);
    }

    private void use(PendingPod pod) {
      if (countsDevices) {
        pod.claims().forEach(key -> users.putIfAbsent(key, pod));
      }
    }

    /** A copy for placing pods on trial. */
    State copy() {
      return new State(this);
    }

    /** The filters for a pod that depend on the pods on nodes, and on the state of its claims. */
    List<PodFilter> filters(PendingPod pod) {
      if (!queue.isPod(pod)) {
        return List.of();
      }
      PodFilter ofClaims = ofClaims(pod);
      List<PodFilter> ofPods = PodFilter.of(pod.running(), running);
      if (ofClaims != null) {
        ofPods.add(ofClaims);
      }
      return ofPods;
    }

    /** The filter that refuses the pod for the state of its claims; {@code null} if none does. */
    @Nullable PodFilter ofClaims(PendingPod pod) {
      PodFilter found = DynamicResources.of(pod, queue, claims);
      return found == null && countsDevices && pod.spec().nodeName().isEmpty()
          ? ofMapped(pod)
          : found;
    }

    private @Nullable PodFilter ofMapped(PendingPod pod) {
      for (ClaimKey key : pod.claims()) {
        ResourceClaim claim = Objects.requireNonNull(claims.get(key), () -> "no claim " + key);
        PendingPod user = users.get(key);
        boolean isInUse =
            (user != null && !user.equals(pod)) || queue.isReservedForOthers(pod, claim);
        if (isInUse && NodeAllocatableResources.isMapped(claim, inventory)) {
          return new DynamicResources(new NodeMismatch.MappedClaimInUse(key));
        }
      }
      return null;
    }

    /** What the devices of a pod cost of nodes; {@code null} if that does not count. */
    @Nullable NodeAllocatableResources costs(PendingPod pod) {
      return countsDevices && queue.isPod(pod) && pod.spec().nodeName().isEmpty()
          ? new NodeAllocatableResources(
              pod, queue.entries(pod), claims, inventory, running.loads())
          : null;
    }

    /** The claims without an allocation among the given ones. */
    List<ResourceClaim> pending(Collection<ClaimKey> keys) {
      return keys.stream()
          .map(key -> Objects.requireNonNull(claims.get(key), () -> "no claim " + key))
          .filter(claim -> claim.allocation() == null)
          .toList();
    }

    /** Records a pod's allocations; adds the resources that its devices consume if they count. */
    PodOutcome take(PodOutcome outcome) {
      if (!(outcome instanceof Placed placed)) {
        return outcome;
      }
      PendingPod pod = placed.pod();
      NodeAllocatableResources costs = costs(pod);
      Placed taken =
          costs == null ? placed : placed.withCosts(costs.of(placed.allocations()).claims());
      inventory = inventory.with(allocated(placed, claims));
      removeUnneeded(placed);
      memory.forget(placed.node());
      if (pod.spec().nodeName().isEmpty() && queue.isPod(pod)) {
        running.add(
            pod.running(),
            placed.node(),
            PodRequests.of(pod.spec(), taken.nodeAllocatableClaims()));
        use(pod);
      }
      return taken;
    }

    /** Removes the special claim of a pod that gets its extended resources from device plugins. */
    private void removeUnneeded(Placed placed) {
      for (ClaimKey key : placed.pod().claims()) {
        ResourceClaim claim = claims.get(key);
        if (claim != null
            && claim.allocation() == null
            && queue.isMade(key)
            && PodClaims.isSpecial(claim)) {
          claims.remove(key);
        }
      }
    }
  }

  Allocator allocator() {
    return allocator;
  }

  boolean isLookedAt(Node node) {
    return onlyNode == null || onlyNode.equals(node.name());
  }

  /** Updates the scores of pods, since they share links with pods that came later. */
  private List<PodOutcome> withAllRunning(
      List<PodOutcome> outcomes, Map<ClaimKey, ResourceClaim> claims, DeviceInventory inventory) {
    if (!(allocator.policy() instanceof PlacementPolicy policy)) {
      return outcomes;
    }
    ContentionScores running = ContentionScores.of(allocator, PolicyEngine.of(policy), inventory);
    List<PodOutcome> scored = new ArrayList<>();
    for (PodOutcome outcome : outcomes) {
      if (!budget.isOver()
          && outcome instanceof Placed placed
          && placed.score().orElse(null) instanceof PlacementScore score) {
        List<ResourceClaim> own = new ArrayList<>();
        placed
            .pod()
            .claims()
            .forEach(key -> Optional.ofNullable(claims.get(key)).ifPresent(own::add));
        scored.add(placed.withScore(running.withContention(score, placed.node(), own)));
      } else {
        scored.add(outcome);
      }
    }
    return scored;
  }

  /** If the first pod of a gang has no room even alone, adds this more specific cause. */
  private PodOutcome withCause(PodOutcome refused, State state) {
    return refused instanceof GangUnplaceable gang
            && place(gang.pod(), Map.of(), state) instanceof Unplaceable alone
        ? new GangUnplaceable(gang.pod(), gang.gang(), gang.reason(), Optional.of(alone.refusals()))
        : refused;
  }

  /**
   * Returns the claims of a placed pod with their allocations, and records them among the claims.
   */
  private static List<ResourceClaim> allocated(Placed placed, Map<ClaimKey, ResourceClaim> claims) {
    List<ResourceClaim> allocated =
        placed.allocations().stream().map(ClaimAllocation::allocatedClaim).toList();
    allocated.forEach(claim -> claims.put(ClaimKey.of(claim), claim));
    return allocated;
  }

  /** Places one pod on a node with the labels {@code ofItsGang}. */
  PodOutcome place(PendingPod pod, Map<String, String> ofItsGang, State state) {
    NodePrefilter.Sieved allowed = state.nodes.of(pod.spec());
    NodeFilter filter =
        new NodeFilter(pod, allowed.rules(), state.filters(pod), state.claims, ofItsGang);
    NodeAllocatableResources costs = state.costs(pod);
    NodeClaims claims = new NodeClaims(pod, filter.pending(), state.queue);
    NodeSearch search =
        new NodeSearch(
            pod,
            filter,
            allocator,
            state.inventory,
            claims.queries(each -> allocator.query(state.inventory, each).withBudget(budget)),
            (costs != null && costs.hasAllocatedClaims()) || state.queue.fullClaim(pod) != null
                ? new NodeAnswers(state.nodes.all(), allowed.places())
                : state.memory.of(pod, state.queue.isPod(pod), filter, allowed),
            new NodeChoice(allocator.policy().comparesNodes(), filter.pending(), state),
            costs);
    return search
        .run()
        .orElseGet(
            () ->
                new Unplaceable(
                    pod,
                    new NodeRefusals(
                        allocator,
                        state.nodes.all(),
                        onlyNode,
                        filter,
                        claims,
                        costs,
                        state.inventory,
                        refusals(allowed, search))));
  }

  /** The number of nodes that refuse a pod, by cause, before and in a search without a result. */
  private static Map<Cause, Integer> refusals(NodePrefilter.Sieved allowed, NodeSearch search) {
    Map<Cause, Integer> refusals = new EnumMap<>(Cause.class);
    refusals.putAll(allowed.refused());
    search.refused().forEach((cause, count) -> refusals.merge(cause, count, Integer::sum));
    return refusals;
  }

  /** Collects the options of a run. */
  public static final class Builder {

    private final Allocator allocator;
    private @Nullable String node;
    private Consumer<PodOutcome> observer = pod -> {};
    private @Nullable GangRun gangs;
    private Budget budget = Budget.unlimited();

    private Builder(Allocator allocator) {
      this.allocator = allocator;
    }

    /**
     * Limits the run to one node; all nodes unless set.
     *
     * @param node the name of the node; if the inventory has no node of that name, the pods are
     *     unplaceable, and their refusals state it
     * @return this builder
     */
    public Builder node(String node) {
      this.node = Objects.requireNonNull(node, "node");
      return this;
    }

    /**
     * Sets an observer, which receives each outcome as soon as it is known; none unless set.
     *
     * @param observer called after each pod with its outcome
     * @return this builder
     */
    public Builder observer(Consumer<PodOutcome> observer) {
      this.observer = Objects.requireNonNull(observer, "observer");
      return this;
    }

    /**
     * Places the pods of each of the {@link PodQueue#gangs} together, at the position of its first
     * pod. Replaces a setting of {@link #podGroups}. If there is room for only a part of a gang,
     * its other pods are placed one by one, on nodes with the same values of its topology keys.
     *
     * @param placement plans a gang
     * @param timeout the time to search for the plan of one gang
     * @return this builder
     */
    public Builder gangs(GangPlacement placement, Duration timeout) {
      Objects.requireNonNull(placement, "placement");
      Objects.requireNonNull(timeout, "timeout");
      this.gangs = new GangRun(placement, timeout, false);
      return this;
    }

    /**
     * Places the same pods together as kube-scheduler: the pods of a PodGroup that is a gang, all
     * or none of them, and the PodGroups of a CompositePodGroup. Replaces a setting of {@link
     * #gangs}. The pods of StatefulSets and jobs are placed one by one. The outcome has no scores
     * of gangs.
     *
     * @param placement plans a gang
     * @param timeout the time to search for the plan of one gang
     * @return this builder
     */
    public Builder podGroups(GangPlacement placement, Duration timeout) {
      Objects.requireNonNull(placement, "placement");
      Objects.requireNonNull(timeout, "timeout");
      this.gangs = new GangRun(placement, timeout, true);
      return this;
    }

    /**
     * Ends the run when the budget is used up or cancelled. Later pods are then {@code Undecided},
     * unless no node is a candidate for them. Earlier pods keep their allocations; their scores may
     * not count later pods. The {@link Allocator.Builder#timeout} of each node and the time limit
     * of each gang apply in addition. Without limit unless set.
     *
     * @param budget the time for all pods together, from the creation of the budget on; it can
     *     cancel the run
     * @return this builder
     */
    public Builder budget(Budget budget) {
      this.budget = Objects.requireNonNull(budget, "budget");
      return this;
    }

    /**
     * Also ends the run when it is cancelled, in addition to the {@link #budget} that is set
     * before.
     *
     * @param cancel called often; once it returns true, the run ends. Must be fast and thread-safe
     * @return this builder
     */
    public Builder orUntil(BooleanSupplier cancel) {
      return budget(budget.orUntil(cancel));
    }

    /** {@return a run with the options set so far} */
    public ClusterRun build() {
      return new ClusterRun(this);
    }
  }
}
