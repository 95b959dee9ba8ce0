package io.dra4j.scheduling.reservation;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.ClaimKey;
import java.util.function.Function;

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

  /**
   * Turns the answer into one value. On Java 21 and later a pattern-matching switch does the same.
   *
   * @param <T> the type of the value
   * @param reserved used when the devices are kept
   * @param refused used when the node does not have them
   * @param nowhere used when no node that was chosen among has them
   * @param alreadyHeld used when the claim has devices already
   * @return the value of the function that fits
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
