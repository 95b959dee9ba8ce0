package io.dra4j.scheduling.defragmentation;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.scheduling.ClusterPods;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.GangRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Rejected;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Room;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Undecided;
import io.dra4j.scheduling.defragmentation.RoomSearch.Homeless;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
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
  private final @Nullable ClusterPods cluster;
  private final List<PendingPod> wanted; // in a cluster

  private Defragmentation(
      Allocator allocator, @Nullable ClusterPods cluster, List<PendingPod> wanted) {
    this.allocator = allocator;
    this.cluster = cluster;
    this.wanted = wanted;
  }

  /**
   * {@return a search for room}
   *
   * @param allocator decides which allocations are valid
   */
  public static Defragmentation of(Allocator allocator) {
    return new Defragmentation(Objects.requireNonNull(allocator, "allocator"), null, List.of());
  }

  /**
   * {@return a search that also tests the pods with the filters of kube-scheduler that depend on
   * other pods, after all moving pods have stopped: first the wanted pods in their order, then the
   * moving pods ({@link MovablePod#pods})}
   *
   * @param pods the pods that are on nodes
   * @param toPlace the wanted pods of the search: one for {@link #plan}, or the pods of the gang in
   *     their order
   */
  public Defragmentation in(ClusterPods pods, List<PendingPod> toPlace) {
    Objects.requireNonNull(pods, "pods");
    Objects.requireNonNull(toPlace, "toPlace");
    return new Defragmentation(allocator, pods, List.copyOf(toPlace));
  }

  /** The pod at a position among the wanted ones, if they are known. */
  private List<PendingPod> wanted(int place, int count) {
    if (cluster == null) {
      return List.of();
    }
    if (wanted.size() != count) {
      throw new IllegalArgumentException(
          "Defragmentation.in: expected the %d pods of the search, found %d"
              .formatted(count, wanted.size()));
    }
    return List.of(wanted.get(place));
  }

  /**
   * {@return the cheapest moves that make room for a pod, or the reason why there are none}
   *
   * @param inventory the nodes and devices, with the devices of all pods in use; not changed
   * @param claims the pending claims of one pod
   * @param nodes returns whether that pod may run on a node
   * @param movable the pods that may be moved; a claim of two of them is a fault if both must move
   * @param budget the time for the search; when it ends, the result has the best moves so far and
   *     is not proven
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
    List<Homeless> pods = List.of(new Homeless(List.copyOf(claims), nodes, wanted(0, 1)));
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
   * {@return a {@link GangRoom} with the cheapest moves, or the reason why there is none}
   *
   * @param inventory the nodes and devices, with the devices of all pods in use; not changed
   * @param gang the pods; their claims are pending, and no two pods share a claim
   * @param sameLabels node labels that all nodes of the gang have, with the same values
   * @param movable the pods that may be moved
   * @param budget the time for the search; when it ends, the result has the best moves so far and
   *     is not proven
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
              "gang: expected pending claims of one pod each, found %s of pod %s"
                  .formatted(claim.displayName(), member.name()));
        }
      }
      pods.add(new Homeless(member.claims(), member.nodes(), wanted(pods.size(), gang.size())));
    }
    return pods.isEmpty()
        ? new GangRoom(List.of(), List.of(), List.of(), 0, true)
        : searchInBothOrders(inventory, pods, List.copyOf(sameLabels), mayMove, budget);
  }

  /** Searches in reverse order too, since a pod may get a shared device that a later pod needs. */
  private DefragmentationOutcome searchInBothOrders(
      DeviceInventory inventory,
      List<Homeless> gang,
      List<String> sameLabels,
      List<MovablePod> movable,
      Budget budget) {
    DefragmentationOutcome outcome = search(inventory, gang, sameLabels, movable, budget);
    boolean known =
        !(outcome instanceof Undecided) && !(outcome instanceof GangRoom some && !some.proven());
    if (known
        || gang.size() == 1
        || budget.isOver()
        || !RoomSearch.haveCommonDevices(allocator, inventory)) {
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

  private DefragmentationOutcome search(
      DeviceInventory inventory,
      List<Homeless> wanted,
      List<String> sameLabels,
      List<MovablePod> movable,
      Budget budget) {
    RoomSearch run =
        new RoomSearch(allocator, cluster, inventory, wanted, sameLabels, movable, budget);
    try {
      return run.cheapest();
    } catch (RoomSearch.FaultException e) {
      return new Rejected(e.fault);
    } catch (BudgetExceededException e) {
      GangRoom best = run.best();
      return best != null
          ? best
          : new Undecided(
              "%s after %s of %d"
                  .formatted(e.reason(), RoomSearch.setsOfPods(run.tried()), movable.size()));
    }
  }
}
