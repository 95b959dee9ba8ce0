package io.dra4j.scheduling.defragmentation;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.scheduling.ClusterPods;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.GangRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Move;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.NoRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Undecided;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One search for room by moving pods, see {@link Defragmentation}. Sets of movable pods are tried
 * in the order of their cost. Not thread-safe.
 */
final class RoomSearch {

  /** A claim, a class, a selector or a slice is at fault. */
  static final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;
    final transient AllocationOutcome.Rejected fault;

    FaultException(AllocationOutcome.Rejected fault) {
      super(null, null, false, false);
      this.fault = fault;
    }
  }

  /** Some pods by their positions among all pods, in ascending order. */
  private record Pods(List<Integer> places, double cost) {}

  /**
   * A pod to be placed: a wanted pod, or a pod that moves.
   *
   * @param pods the pods that start on its node; empty if they are not known
   * @param twice a claim that an earlier pod has as well
   */
  record Homeless(
      List<ResourceClaim> claims,
      Predicate<Node> nodes,
      List<PendingPod> pods,
      @Nullable ResourceClaim twice) {

    Homeless(List<ResourceClaim> claims, Predicate<Node> nodes, List<PendingPod> pods) {
      this(claims, nodes, pods, null);
    }

    /** A pod that moves, with its claims without their devices. */
    private static Homeless of(MovablePod pod, @Nullable ResourceClaim twice) {
      List<ResourceClaim> claims =
          pod.claims().stream().map(claim -> claim.toBuilder().allocation(null).build()).toList();
      return new Homeless(claims, pod.nodes(), pod.pods(), twice);
    }

    /**
     * Whether the pods have the same specifications and labels, so that filters treat them equally.
     */
    private boolean isLike(Homeless other) {
      return pods.size() == other.pods.size()
          && IntStream.range(0, pods.size())
              .allMatch(
                  i ->
                      pods.get(i).spec().equals(other.pods.get(i).spec())
                          && pods.get(i).labels().equals(other.pods.get(i).labels()));
    }
  }

  /** Nodes for pods, which grows pod by pod. */
  private static final class Plan {
    final DeviceInventory free;
    final List<Homeless> pods;
    final List<String> at = new ArrayList<>(); // the nodes of the first pods
    final Map<String, List<ResourceClaim>> together = new LinkedHashMap<>(); // claims by node
    final Map<String, Allocated> answers = new LinkedHashMap<>(); // by node
    final List<ClusterPods.Trial> trials = new ArrayList<>(); // after each pod; none if not known
    boolean isOrderRelevant; // for a refusal

    Plan(DeviceInventory free, List<Homeless> pods) {
      this.free = free;
      this.pods = pods;
    }

    Homeless next() {
      return pods.get(at.size());
    }

    boolean allows(Homeless pod, Node node) {
      if (trials.isEmpty()) {
        return true;
      }
      ClusterPods.Trial trial = trials.get(at.size());
      boolean isAllowed = trial.allows(pod.pods, node);
      isOrderRelevant |= trial.isOrderRelevant();
      return isAllowed;
    }

    /** Starts a pod on a node, with the claims of all pods there and their devices. */
    void start(Homeless pod, Node node, List<ResourceClaim> here, Allocated answer) {
      together.put(node.name(), here);
      answers.put(node.name(), answer);
      if (!trials.isEmpty()) {
        trials.add(trials.get(at.size()).with(pod.pods, node, List.of()).orElseThrow());
      }
      at.add(node.name());
    }

    /** Undoes the last start, on a node that had these claims and this answer before. */
    void undo(List<ResourceClaim> before, @Nullable Allocated answer) {
      String node = at.remove(at.size() - 1);
      together.put(node, before);
      if (answer != null) {
        answers.put(node, answer);
      } else {
        answers.remove(node);
      }
      if (!trials.isEmpty()) {
        trials.remove(trials.size() - 1);
      }
    }
  }

  private static final String OF_ORDER =
      "the affinity or the spread of pods depends on the order in which they start, and only one"
          + " order was tried";
  private static final String OF_COSTS =
      "devices consume resources of nodes, and not all choices of devices were tried";

  private final Allocator allocator;
  private final @Nullable ClusterPods cluster;
  private final DeviceInventory inventory;
  private final List<Homeless> wanted;
  private final List<String> sameLabels; // of the nodes of all wanted pods
  private final List<MovablePod> movable; // the cheapest first
  private final Budget budget;
  private @Nullable GangRoom best;
  private int tried;
  private @Nullable String doubt; // the reason why there may be room that the search does not find
  private boolean common; // several nodes may use a device

  @SuppressWarnings("ParameterNumber") // the fields of a search, made in one place
  RoomSearch(
      Allocator allocator,
      @Nullable ClusterPods cluster,
      DeviceInventory inventory,
      List<Homeless> wanted,
      List<String> sameLabels,
      List<MovablePod> movable,
      Budget budget) {
    this.allocator = allocator;
    this.cluster = cluster;
    this.inventory = inventory;
    this.wanted = wanted;
    this.sameLabels = sameLabels;
    List<MovablePod> sorted = new ArrayList<>(movable);
    sorted.sort(Comparator.comparingDouble(MovablePod::cost));
    this.movable = sorted;
    this.budget = budget;
  }

  /**
   * Whether a claim has preferences for the policy. They apply to other claims that are allocated
   * together with it, so that these may fit although the search does not find it.
   */
  private static boolean namesPlacement(List<ResourceClaim> claims) {
    return claims.stream().anyMatch(PlacementPolicy::hasPreferences);
  }

  @Nullable GangRoom best() {
    return best;
  }

  int tried() {
    return tried;
  }

  private void doubt(String reason) {
    doubt = doubt == null ? reason : doubt;
  }

  DefragmentationOutcome cheapest() throws FaultException, BudgetExceededException {
    if (wanted.stream().anyMatch(pod -> namesPlacement(pod.claims))
        || movable.stream().anyMatch(pod -> namesPlacement(pod.claims()))) {
      doubt(
          "claims have preferences for the policy, which apply to other claims on their node"
              + " as well");
    }
    GangRoom now = room(new Pods(List.of(), 0), true);
    if (now != null) {
      return now;
    }
    common = haveCommonDevices(allocator, inventory);
    if (!fitsWhereNobodyElseIs() && doubt == null && !(common && wanted.size() > 1)) {
      return new NoRoom();
    }
    // A pod on one node may get a device that a later pod needs on another node; this is not
    // undone.
    if (common) {
      doubt(
          "several nodes can use the same devices, and not all ways to give them to pods were"
              + " tried");
    }
    emptyNodes();
    GangRoom room = inOrderOfCost();
    if (room == null && doubt != null) {
      return new Undecided(
          "none of %s is known to make room: %s".formatted(setsOfPods(tried), doubt));
    }
    return room == null ? new NoRoom() : room;
  }

  /** Tries sets of pods, the cheapest first, as long as they can be better than the best one. */
  private @Nullable GangRoom inOrderOfCost() throws FaultException, BudgetExceededException {
    PriorityQueue<Pods> queue =
        new PriorityQueue<>(
            Comparator.comparingDouble(Pods::cost)
                .thenComparingInt(pods -> pods.places.size())
                .thenComparing(pods -> pods.places.toString()));
    if (!movable.isEmpty()) {
      queue.add(new Pods(List.of(0), movable.get(0).cost()));
    }
    while (!queue.isEmpty()) {
      budget.check();
      Pods next = queue.remove();
      if (best != null && isNoBetter(next, best)) {
        return withProof(best);
      }
      GangRoom room = room(next, true);
      if (room != null) {
        return room;
      }
      int last = next.places.get(next.places.size() - 1);
      if (last + 1 < movable.size()) {
        queue.add(with(next.places, last + 1));
        queue.add(with(next.places.subList(0, next.places.size() - 1), last + 1));
      }
    }
    return best == null ? null : withProof(best);
  }

  /** Whether the wanted pod fits after all others have stopped, independent of their next nodes. */
  private boolean fitsWhereNobodyElseIs() throws FaultException, BudgetExceededException {
    DeviceInventory without =
        inventory.apply(
            movable.stream()
                .flatMap(pod -> pod.claims().stream())
                .map(claim -> new ClaimRemoved(ClaimKey.of(claim)))
                .toList());
    return isPlaced(new Plan(without, wanted), movable);
  }

  private static boolean isNoBetter(Pods pods, GangRoom than) {
    return pods.cost > than.cost()
        || (pods.cost == than.cost() && pods.places.size() >= than.moves().size());
  }

  private GangRoom withProof(GangRoom room) {
    return new GangRoom(room.moves(), room.nodes(), room.allocations(), room.cost(), doubt == null);
  }

  private Pods with(List<Integer> places, int another) {
    List<Integer> more = new ArrayList<>(places);
    more.add(another);
    double cost = 0;
    for (int place : more) {
      cost += movable.get(place).cost();
    }
    return new Pods(List.copyOf(more), cost);
  }

  /** Moves all pods of a node, or all for a gang; undoes unnecessary moves, costly ones first. */
  private void emptyNodes() throws FaultException, BudgetExceededException {
    for (Node node : inventory.nodes()) {
      budget.check();
      Set<DeviceId> devices =
          inventory.devicesOf(node.name()).map(NodeDevices::held).stream()
              .flatMap(held -> held.list().stream())
              .map(InventoryDevice::id)
              .collect(Collectors.toSet());
      List<Integer> here = new ArrayList<>();
      for (int i = 0; i < movable.size(); i++) {
        budget.spend(1);
        if (isOn(movable.get(i), devices)) {
          here.add(i);
        }
      }
      if (best == null || pods(here).cost < best.cost() * 4) {
        empty(here);
      }
    }
    if (wanted.size() > 1) {
      empty(IntStream.range(0, movable.size()).boxed().toList());
    }
  }

  private void empty(List<Integer> all) throws FaultException, BudgetExceededException {
    if (all.isEmpty()) {
      return;
    }
    List<Integer> here = all;
    GangRoom room = room(pods(here), false);
    for (int i = here.size() - 1; room != null && i >= 0; i--) {
      best = best == null || room.cost() < best.cost() ? room : best;
      List<Integer> fewer = new ArrayList<>(here);
      fewer.remove(i);
      GangRoom without = room(pods(fewer), false);
      if (without != null) {
        here = fewer;
        room = without;
      }
    }
    if (room != null && (best == null || room.cost() < best.cost())) {
      best = room;
    }
  }

  private Pods pods(List<Integer> places) {
    double cost = 0;
    for (int place : places) {
      cost += movable.get(place).cost();
    }
    return new Pods(List.copyOf(places), cost);
  }

  private static boolean isOn(MovablePod pod, Set<DeviceId> devices) {
    return pod.claims().stream()
        .flatMap(claim -> Objects.requireNonNull(claim.allocation()).results().stream())
        .anyMatch(result -> devices.contains(result.deviceId()));
  }

  /** The room after some pods have stopped; null if they and the wanted pods do not fit. */
  private @Nullable GangRoom room(Pods pods, boolean proven)
      throws FaultException, BudgetExceededException {
    tried++;
    List<ClaimRemoved> stopped = new ArrayList<>();
    List<Homeless> homeless = new ArrayList<>(wanted);
    Set<ClaimKey> seen = new HashSet<>();
    wanted.forEach(pod -> pod.claims.forEach(claim -> seen.add(ClaimKey.of(claim))));
    for (int place : pods.places) {
      MovablePod pod = movable.get(place);
      ResourceClaim twice = null;
      for (ResourceClaim claim : pod.claims()) {
        ClaimKey key = ClaimKey.of(claim);
        twice = seen.add(key) ? twice : claim;
        stopped.add(new ClaimRemoved(key));
      }
      homeless.add(Homeless.of(pod, twice));
    }
    DeviceInventory without = inventory.apply(stopped);
    Plan plan = new Plan(without, homeless);
    if (!isPlaced(plan, pods.places.stream().map(movable::get).toList())) {
      return null;
    }
    List<String> at = plan.at;
    List<List<ClaimAllocation>> allocations = new ArrayList<>();
    for (int i = 0; i < homeless.size(); i++) {
      allocations.add(allocations(homeless.get(i), plan.answers.get(at.get(i))));
    }
    List<Move> moves = new ArrayList<>();
    int first = wanted.size();
    for (int i = first; i < homeless.size(); i++) {
      moves.add(new Move(movable.get(pods.places.get(i - first)), at.get(i), allocations.get(i)));
    }
    return new GangRoom(
        moves,
        at.subList(0, first),
        allocations.subList(0, first),
        pods.cost,
        proven && doubt == null);
  }

  private static AllocationOutcome.Rejected isThereTwice(ResourceClaim claim) {
    return new AllocationOutcome.Rejected(
        RejectionReason.CLAIM,
        "claim " + claim.displayName() + ": is there twice among the claims to allocate");
  }

  private static List<ClaimAllocation> allocations(Homeless pod, @Nullable Allocated answer) {
    if (pod.claims.isEmpty()) {
      return List.of();
    }
    List<ClaimKey> keys = pod.claims.stream().map(ClaimKey::of).toList();
    return Objects.requireNonNull(answer, "an answer for each node").allocations().stream()
        .filter(allocation -> keys.contains(ClaimKey.of(allocation.claim())))
        .toList();
  }

  /** Whether a wanted pod of a gang has the same demand as the pod before it. */
  private boolean isLikeTheOneBefore(List<Homeless> pods, int number) {
    if (number == 0 || number >= wanted.size()) {
      return false;
    }
    Homeless one = pods.get(number - 1);
    Homeless other = pods.get(number);
    return one.nodes.equals(other.nodes)
        && one.isLike(other)
        && one.claims.stream()
            .map(ResourceClaim::spec)
            .toList()
            .equals(other.claims.stream().map(ResourceClaim::spec).toList());
  }

  /** Whether a node has the common labels of the nodes of a gang. */
  private boolean agrees(Node node, List<String> at) {
    if (sameLabels.isEmpty() || at.size() >= wanted.size()) {
      return true;
    }
    Map<String, String> labels = node.metadata().labels();
    if (!labels.keySet().containsAll(sameLabels)) {
      return false;
    }
    Node first = at.isEmpty() ? node : inventory.node(at.get(0)).orElseThrow();
    Map<String, String> others = first.metadata().labels();
    return sameLabels.stream()
        .allMatch(label -> Objects.equals(labels.get(label), others.get(label)));
  }

  /** Whether all pods of a plan get nodes after some pods have stopped. */
  private boolean isPlaced(Plan plan, List<MovablePod> stopped)
      throws FaultException, BudgetExceededException {
    if (cluster != null) {
      plan.trials.add(
          cluster.without(stopped.stream().flatMap(pod -> pod.pods().stream()).toList()));
    }
    boolean isPlaced = place(plan);
    if (!isPlaced && plan.isOrderRelevant) {
      doubt(OF_ORDER);
    }
    return isPlaced;
  }

  /** Gives the next pod a node, together with the pods that have one, with backtracking. */
  private boolean place(Plan plan) throws FaultException, BudgetExceededException {
    if (plan.at.size() == plan.pods.size()) {
      return isAffordable(plan);
    }
    Homeless pod = plan.next();
    if (pod.twice != null) { // a second allocation would only report the first one
      throw new FaultException(isThereTwice(pod.twice));
    }
    boolean found = !isLikeTheOneBefore(plan.pods, plan.at.size());
    for (Node node : plan.free.nodes()) {
      budget.check();
      String name = node.name();
      // Pods with equal demand are on nodes in their order: other orders only repeat the same
      // plans.
      found |= name.equals(plan.at.isEmpty() ? name : plan.at.get(plan.at.size() - 1));
      if (!found || !pod.nodes.test(node) || !agrees(node, plan.at) || !plan.allows(pod, node)) {
        continue;
      }
      List<ResourceClaim> before = plan.together.getOrDefault(name, List.of());
      List<ResourceClaim> here = new ArrayList<>(before);
      here.addAll(pod.claims);
      Allocated allocated = allocate(plan, name, here);
      if (allocated == null) {
        continue;
      }
      Allocated old = plan.answers.get(name);
      plan.start(pod, node, here, allocated);
      if (place(plan)) {
        return true;
      }
      plan.undo(before, old);
    }
    return false;
  }

  /** Allocates the claims of a node together; null if they do not fit. */
  private @Nullable Allocated allocate(Plan plan, String node, List<ResourceClaim> claims)
      throws FaultException, BudgetExceededException {
    List<ResourceClaim> elsewhere = new ArrayList<>();
    plan.answers.forEach(
        (other, answer) -> {
          if (!other.equals(node)) {
            answer.allocations().forEach(one -> elsewhere.add(one.allocatedClaim()));
          }
        });
    AllocationOutcome outcome = allocator.allocate(plan.free.with(elsewhere), node, claims, budget);
    if (outcome instanceof AllocationOutcome.Rejected fault) {
      throw new FaultException(fault);
    }
    budget.check(); // ends the search if the allocator had no time
    if (outcome instanceof AllocationOutcome.Undecided undecided) {
      doubt(undecided.reason());
    }
    return outcome instanceof Allocated allocated ? allocated : null;
  }

  /** Whether the nodes of a plan have what the devices of its pods consume of them. */
  private boolean isAffordable(Plan plan) {
    if (cluster == null || !cluster.countsDevices()) {
      return true;
    }
    ClusterPods.Trial trial = plan.trials.get(0);
    for (int i = 0; i < plan.pods.size(); i++) {
      String name = plan.at.get(i);
      Node node = inventory.node(name).orElseThrow();
      Homeless pod = plan.pods.get(i);
      List<ClaimAllocation> allocations = allocations(pod, plan.answers.get(name));
      trial = trial.with(pod.pods, node, allocations).orElse(null);
      if (trial == null) {
        doubt(OF_COSTS);
        return false;
      }
    }
    return true;
  }

  /** Whether several nodes may use a device. */
  static boolean haveCommonDevices(Allocator allocator, DeviceInventory inventory) {
    ClusterQuery sights = allocator.query(inventory, List.of());
    return inventory.nodes().stream()
        .flatMap(node -> AllocatorAccess.sight(sights, node.name()).stream())
        .anyMatch(sight -> !sight.view().isSelfContained());
  }

  static String setsOfPods(int number) {
    return number + (number == 1 ? " set of pods" : " sets of pods");
  }
}
