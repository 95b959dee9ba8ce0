package io.dra4j.spi;

import java.util.Objects;

/**
 * A claim, and what preparing it came to. The runtime keeps both until the claim is unprepared,
 * also while the driver does not run.
 *
 * @param claimed what the claim got
 * @param prepared what {@link PreparingDriver#prepare} answered; {@link Prepared#NOTHING} if it
 *     failed or was cut short
 */
public record PreparedClaim(ClaimedDevices claimed, Prepared prepared) {

  /** Refuses null. {@inheritDoc} */
  public PreparedClaim {
    Objects.requireNonNull(claimed, "claimed");
    Objects.requireNonNull(prepared, "prepared");
  }

  /**
   * Says which claim it is.
   *
   * @return the claim
   */
  public ClaimReference claim() {
    return claimed.claim();
  }
}
