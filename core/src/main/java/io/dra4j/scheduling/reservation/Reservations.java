package io.dra4j.scheduling.reservation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import io.dra4j.persistent.PersistentMap;
import io.dra4j.scheduling.reservation.ReservationOutcome.AlreadyHeld;
import io.dra4j.scheduling.reservation.ReservationOutcome.Nowhere;
import io.dra4j.scheduling.reservation.ReservationOutcome.Refused;
import io.dra4j.scheduling.reservation.ReservationOutcome.Reserved;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An inventory from which several threads allocate. Devices that one thread has reserved are not
 * available to others, from the allocation until it is known whether the claims were written.
 *
 * <pre>{@code
 * if (reservations.reserve("node-1", claims) instanceof Reserved reserved) {
 *   if (write(reserved.reservation().allocations())) {
 *     reservations.commit(reserved.reservation());
 *   } else {
 *     reservations.release(reserved.reservation());
 *   }
 * }
 * }</pre>
 *
 * <p>Thread-safe, and without locks: each change is prepared separately, and published if no other
 * change was published meanwhile; otherwise it is repeated. An allocation is therefore always
 * computed from the inventory in which its devices become in use, including counters and shares.
 *
 * <p>A name has one claim at a time here, as in a cluster. While the inventory has devices of a
 * claim, a recreated claim of the same name is {@link AlreadyHeld}, although an allocator would
 * give it devices. The event that the old claim is deleted only has its name, and would end the
 * reservation of the new claim.
 */
public final class Reservations {

  /**
   * The state at one moment.
   *
   * @param inventory the devices, with reserved devices in use
   * @param open reservations that were neither committed nor released, by their claims
   * @param withoutClaims the open reservations without claims
   * @param committed the reservations that the cluster has not yet confirmed
   */
  record Moment(
      DeviceInventory inventory,
      PersistentMap<ClaimKey, Reservation> open,
      List<Reservation> withoutClaims,
      PersistentMap<ClaimKey, Reservation> committed) {}

  /** Publishes a state unless another one was published since the one before. */
  interface Publishing {
    boolean publish(AtomicReference<Moment> current, Moment before, Moment after);
  }

  private final Allocator allocator;
  private final Publishing publishing;
  private final AtomicReference<Moment> current;

  /**
   * Creates reservations in an inventory.
   *
   * @param allocator finds the devices
   * @param inventory the nodes and devices, with the used ones
   */
  public Reservations(Allocator allocator, DeviceInventory inventory) {
    this(allocator, inventory, AtomicReference::compareAndSet);
  }

  Reservations(Allocator allocator, DeviceInventory inventory, Publishing publishing) {
    this.publishing = publishing;
    this.allocator = Objects.requireNonNull(allocator, "allocator");
    this.current =
        new AtomicReference<>(
            new Moment(
                Objects.requireNonNull(inventory, "inventory"),
                PersistentMap.empty(),
                List.of(),
                PersistentMap.empty()));
  }

  /** {@return the current inventory, in which reserved devices are in use} */
  public DeviceInventory inventory() {
    return now().inventory();
  }

  /** {@return reservations neither committed nor released, each once, in no particular order} */
  public List<Reservation> open() {
    List<Reservation> open = new ArrayList<>();
    Moment now = now();
    now.open().forEach(open::add); // once for each of its claims
    open.addAll(now.withoutClaims());
    return open.stream().distinct().toList();
  }

  private Moment now() {
    return Objects.requireNonNull(current.get());
  }

  /**
   * Reserves devices for claims on a node, all or none.
   *
   * @param node the name of the node
   * @param claims pending claims
   * @return the reservation, or the reason why there is none
   */
  public ReservationOutcome reserve(String node, List<ResourceClaim> claims) {
    return reserve(node, claims, Budget.unlimited());
  }

  /**
   * Reserves devices for claims on a node, all or none, within a budget.
   *
   * @param node the name of the node
   * @param claims pending claims
   * @param budget the time of the caller, including repetitions because of other threads
   * @return the reservation, or why not; {@code Refused} with {@code Undecided} if time ran out
   */
  public ReservationOutcome reserve(String node, List<ResourceClaim> claims, Budget budget) {
    Objects.requireNonNull(node, "node");
    List<ResourceClaim> wanted = wanted(claims);
    return reserve(
        wanted, budget, inventory -> Optional.of(onNode(inventory, node, wanted, budget)));
  }

