package io.dra4j.scheduling;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.GenericPodGroup;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.RunningPods.RunningPod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pods that are on nodes after a run. A {@link Trial} stops some of them and starts pods on
 * other nodes. It tests each of these pods with the filters of kube-scheduler that depend on other
 * pods: resources, ports, affinity, spread, and the topology of groups of pods. The node rules of a
 * specification ({@link PendingPod#mayRunOn}) and the choice of devices are not tested here.
 *
 * <p>A claim that no pod uses has no such filters.
 *
 * <p>Immutable and thread-safe after creation.
 */
public final class ClusterPods {

  /** A pod on a node, with the resources that it takes of the node. */
  private record Seat(RunningPod pod, String node, Map<String, Long> requests) {}

  private final PodQueue queue;
  private final Map<ClaimKey, ResourceClaim> claims;
  private final DeviceInventory inventory;
  private final boolean countsDevices;
  private final RunningPods running;
  private final Map<String, Seat> seats = new HashMap<>(); // by the name of the pod
  private final Map<String, Map<String, Integer>> nodesOf = new HashMap<>(); // by group

  private ClusterPods(
      PodQueue queue, ClusterOutcome outcome, DeviceInventory inventory, boolean hasFeature) {
    this.queue = queue;
    this.claims = outcome.claims();
    this.inventory = inventory;
    this.countsDevices = hasFeature && NodeAllocatableResources.areIn(inventory);
    this.running = new RunningPods(inventory.nodes(), queue.extended());
    for (PodQueue.Bound bound : queue.bound()) {
      seat(bound.name(), new Seat(bound.pod(), bound.node(), bound.requests(hasFeature)));
    }
    for (PodOutcome pod : outcome.pods()) {
      if (pod instanceof Placed placed
          && queue.isPod(placed.pod())
          && placed.pod().spec().nodeName().isEmpty()) {
        Map<String, Long> requests =
            PodRequests.of(placed.pod().spec(), placed.nodeAllocatableClaims());
        seat(placed.pod().name(), new Seat(placed.pod().running(), placed.node(), requests));
      }
    }
  }

  /**
   * {@return the pods on nodes after a run: those on nodes before, and those that it placed}
   *
   * @param queue the pods of the run
   * @param outcome the outcome of the run
   * @param inventory the nodes and devices
   * @param allocator its features determine whether devices consume resources of nodes
   */
  public static ClusterPods of(
      PodQueue queue, ClusterOutcome outcome, DeviceInventory inventory, Allocator allocator) {
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(allocator, "allocator");
    boolean hasFeature = allocator.features().contains(Feature.NODE_ALLOCATABLE_RESOURCES);
    return new ClusterPods(queue, outcome, inventory, hasFeature);
  }

  private void seat(String name, Seat seat) {
    if (seats.putIfAbsent(name, seat) == null) {
      running.add(seat.pod(), seat.node(), seat.requests());
      for (GenericPodGroup group : queue.groupsWithTopology(seat.pod())) {
        change(nodesOf, group, seat.node(), 1);
      }
    }
  }

  private static void change(
      Map<String, Map<String, Integer>> nodesOf, GenericPodGroup group, String node, int change) {
    nodesOf
        .computeIfAbsent(PodGroups.nameOf(group), any -> new HashMap<>())
        .merge(node, change, (one, two) -> one + two == 0 ? null : one + two);
  }

  /** {@return whether devices consume node resources, as they matter for {@link Trial#with}} */
  public boolean countsDevices() {
    return countsDevices;
  }

  /**
   * {@return a trial in which some of the pods have stopped}
   *
   * @param stopped the pods; pods that are on no node do not matter
   */
  public Trial without(Collection<PendingPod> stopped) {
    Objects.requireNonNull(stopped, "stopped");
    Trial trial = new Trial(running.copy(), copy(nodesOf));
    for (PendingPod pod : stopped) {
      Objects.requireNonNull(pod, "pod");
      Seat seat = seats.get(pod.name());
      if (seat != null) {
        trial.running.remove(seat.pod(), seat.node(), seat.requests());
        for (GenericPodGroup group : queue.groupsWithTopology(seat.pod())) {
          change(trial.nodesOf, group, seat.node(), -1);
        }
      }
    }
    return trial;
  }

  private static Map<String, Map<String, Integer>> copy(Map<String, Map<String, Integer>> nodesOf) {
    Map<String, Map<String, Integer>> copy = new HashMap<>();
    nodesOf.forEach((group, nodes) -> copy.put(group, new HashMap<>(nodes)));
    return copy;
  }

  /** The pod as the scheduler gets it: without a node if it has stopped and starts again. */
  private PendingPod toPlace(PendingPod pod) {
    return seats.containsKey(pod.name()) && !pod.spec().nodeName().isEmpty()
        ? new PendingPod(
            pod.name(), pod.spec().toBuilder().nodeName("").build(), pod.claims(), pod.labels())
        : pod;
  }

  /** The pods on nodes after some have stopped and others have started. Not thread-safe. */
  public final class Trial {

    private final RunningPods running;
    private final Map<String, Map<String, Integer>> nodesOf; // by group
    private @Nullable PendingPod asked; // the last one, with its filters
    private List<PodFilter> filters = List.of();
    private boolean isOrderRelevant;

    private Trial(RunningPods running, Map<String, Map<String, Integer>> nodesOf) {
      this.running = running;
      this.nodesOf = nodesOf;
    }

    /**
     * {@return whether the filters allow all of the pods on a node, one after the other}
     *
     * @param pods the pods
     * @param node the node
     */
    public boolean allows(List<PendingPod> pods, Node node) {
      Objects.requireNonNull(pods, "pods");
      Objects.requireNonNull(node, "node");
      Trial trial = this;
      for (int i = 0; i < pods.size(); i++) {
        if (queue.isPod(pods.get(i)) && !trial.isAllowed(pods.get(i), node)) {
          isOrderRelevant |= trial.isOrderRelevant;
          return false;
        }
        if (i + 1 < pods.size()) {
          trial = trial.with(List.of(pods.get(i)), node, List.of()).orElse(trial);
        }
      }
      return true;
    }

    private boolean isAllowed(PendingPod pod, Node node) {
      if (!pod.equals(asked)) {
        asked = pod;
        filters = PodFilter.of(toPlace(pod).running(), running);
        PodFilter ofClaims =
            seats.containsKey(pod.name()) ? null : DynamicResources.of(pod, queue, claims);
        if (ofClaims != null) {
          filters.add(ofClaims);
        }
      }
      for (PodFilter filter : filters) {
        if (filter.mismatch(node) != null) {
          isOrderRelevant |=
              filter instanceof PodTopologySpread || filter instanceof InterPodAffinity;
          return false;
        }
      }
      return hasTopology(pod, node);
    }

    /** Whether a node has the labels of the nodes of the other pods of each group of a pod. */
    private boolean hasTopology(PendingPod pod, Node node) {
      Map<String, String> labels = node.metadata().labels();
      for (GenericPodGroup group : queue.groupsWithTopology(pod.running())) {
        if (!labels.keySet().containsAll(group.topologyKeys())) {
          return false;
        }
        for (String name : nodesOf.getOrDefault(PodGroups.nameOf(group), Map.of()).keySet()) {
          Map<String, String> others =
              inventory.node(name).map(each -> each.metadata().labels()).orElse(Map.of());
          for (String key : group.topologyKeys()) {
            if (!Objects.equals(labels.get(key), others.get(key))) {
              return false;
            }
          }
        }
      }
      return true;
    }

    /**
     * {@return whether a pod was refused for its affinity, spread, or the affinity of other pods,
     * so that a refusal of {@link #allows} may be due to the order in which pods start}
     */
    public boolean isOrderRelevant() {
      return isOrderRelevant;
    }

    /**
     * {@return a trial with these pods on a node, while this trial is unchanged; empty if the node
     * has too little left for their devices}
     *
     * @param pods the pods
     * @param node the node
     * @param allocations the allocations of their claims; ignored unless devices consume resources
     *     of nodes ({@link ClusterPods#countsDevices})
     */
    public Optional<Trial> with(
        List<PendingPod> pods, Node node, List<ClaimAllocation> allocations) {
      Objects.requireNonNull(pods, "pods");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(allocations, "allocations");
      Trial next = new Trial(running.copy(), copy(nodesOf));
      for (PendingPod pod : pods) {
        if (!queue.isPod(pod)) {
          continue;
        }
        PendingPod started = toPlace(pod);
        Map<String, Long> requests = PodRequests.of(started.spec());
        if (countsDevices && !allocations.isEmpty()) {
          NodeAllocatableResources costs = costs(pod, started, next.running);
          NodeAllocatableResources.Cost cost = costs.of(allocationsOf(pod, allocations));
          if (cost.fault() != null || costs.mismatch(node, cost) != null) {
            return Optional.empty();
          }
          requests = cost.requests();
        }
        next.running.add(started.running(), node.name(), requests);
        for (GenericPodGroup group : queue.groupsWithTopology(started.running())) {
          change(next.nodesOf, group, node.name(), 1);
        }
      }
      return Optional.of(next);
    }

    private NodeAllocatableResources costs(
        PendingPod pod, PendingPod started, RunningPods runningThen) {
      Map<ClaimKey, ResourceClaim> pending = new HashMap<>();
      for (ClaimKey key : pod.claims()) {
        ResourceClaim claim = Objects.requireNonNull(claims.get(key), () -> "no claim " + key);
        pending.put(key, claim.toBuilder().allocation(null).build());
      }
      return new NodeAllocatableResources(
          started, queue.entries(pod), pending, inventory, runningThen.loads());
    }

    private static List<ClaimAllocation> allocationsOf(
        PendingPod pod, List<ClaimAllocation> allocations) {
      List<ClaimAllocation> own = new ArrayList<>(allocations);
      own.removeIf(one -> !pod.claims().contains(ClaimKey.of(one.allocatedClaim())));
      return own;
    }
  }
}
