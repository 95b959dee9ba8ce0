package io.dra4j.examples;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Headroom;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.reservation.Reservation;
import io.dra4j.scheduling.reservation.ReservationOutcome;
import io.dra4j.scheduling.reservation.ReservationOutcome.Reserved;
import io.dra4j.scheduling.reservation.Reservations;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** The steps of a scheduler for a claim: follow the cluster, choose a node, reserve, commit. */
public final class ScheduleClaims {

  private final Allocator allocator;
  private final Reservations reservations;

  /**
   * Starts with the current state of a cluster.
   *
   * @param cluster its nodes, slices, classes and claims
   */
  public ScheduleClaims(ClusterSnapshot cluster) {
    // README: begin
    allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    reservations = new Reservations(allocator, DeviceInventory.of(cluster)); // for all threads
    // README: end
  }

  /**
   * Applies changes of the cluster.
   *
   * @param changed a node that was added or changed
   * @param gone the name of a slice that was removed
   */
  public void follow(Node changed, String gone) {
    // README: begin
    reservations.apply(
        List.of(new InventoryEvent.NodePut(changed), new InventoryEvent.SliceRemoved(gone)));
    // README: end
  }

  /**
   * Places one claim.
   *
   * @param claim a pending claim
   * @param write writes the allocations to the API server; false if that failed
   * @return the result, for people
   */
  public String place(ResourceClaim claim, Predicate<Reservation> write) {
    // README: begin
    ReservationOutcome outcome =
        reservations.reserve(
            query -> query.among(node -> !node.unschedulable()).first(),
            List.of(claim),
            Budget.of(Duration.ofSeconds(10))); // for all nodes together
    if (!(outcome instanceof Reserved reserved)) {
      return outcome.toString(); // no devices, a broken selector, already held, or out of time
    }
    Reservation reservation = reserved.reservation();
    if (write.test(reservation)) {
      reservations.commit(reservation); // the claim keeps its devices
    } else {
      reservations.release(reservation); // the devices are free again
    }
    // README: end
    return outcome.toString();
  }

  /**
   * Counts how many more claims like this one fit.
   *
   * @param claim the claim
   * @return the total, and the number for each node
   */
  public String left(ResourceClaim claim) {
    // README: begin
    Headroom headroom =
        allocator.headroom(reservations.inventory(), claim, 100, Budget.of(Duration.ofSeconds(10)));
    return headroom.toString(); // total(), byNode() and unfinished() for programs
    // README: end
  }
}
