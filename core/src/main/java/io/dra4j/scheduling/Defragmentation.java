package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.scheduling.RoomOutcome.Move;
import io.dra4j.scheduling.RoomOutcome.NoRoom;
import io.dra4j.scheduling.RoomOutcome.Rejected;
import io.dra4j.scheduling.RoomOutcome.Room;
import io.dra4j.scheduling.RoomOutcome.Undecided;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds which running pods would have to move, once each, so that claims fit that do not fit now:
 * the moves that cost least.
 *
 * <pre>{@code
 * RoomOutcome room =
 *     Defragmentation.with(allocator)
 *         .makeRoom(inventory, claims, node -> true, movable, Budget.of(Duration.ofSeconds(5)));
 * }</pre>
 *
 * <p>Sets of pods are tried in the order of their cost: the pods of a set are stopped, and then all
 * of their claims and the wanted ones are allocated anew, those on one node together, so that the
 * rules of the allocator decide on each move. What a node has that is emptied of all pods that may
 * move is looked at before, so that there is an answer when the time is over.
 *
 * <p>Immutable; as thread-safe as its allocator.
 */
public final class Defragmentation {

  private final Allocator allocator;

  private Defragmentation(Allocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Returns a way to look for room.
   *
   * @param allocator decides what is valid
   * @return the search
   */
  public static Defragmentation with(Allocator allocator) {
    return new Defragmentation(
        Objects.requireNonNull(allocator, "allocator: want an allocator, got null"));
  }

  /**
   * Looks for the moves that make room and cost least.
   *
   * @param inventory the nodes and devices, with what all pods hold; not changed
   * @param wanted the pending claims of one pod
   * @param nodes where that pod may run
   * @param movable the pods that may be moved
   * @param budget how long to look; when it is over, the best moves found count, and say so
   * @return the moves, or why there are none
   */
  public RoomOutcome makeRoom(
      DeviceInventory inventory,
      List<ResourceClaim> wanted,
      Predicate<Node> nodes,
      List<Movable> movable,
      Budget budget) {
    Run run = new Run(inventory, List.copyOf(wanted), nodes, List.copyOf(movable), budget);
    try {
      return run.cheapest();
    } catch (FaultException e) {
      return new Rejected(e.fault);
    } catch (BudgetExceededException e) {
      Room best = run.best;
      return best != null
          ? best
          : new Undecided(
              "%s after %d sets of pods of %d".formatted(e.reason(), run.tried, movable.size()));
    }
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

  /** Some pods by their places among all, the last one last. */
  private record Pods(List<Integer> places, double cost) {}

  /** A pod that is to be placed: the wanted one, or one that moves. */
  private record Homeless(List<ResourceClaim> claims, Predicate<Node> nodes) {}

  /** One search. */
  private final class Run {
    private final DeviceInventory inventory;
    private final List<ResourceClaim> wanted;
    private final Predicate<Node> where;
    private final List<Movable> movable; // the cheapest first
    private final Budget budget;
    private @Nullable Room best;
    private int tried;
    private boolean exact = true;

    Run(
        DeviceInventory inventory,
        List<ResourceClaim> wanted,
        Predicate<Node> where,
        List<Movable> movable,
        Budget budget) {
      this.inventory = inventory;
      this.wanted = wanted;
      this.where = where;
      List<Movable> sorted = new ArrayList<>(movable);
      sorted.sort(Comparator.comparingDouble(Movable::cost));
      this.movable = sorted;
      this.budget = budget;
    }

    /**
     * Whether a claim says what it wants of the policy: allocated together with others, it says it
     * for them, too, so that they may fit although this does not find it.
     */
    private static boolean hasWishes(List<ResourceClaim> claims) {
      return claims.stream()
          .flatMap(claim -> claim.spec().config().stream())
          .anyMatch(
              config ->
                  config.opaque() != null
                      && config.opaque().driver().equals(PlacementPolicy.PREFERENCES_DRIVER));
    }

    RoomOutcome cheapest() throws FaultException, BudgetExceededException {
      exact = !hasWishes(wanted) && movable.stream().noneMatch(pod -> hasWishes(pod.claims()));
      Room now = room(new Pods(List.of(), 0), true);
      if (now != null) {
        return now;
      }
      if (!fitsWhereNobodyElseIs() && exact) {
        return new NoRoom();
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
        Room room = room(next, true);
        if (room != null) {
          return room;
        }
        int last = next.places.get(next.places.size() - 1);
        if (last + 1 < movable.size()) {
          queue.add(with(next.places, last + 1));
          queue.add(with(next.places.subList(0, next.places.size() - 1), last + 1));
        }
      }
      if (best == null && !exact) {
        return new Undecided(
            "none of %d sets of pods made room, as far as could be told".formatted(tried));
      }
      return best == null ? new NoRoom() : withProof(best);
    }

    /** Whether the wanted pod fits once all others have stopped, wherever these go. */
    private boolean fitsWhereNobodyElseIs() throws FaultException, BudgetExceededException {
      DeviceInventory without =
          inventory.apply(
              movable.stream()
                  .flatMap(pod -> pod.claims().stream())
                  .map(claim -> new ClaimRemoved(ClaimKey.of(claim)))
                  .toList());
      return place(
          without,
          List.of(new Homeless(wanted, where)),
          new ArrayList<>(),
          new LinkedHashMap<>(),
          new LinkedHashMap<>());
    }

    private static boolean isNoBetter(Pods pods, Room than) {
      return pods.cost > than.cost()
          || (pods.cost == than.cost() && pods.places.size() >= than.moves().size());
    }

    private Room withProof(Room room) {
      return new Room(room.moves(), room.node(), room.allocations(), room.cost(), exact);
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

    /** Moves all pods of a node, and then takes back moves that are not needed, dearest first. */
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
        Pods pods = pods(here);
        if (here.isEmpty() || (best != null && pods.cost >= best.cost() * 4)) {
          continue;
        }
        Room room = room(pods, false);
        for (int i = here.size() - 1; room != null && i >= 0; i--) {
          List<Integer> fewer = new ArrayList<>(here);
          fewer.remove(i);
          Room without = room(pods(fewer), false);
          if (without != null) {
            here = fewer;
            room = without;
          }
        }
        if (room != null && (best == null || room.cost() < best.cost())) {
          best = room;
        }
      }
    }

    private Pods pods(List<Integer> places) {
      double cost = 0;
      for (int place : places) {
        cost += movable.get(place).cost();
      }
      return new Pods(List.copyOf(places), cost);
    }

    private static boolean isOn(Movable pod, Set<DeviceId> devices) {
      return pod.claims().stream()
          .flatMap(claim -> Objects.requireNonNull(claim.allocation()).results().stream())
          .anyMatch(result -> devices.contains(result.deviceId()));
    }

    /** What there is once some pods have stopped; null if they and the wanted one do not fit. */
    private @Nullable Room room(Pods pods, boolean proven)
        throws FaultException, BudgetExceededException {
      tried++;
      List<ClaimRemoved> stopped = new ArrayList<>();
      List<Homeless> homeless = new ArrayList<>();
      homeless.add(new Homeless(wanted, where));
      for (int place : pods.places) {
        Movable pod = movable.get(place);
        pod.claims().forEach(claim -> stopped.add(new ClaimRemoved(ClaimKey.of(claim))));
        homeless.add(
            new Homeless(
                pod.claims().stream()
                    .map(claim -> claim.toBuilder().allocation(null).build())
                    .toList(),
                pod.nodes()));
      }
      DeviceInventory without = inventory.apply(stopped);
      Map<String, Allocated> answers = new LinkedHashMap<>();
      List<String> at = new ArrayList<>();
      if (!place(without, homeless, at, new LinkedHashMap<>(), answers)) {
        return null;
      }
      List<Move> moves = new ArrayList<>();
      for (int i = 1; i < homeless.size(); i++) {
        moves.add(
            new Move(
                movable.get(pods.places.get(i - 1)),
                at.get(i),
                allocations(homeless.get(i), answers.get(at.get(i)))));
      }
      return new Room(
          moves,
          at.get(0),
          allocations(homeless.get(0), answers.get(at.get(0))),
          pods.cost,
          proven && exact);
    }

    private static List<ClaimAllocation> allocations(Homeless pod, @Nullable Allocated answer) {
      List<ClaimKey> keys = pod.claims.stream().map(ClaimKey::of).toList();
      return Objects.requireNonNull(answer, "an answer for each node").allocations().stream()
          .filter(allocation -> keys.contains(ClaimKey.of(allocation.claim())))
          .toList();
    }

    /**
     * Gives the next pod a node, together with those that have one; takes back what leads nowhere.
     */
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
      for (Node node : free.nodes()) {
        budget.check();
        if (!pod.nodes.test(node)) {
          continue;
        }
        String name = node.name();
        List<ResourceClaim> before = together.getOrDefault(name, List.of());
        List<ResourceClaim> here = new ArrayList<>(before);
        here.addAll(pod.claims);
        List<ClaimPut> elsewhere = new ArrayList<>();
        answers.forEach(
            (other, answer) -> {
              if (!other.equals(name)) {
                answer
                    .allocations()
                    .forEach(one -> elsewhere.add(new ClaimPut(one.allocatedClaim())));
              }
            });
        AllocationOutcome outcome = allocator.allocate(free.apply(elsewhere), name, here, budget);
        if (outcome instanceof AllocationOutcome.Rejected fault) {
          throw new FaultException(fault);
        }
        budget.check(); // where the allocator had no time either
        exact &= !(outcome instanceof AllocationOutcome.Undecided);
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
