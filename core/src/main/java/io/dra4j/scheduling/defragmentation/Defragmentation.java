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
import io.dra4j.placement.gang.GangMember;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.GangRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Move;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.NoRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Rejected;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Room;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Undecided;
import java.util.ArrayList;
import java.util.Collections;
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
 * Finds the cheapest moves of running pods that make room for claims that do not fit now. Each pod
 * moves at most once.
 *
 * <pre>{@code
 * DefragmentationOutcome room =
 *     Defragmentation.of(allocator)
 *         .plan(inventory, claims, node -> true, movable, Budget.of(Duration.ofSeconds(5)));
 * }</pre>
 *
 * <p>{@link #planForGang} finds moves for pods that are placed together. Sets of pods are tried in
 * the order of their cost: the pods of a set are stopped, and then their claims and the wanted
 * claims are allocated again, the claims of one node together. The rules of the allocator thus
 * decide on each move. Before that, the search tries to empty whole nodes of all movable pods, so
 * that there is an answer when the time ends.
 *
 * <p>Immutable; as thread-safe as its allocator.
 */
public final class Defragmentation {

  private final Allocator allocator;

  private Defragmentation(Allocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Returns a search for room.
   *
   * @param allocator decides which allocations are valid
   * @return the search
   */
  public static Defragmentation of(Allocator allocator) {
    return new Defragmentation(Objects.requireNonNull(allocator, "allocator"));
  }

  /**
   * Searches the cheapest moves that make room for the claims of a pod.
   *
   * @param inventory the nodes and devices, with the devices of all pods in use; not changed
   * @param claims the pending claims of one pod
   * @param nodes returns whether that pod may run on a node
   * @param movable the pods that may be moved; a claim of two of them is a fault if both must move
   * @param budget the time for the search; when it ends, the result has the best moves so far and
   *     is not proven
   * @return the moves, or the reason why there are none
   */
  public DefragmentationOutcome plan(
      DeviceInventory inventory,
      List<ResourceClaim> claims,
      Predicate<Node> nodes,
      List<MovablePod> movable,
      Budget budget) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(claims, "claims");
    for (ResourceClaim claim : claims) {
      Objects.requireNonNull(claim, "claim");
    }
    List<MovablePod> mayMove = MovablePod.listOf(movable);
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(nodes, "nodes");
    List<Homeless> pods = List.of(new Homeless(List.copyOf(claims), nodes));
    DefragmentationOutcome outcome = search(inventory, pods, List.of(), mayMove, budget);
    return outcome instanceof GangRoom room
        ? new Room(
            room.moves(),
            room.nodes().get(0),
            room.allocations().get(0),
            room.cost(),
            room.proven())
        : outcome;
  }

  /**
   * Searches the cheapest moves that make room for all pods of a gang together.
   *
   * @param inventory the nodes and devices, with the devices of all pods in use; not changed
   * @param gang the pods; their claims are pending, and no two pods share a claim
   * @param sameLabels node labels that all nodes of the gang have, with the same values
   * @param movable the pods that may be moved
   * @param budget the time for the search; when it ends, the result has the best moves so far and
   *     is not proven
   * @return a {@link GangRoom}, or the reason why there is none
   * @throws IllegalArgumentException if a claim is allocated, or is used by two pods
   */
  public DefragmentationOutcome planForGang(
      DeviceInventory inventory,
      List<GangMember> gang,
      List<String> sameLabels,
      List<MovablePod> movable,
      Budget budget) {
    Objects.requireNonNull(inventory, "inventory");
    Objects.requireNonNull(gang, "gang");
    List<MovablePod> mayMove = MovablePod.listOf(movable);
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(sameLabels, "sameLabels");
    for (String label : sameLabels) {
      Objects.requireNonNull(label, "label");
    }
    Set<ClaimKey> seen = new HashSet<>();
    List<Homeless> pods = new ArrayList<>();
    for (GangMember member : gang) {
      Objects.requireNonNull(member, "member");
      for (ResourceClaim claim : member.claims()) {
        if (claim.allocation() != null || !seen.add(ClaimKey.of(claim))) {
          throw new IllegalArgumentException(
              "gang: want pending claims of one pod each, got %s of pod %s"
                  .formatted(claim.displayName(), member.name()));
        }
      }
      pods.add(new Homeless(member.claims(), member.nodes()));
    }
    return pods.isEmpty()
        ? new GangRoom(List.of(), List.of(), List.of(), 0, true)
        : searchInBothOrders(inventory, pods, List.copyOf(sameLabels), mayMove, budget);
  }

  /**
   * If several nodes may use a device, a pod may get a device that a later pod needs. The search
   * then tries the reverse order.
   */
  private DefragmentationOutcome searchInBothOrders(
      DeviceInventory inventory,
      List<Homeless> gang,
      List<String> sameLabels,
      List<MovablePod> movable,
      Budget budget) {
    DefragmentationOutcome outcome = search(inventory, gang, sameLabels, movable, budget);
    boolean known =
        !(outcome instanceof Undecided) && !(outcome instanceof GangRoom some && !some.proven());
    if (known || gang.size() == 1 || budget.isOver() || !haveCommonDevices(inventory)) {
      return outcome;
    }
    List<Homeless> reversed = new ArrayList<>(gang);
    Collections.reverse(reversed);
    DefragmentationOutcome other = search(inventory, reversed, sameLabels, movable, budget);
    if (!(other instanceof GangRoom room)
        || (outcome instanceof GangRoom first && first.cost() <= room.cost())) {
      return outcome;
    }
    List<String> nodes = new ArrayList<>(room.nodes());
    List<List<ClaimAllocation>> allocations = new ArrayList<>(room.allocations());
    Collections.reverse(nodes);
    Collections.reverse(allocations);
    return new GangRoom(room.moves(), nodes, allocations, room.cost(), room.proven());
  }

  /** Whether several nodes may use a device. */
  private boolean haveCommonDevices(DeviceInventory inventory) {
    ClusterQuery sights = allocator.query(inventory, List.of());
    return inventory.nodes().stream()
        .flatMap(node -> AllocatorAccess.sight(sights, node.name()).stream())
        .anyMatch(sight -> !sight.view().isSelfContained());
  }

  private DefragmentationOutcome search(
      DeviceInventory inventory,
      List<Homeless> wanted,
      List<String> sameLabels,
      List<MovablePod> movable,
      Budget budget) {
    Run run = new Run(inventory, wanted, sameLabels, movable, budget);
    try {
      return run.cheapest();
    } catch (FaultException e) {
      return new Rejected(e.fault);
    } catch (BudgetExceededException e) {
      GangRoom best = run.best;
      return best != null
          ? best
          : new Undecided(
              "%s after %s of %d".formatted(e.reason(), setsOfPods(run.tried), movable.size()));
    }
  }

  private static String setsOfPods(int number) {
    return number + (number == 1 ? " set of pods" : " sets of pods");
  }

  /** A claim, a class, a selector or a slice is at fault. */
  private static final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;
    final transient AllocationOutcome.Rejected fault;

    FaultException(AllocationOutcome.Rejected fault) {
      super(null, null, false, false);
      this.fault = fault;
    }
  }

  /** Some pods by their positions among all pods, in ascending order. */
  private record Pods(List<Integer> places, double cost) {}

  /** A pod to be placed: a wanted pod, or a pod that moves. */
  private record Homeless(
      List<ResourceClaim> claims,
      Predicate<Node> nodes,
      @Nullable ResourceClaim twice) { // a claim that an earlier pod has as well

    Homeless(List<ResourceClaim> claims, Predicate<Node> nodes) {
      this(claims, nodes, null);
    }
  }

  /** One search. */
  private final class Run {
    private final DeviceInventory inventory;
    private final List<Homeless> wanted;
    private final List<String> sameLabels; // of the nodes of all wanted pods
    private final List<MovablePod> movable; // the cheapest first
    private final Budget budget;
    private @Nullable GangRoom best;
    private int tried;
    private @Nullable String
        doubt; // the reason why there may be room that the search does not find
    private boolean common; // several nodes may use a device

    Run(
        DeviceInventory inventory,
        List<Homeless> wanted,
        List<String> sameLabels,
        List<MovablePod> movable,
        Budget budget) {
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
      common = haveCommonDevices(inventory);
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
      if (best == null && doubt != null) {
        return new Undecided(
            "none of %s is known to make room: %s".formatted(setsOfPods(tried), doubt));
      }
      return best == null ? new NoRoom() : withProof(best);
    }

    /**
     * Whether the wanted pod fits after all others have stopped, independent of their next nodes.
     */
    private boolean fitsWhereNobodyElseIs() throws FaultException, BudgetExceededException {
      DeviceInventory without =
          inventory.apply(
              movable.stream()
                  .flatMap(pod -> pod.claims().stream())
                  .map(claim -> new ClaimRemoved(ClaimKey.of(claim)))
                  .toList());
      return place(
          without, wanted, new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    private static boolean isNoBetter(Pods pods, GangRoom than) {
      return pods.cost > than.cost()
          || (pods.cost == than.cost() && pods.places.size() >= than.moves().size());
    }

    private GangRoom withProof(GangRoom room) {
      return new GangRoom(
          room.moves(), room.nodes(), room.allocations(), room.cost(), doubt == null);
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

    /**
     * Moves all pods of a node, for a gang also all pods of all nodes, and then undoes unnecessary
     * moves, the most expensive first.
     */
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
        homeless.add(
            new Homeless(
                pod.claims().stream()
                    .map(claim -> claim.toBuilder().allocation(null).build())
                    .toList(),
                pod.nodes(),
                twice));
      }
      DeviceInventory without = inventory.apply(stopped);
      Map<String, Allocated> answers = new LinkedHashMap<>();
      List<String> at = new ArrayList<>();
      if (!place(without, homeless, at, new LinkedHashMap<>(), answers)) {
        return null;
      }
      List<List<ClaimAllocation>> allocations = new ArrayList<>();
      for (int i = 0; i < homeless.size(); i++) {
        allocations.add(allocations(homeless.get(i), answers.get(at.get(i))));
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

    /** Gives the next pod a node, together with the pods that have one, with backtracking. */
    private boolean place(
        DeviceInventory free,
        List<Homeless> pods,
        List<String> at,
        Map<String, List<ResourceClaim>> together,
        Map<String, Allocated> answers)
        throws FaultException, BudgetExceededException {
      if (at.size() == pods.size()) {
        return true;
      }
      Homeless pod = pods.get(at.size());
      if (pod.twice != null) { // a second allocation would only report the first one
        throw new FaultException(isThereTwice(pod.twice));
      }
      boolean found = !isLikeTheOneBefore(pods, at.size());
      for (Node node : free.nodes()) {
        budget.check();
        String name = node.name();
        // Pods with equal demand are on nodes in their order: other orders only repeat the same
        // plans.
        found |= name.equals(at.isEmpty() ? name : at.get(at.size() - 1));
        if (!found || !pod.nodes.test(node) || !agrees(node, at)) {
          continue;
        }
        List<ResourceClaim> before = together.getOrDefault(name, List.of());
        List<ResourceClaim> here = new ArrayList<>(before);
        here.addAll(pod.claims);
        List<ResourceClaim> elsewhere = new ArrayList<>();
        answers.forEach(
            (other, answer) -> {
              if (!other.equals(name)) {
                answer.allocations().forEach(one -> elsewhere.add(one.allocatedClaim()));
              }
            });
        AllocationOutcome outcome = allocator.allocate(free.with(elsewhere), name, here, budget);
        if (outcome instanceof AllocationOutcome.Rejected fault) {
          throw new FaultException(fault);
        }
        budget.check(); // ends the search if the allocator had no time
        if (outcome instanceof AllocationOutcome.Undecided undecided) {
          doubt(undecided.reason());
        }
        if (outcome instanceof Allocated allocated) {
          Allocated old = answers.put(name, allocated);
          together.put(name, here);
          at.add(name);
          if (place(free, pods, at, together, answers)) {
            return true;
          }
          at.remove(at.size() - 1);
          together.put(name, before);
          if (old != null) {
            answers.put(name, old);
          } else {
            answers.remove(name);
          }
        }
      }
      return false;
    }
  }
}
