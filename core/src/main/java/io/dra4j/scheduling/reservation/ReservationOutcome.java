package io.dra4j.scheduling.reservation;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.ClaimKey;

/** The outcome of a wish to reserve devices. */
public sealed interface ReservationOutcome {

  /**
   * The devices are kept.
   *
   * @param reservation to commit or to release
   */
  record Reserved(Reservation reservation) implements ReservationOutcome {

    /** For people: the claims and the node. */
    @Override
    public String toString() {
      return "reserved: " + reservation;
    }
  }

  /**
   * No devices are kept, because there are none.
   *
   * @param outcome why; never {@code Allocated}
   */
  record Refused(AllocationOutcome outcome) implements ReservationOutcome {

    /** For people: why there are no devices. */
    @Override
    public String toString() {
      return "not reserved: " + outcome;
    }
  }

  /** No devices are kept, because no node that was chosen among has some. */
  record Nowhere() implements ReservationOutcome {

    /** For people. */
    @Override
    public String toString() {
      return "not reserved: no node has the devices";
    }
  }

  /**
   * No devices are kept, because the claim has some already: reserved, or allocated.
   *
   * @param claim the claim
   */
  record AlreadyHeld(ClaimKey claim) implements ReservationOutcome {

    /** For people: which claim it is. */
    @Override
    public String toString() {
      return "not reserved: " + claim + " has devices already";
    }
  }
}
