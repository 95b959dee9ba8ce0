package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterFit;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.ReservationOutcome.AlreadyHeld;
import io.dra4j.scheduling.ReservationOutcome.Nowhere;
import io.dra4j.scheduling.ReservationOutcome.Refused;
import io.dra4j.scheduling.ReservationOutcome.Reserved;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An inventory that several threads allocate from: what one has reserved, no other gets, from the
 * allocation until it is known whether the claims were written.
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
 * <p>Thread-safe, and without locks: each change is made on the side, and published if nothing else
 * was published meanwhile; otherwise it is made again. An allocation is therefore always one of the
 * inventory in which its devices become in use, counters and shares included.
 */
public final class Reservations {

  /**
   * One moment: the inventory, with what is reserved in use, and the reservations that are open.
   */
  record Moment(DeviceInventory inventory, Map<ClaimKey, Reservation> open) {}

  /** Publishes a moment unless another one was published since the one before. */
  interface Publishing {
    boolean publish(AtomicReference<Moment> current, Moment before, Moment after);
  }

  private final Allocator allocator;
  private final Publishing publishing;
  private final AtomicReference<Moment> current;

  /**
   * Makes reservations of an inventory.
   *
   * @param allocator finds the devices
   * @param inventory what there is, and what of it is in use
   */
  public Reservations(Allocator allocator, DeviceInventory inventory) {
    this(allocator, inventory, AtomicReference::compareAndSet);
  }

  Reservations(Allocator allocator, DeviceInventory inventory, Publishing publishing) {
    this.publishing = publishing;
    this.allocator = Objects.requireNonNull(allocator, "allocator: got null");
    this.current =
        new AtomicReference<>(
            new Moment(Objects.requireNonNull(inventory, "inventory: got null"), Map.of()));
  }

  /**
   * Returns the inventory as it is now.
   *
   * @return the inventory, in which what is reserved is in use
   */
  public DeviceInventory inventory() {
    return now().inventory();
  }

  /**
   * Returns the reservations that were neither committed nor released.
   *
   * @return each once, in no order
   */
  public List<Reservation> open() {
    return now().open().values().stream().distinct().toList();
  }

  private Moment now() {
    return Objects.requireNonNull(current.get());
  }

  /**
   * Reserves devices for claims on a node, all or none.
   *
   * @param node the name of the node
   * @param claims pending claims
   * @return the reservation, or why there is none
   */
  public ReservationOutcome reserve(String node, List<ResourceClaim> claims) {
    return reserve(
        claims,
        inventory ->
            Optional.of(new ClusterFit.OnNode(node, allocator.allocate(inventory, node, claims))));
  }

  /**
   * Reserves devices for claims on the first node that has some.
   *
   * @param fit chooses the node, for example {@code ClusterFit::first}, or the first of those that
   *     a pod may run on
   * @param claims pending claims
   * @return the reservation, or why there is none
   */
  public ReservationOutcome reserve(
      Function<ClusterFit, Optional<ClusterFit.OnNode>> fit, List<ResourceClaim> claims) {
    return reserve(claims, inventory -> fit.apply(allocator.allocate(inventory, claims)));
  }

  private ReservationOutcome reserve(
      List<ResourceClaim> claims, Function<DeviceInventory, Optional<ClusterFit.OnNode>> allocate) {
    for (; ; ) {
      Moment before = now();
      for (ResourceClaim claim : claims) {
        ClaimKey key = ClaimKey.of(claim);
        if (before.open().containsKey(key) || !before.inventory().heldBy(key).isEmpty()) {
          return new AlreadyHeld(key);
        }
      }
      Optional<ClusterFit.OnNode> there = allocate.apply(before.inventory());
      if (there.isEmpty()) {
        return new Nowhere();
      }
      if (!(there.get().outcome() instanceof Allocated allocated)) {
        return new Refused(there.get().outcome());
      }
      Reservation reservation = new Reservation(there.get().node(), allocated.allocations());
      Map<ClaimKey, Reservation> open = new HashMap<>(before.open());
      reservation.keys().forEach(key -> open.put(key, reservation));
      if (publish(before, new Moment(before.inventory().apply(puts(reservation)), open))) {
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

  @SuppressWarnings("ReferenceEquality") // the same moment: nothing to change
  private void change(UnaryOperator<Moment> step) {
    for (; ; ) {
      Moment before = now();
      Moment after = step.apply(before);
      if (after == before || publish(before, after)) {
        return;
      }
    }
  }

  /**
   * Ends a reservation whose allocations were written: the claims have their devices from now on. A
   * reservation that is not open any more stays as it is.
   *
   * @param reservation the reservation
   */
  public void commit(Reservation reservation) {
    change(
        before ->
            isOpen(before, reservation)
                ? new Moment(before.inventory(), without(before.open(), reservation))
                : before);
  }

  /**
   * Ends a reservation whose allocations were not written: its devices are free from now on. A
   * reservation that is not open any more stays as it is.
   *
   * @param reservation the reservation
   */
  public void release(Reservation reservation) {
    change(
        before -> {
          if (!isOpen(before, reservation)) {
            return before;
          }
          List<ClaimRemoved> removed =
              reservation.keys().stream()
                  .filter(key -> before.open().get(key) == reservation)
                  .map(ClaimRemoved::new)
                  .toList();
          return new Moment(before.inventory().apply(removed), without(before.open(), reservation));
        });
  }

  @SuppressWarnings("ReferenceEquality") // two reservations are never the same
  private static boolean isOpen(Moment moment, Reservation reservation) {
    return reservation.keys().stream().anyMatch(key -> moment.open().get(key) == reservation);
  }

  @SuppressWarnings("ReferenceEquality")
  private static Map<ClaimKey, Reservation> without(
      Map<ClaimKey, Reservation> open, Reservation reservation) {
    Map<ClaimKey, Reservation> left = new HashMap<>(open);
    left.values().removeIf(each -> each == reservation);
    return left;
  }

  /**
   * Follows what happens in the cluster. A claim that is reserved stays so while the cluster says
   * that it is pending; what the cluster says of its allocation, or that it is gone, ends the
   * reservation of this claim.
   *
   * @param events what has happened, in this order
   */
  public void apply(List<? extends InventoryEvent> events) {
    change(
        before -> {
          Map<ClaimKey, Reservation> open = new HashMap<>(before.open());
          List<InventoryEvent> told = new ArrayList<>(events.size());
          for (InventoryEvent event : events) {
            if (event instanceof ClaimPut put) {
              ClaimKey key = ClaimKey.of(put.claim());
              if (put.claim().allocation() == null && open.containsKey(key)) {
                continue; // the cluster does not know yet
              }
              open.remove(key);
            } else if (event instanceof ClaimRemoved removed) {
              open.remove(removed.claim());
            }
            told.add(event);
          }
          return new Moment(before.inventory().apply(told), open);
        });
  }
}