  /**
   * Reserves devices for claims on the first node that has them.
   *
   * @param fit chooses the node, for example {@code ClusterQuery::first}, or the first of the nodes
   *     on which a pod may run. Only the node of its allocation counts: the devices are searched
   *     again, so that an outdated answer cannot give away the devices of another claim
   * @param claims pending claims
   * @return the reservation, or the reason why there is none
   */
  public ReservationOutcome reserve(
      Function<ClusterQuery, Optional<ClusterQuery.OnNode>> fit, List<ResourceClaim> claims) {
    return reserve(fit, claims, Budget.unlimited());
  }

  /**
   * Reserves devices for claims on the first node that has them, within a budget.
   *
   * @param fit chooses the node, for example {@code ClusterQuery::first}, or the first of the nodes
   *     on which a pod may run; the query that it gets respects the budget. If it returns an
   *     allocation, only the node of the allocation counts: the devices are searched again
   * @param claims pending claims
   * @param budget the time of the caller, including repetitions because of other threads
   * @return the reservation, or why not; {@code Refused} with {@code Undecided} if time ran out
   */
  public ReservationOutcome reserve(
      Function<ClusterQuery, Optional<ClusterQuery.OnNode>> fit,
      List<ResourceClaim> claims,
      Budget budget) {
    Objects.requireNonNull(fit, "fit");
    List<ResourceClaim> wanted = wanted(claims);
    return reserve(
        wanted,
        budget,
        inventory -> {
          Optional<ClusterQuery.OnNode> chosen =
              Objects.requireNonNull(
                  fit.apply(allocator.query(inventory, wanted).withBudget(budget)),
                  "fit answered null");
          return chosen.isPresent() && chosen.get().outcome() instanceof Allocated
              ? Optional.of(onNode(inventory, chosen.get().node(), wanted, budget))
              : chosen;
        });
  }

  private ClusterQuery.OnNode onNode(
      DeviceInventory inventory, String node, List<ResourceClaim> claims, Budget budget) {
    return new ClusterQuery.OnNode(node, allocator.allocate(inventory, node, claims, budget));
  }

  /** A copy, which does not change while devices are searched. */
  private static List<ResourceClaim> wanted(List<ResourceClaim> claims) {
    Objects.requireNonNull(claims, "claims");
    for (ResourceClaim claim : claims) {
      Objects.requireNonNull(claim, "claim");
    }
    return List.copyOf(claims);
  }

  private ReservationOutcome reserve(
      List<ResourceClaim> claims,
      Budget budget,
      Function<DeviceInventory, Optional<ClusterQuery.OnNode>> allocate) {
    Objects.requireNonNull(budget, "budget");
    for (; ; ) {
      try {
        budget.check();
      } catch (BudgetExceededException e) {
        return new Refused(new Undecided(e.reason() + ", stopped before the claims were reserved"));
      }
      Moment before = now();
      for (ResourceClaim claim : claims) {
        ClaimKey key = ClaimKey.of(claim);
        if (before.open().get(key) != null
            || before.committed().get(key) != null
            || before.inventory().isAllocated(key)) {
          return new AlreadyHeld(key);
        }
      }
      Optional<ClusterQuery.OnNode> there = allocate.apply(before.inventory());
      if (there.isEmpty()) {
        return new Nowhere();
      }
      if (!(there.get().outcome() instanceof Allocated allocated)) {
        return new Refused(there.get().outcome());
      }
      Reservation reservation = new Reservation(there.get().node(), allocated.allocations());
      Moment after =
          new Moment(
              before.inventory().apply(puts(reservation)),
              with(before.open(), reservation.keys(), reservation),
              claims.isEmpty() ? with(before.withoutClaims(), reservation) : before.withoutClaims(),
              before.committed());
      if (publish(before, after)) {
        return new Reserved(reservation);
      }
    }
  }

  private static List<ClaimPut> puts(Reservation reservation) {
    return reservation.allocations().stream()
        .map(ClaimAllocation::allocatedClaim)
        .map(ClaimPut::new)
        .toList();
  }

  private boolean publish(Moment before, Moment after) {
    return publishing.publish(current, before, after);
  }

  @SuppressWarnings("ReferenceEquality") // the same state: nothing to change
  private boolean change(UnaryOperator<Moment> step) {
    for (; ; ) {
      Moment before = now();
      Moment after = step.apply(before);
      if (after == before) {
        return false;
      }
      if (publish(before, after)) {
        return true;
      }
    }
  }

  /**
   * Ends a reservation whose allocations were written. The claims keep their devices until the
   * cluster reports them deleted or, after it has reported their allocation, not allocated.
   *
   * @param reservation the reservation
   * @return whether the reservation was open; otherwise the call has no effect
   */
  public boolean commit(Reservation reservation) {
    return end(
        reservation,
        (before, keys) ->
            new Moment(
                before.inventory(),
                without(before.open(), keys),
                without(before.withoutClaims(), reservation),
                with(before.committed(), keys, reservation)));
  }

