package io.dra4j.scheduling.reservation;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.ClaimKey;
import java.util.function.Function;

/** The outcome of a call to reserve devices. */
public sealed interface ReservationOutcome {

  /**
   * The devices are reserved.
   *
   * @param reservation the reservation, to commit or to release
   */
  record Reserved(Reservation reservation) implements ReservationOutcome {

    /** Returns a text for readers: the claims and the node. */
    @Override
    public String toString() {
      return "reserved: " + reservation;
    }
  }

  /**
   * No devices are reserved, because the node has none for the claims.
   *
   * @param outcome the reason; never {@code Allocated}
   */
  record Refused(AllocationOutcome outcome) implements ReservationOutcome {

    /** Returns a text for readers: the reason why there are no devices. */
    @Override
    public String toString() {
      return "not reserved: " + outcome;
    }
  }

  /** No devices are reserved, because none of the candidate nodes has devices for the claims. */
  record Nowhere() implements ReservationOutcome {

    /** Returns a text for readers. */
    @Override
    public String toString() {
      return "not reserved: no node has the devices";
    }
  }

  /**
   * No devices are reserved, because the claim already has reserved or allocated devices.
   *
   * @param claim the claim
   */
  record AlreadyHeld(ClaimKey claim) implements ReservationOutcome {

    /** Returns a text for readers: the claim. */
    @Override
    public String toString() {
      return "not reserved: " + claim + " has devices already";
    }
  }

  /**
   * {@return the result of the function for this outcome} From Java 21 on, a switch does the same.
   *
   * @param <T> the type of the value
   * @param reserved used when the devices are reserved
   * @param refused used when the node does not have them
   * @param nowhere used when none of the candidate nodes has them
   * @param alreadyHeld used when the claim has devices already
   */
  default <T> T fold(
      Function<Reserved, T> reserved,
      Function<Refused, T> refused,
      Function<Nowhere, T> nowhere,
      Function<AlreadyHeld, T> alreadyHeld) {
    if (this instanceof Reserved answer) {
      return reserved.apply(answer);
    } else if (this instanceof Refused answer) {
      return refused.apply(answer);
    } else if (this instanceof Nowhere answer) {
      return nowhere.apply(answer);
    } else {
      return alreadyHeld.apply((AlreadyHeld) this);
    }
  }
}
