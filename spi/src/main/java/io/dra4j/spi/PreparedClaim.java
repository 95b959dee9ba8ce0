package io.dra4j.spi;

import java.util.Objects;

/**
 * A claim and the result of its preparation. The runtime keeps both until the claim is unprepared,
 * also while the driver does not run.
 *
 * @param claimed the devices of the claim
 * @param prepared the result of {@link PreparingDriver#prepare}; {@link Prepared#NOTHING} if the
 *     preparation failed or was interrupted
 */
public record PreparedClaim(ClaimedDevices claimed, Prepared prepared) {

  /** Rejects null. {@inheritDoc} */
  public PreparedClaim {
    Objects.requireNonNull(claimed, "claimed");
    Objects.requireNonNull(prepared, "prepared");
  }

  /** {@return the reference of the claim} */
  public ClaimReference claim() {
    return claimed.claim();
  }
}