  /**
   * Ends a reservation whose allocations were not written: its devices become free. Those of a
   * committed claim become free when {@link #apply} gets an event that the claim is removed.
   *
   * @param reservation the reservation
   * @return whether the reservation was open; otherwise the call has no effect
   */
  public boolean release(Reservation reservation) {
    return end(
        reservation,
        (before, keys) ->
            new Moment(
                before.inventory().apply(keys.stream().map(ClaimRemoved::new).toList()),
                without(before.open(), keys),
                without(before.withoutClaims(), reservation),
                before.committed()));
  }

  private boolean end(Reservation reservation, BiFunction<Moment, List<ClaimKey>, Moment> ended) {
    Objects.requireNonNull(reservation, "reservation");
    return change(
        before ->
            isOpen(before, reservation)
                ? ended.apply(before, openKeys(before, reservation))
                : before);
  }

  /** The claims for which a reservation is still open. */
  @SuppressWarnings("ReferenceEquality") // two reservations are never the same
  private static List<ClaimKey> openKeys(Moment moment, Reservation reservation) {
    return reservation.keys().stream()
        .filter(key -> moment.open().get(key) == reservation)
        .toList();
  }

  private static boolean isOpen(Moment moment, Reservation reservation) {
    return !openKeys(moment, reservation).isEmpty() || moment.withoutClaims().contains(reservation);
  }

  private static List<Reservation> with(List<Reservation> some, Reservation reservation) {
    List<Reservation> more = new ArrayList<>(some);
    more.add(reservation);
    return List.copyOf(more);
  }

  private static List<Reservation> without(List<Reservation> some, Reservation reservation) {
    return some.stream().filter(other -> !other.equals(reservation)).toList();
  }

  private static PersistentMap<ClaimKey, Reservation> with(
      PersistentMap<ClaimKey, Reservation> some, List<ClaimKey> keys, Reservation reservation) {
    PersistentMap.Editor<ClaimKey, Reservation> more = some.edit();
    keys.forEach(key -> more.put(key, reservation));
    return more.done();
  }

  private static PersistentMap<ClaimKey, Reservation> without(
      PersistentMap<ClaimKey, Reservation> some, List<ClaimKey> keys) {
    PersistentMap.Editor<ClaimKey, Reservation> left = some.edit();
    keys.forEach(left::remove);
    return left.done();
  }

  /**
   * Applies events of the cluster. A reserved claim stays reserved while the cluster reports it as
   * pending. A report of its allocation or its deletion ends the reservation of this claim. A
   * committed claim also keeps its devices while the cluster only reports it as pending, since this
   * is its state before the allocation was written. A claim of the same name with another UID is
   * another claim.
   *
   * @param events the events, in their order
   */
  public void apply(List<? extends InventoryEvent> events) {
    Objects.requireNonNull(events, "events");
    for (InventoryEvent event : events) {
      Objects.requireNonNull(event, "event");
    }
    List<InventoryEvent> happened = List.copyOf(events);
    change(
        before -> {
          PersistentMap.Editor<ClaimKey, Reservation> open = before.open().edit();
          PersistentMap.Editor<ClaimKey, Reservation> committed = before.committed().edit();
          List<InventoryEvent> applied = new ArrayList<>(happened.size());
          for (InventoryEvent event : happened) {
            ClaimKey key = null;
            if (event instanceof ClaimPut put) {
              key = ClaimKey.of(put.claim());
              if (isOld(put.claim(), open.get(key)) || isOld(put.claim(), committed.get(key))) {
                continue; // the cluster has not reported it yet
              }
            } else if (event instanceof ClaimRemoved removed) {
              key = removed.claim();
            }
            if (key != null) {
              open.remove(key);
              committed.remove(key);
            }
            applied.add(event);
          }
          return new Moment(
              before.inventory().apply(applied),
              open.done(),
              before.withoutClaims(),
              committed.done());
        });
  }

  /** Whether a report about a claim describes its state before its reservation. */
  private static boolean isOld(ResourceClaim reported, @Nullable Reservation reservation) {
    if (reservation == null || reported.allocation() != null) {
      return false;
    }
    String uid = reported.metadata().uid();
    for (ClaimAllocation allocation : reservation.allocations()) {
      String known = allocation.claim().metadata().uid();
      if (ClaimKey.of(allocation.claim()).equals(ClaimKey.of(reported))) {
        return uid == null || known == null || uid.equals(known);
      }
    }
    return false;
  }
}
