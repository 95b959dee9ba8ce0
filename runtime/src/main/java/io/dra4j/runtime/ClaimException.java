package io.dra4j.runtime;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.DriverException.Kind;
import org.jspecify.annotations.Nullable;

/** A failed call for a claim; the message names it, its driver, any reported device and field. */
public final class ClaimException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The claim, as namespace/name. */
  private final String claim;

  /** The driver of the failed call. */
  private final @Nullable String driver;

  /** The kind of failure. */
  private final Kind kind;

  ClaimException(
      String claim, @Nullable String driver, Kind kind, String problem, @Nullable Throwable cause) {
    super(
        "claim " + claim + ": " + (driver == null ? "" : "driver " + driver + ": ") + problem,
        cause);
    this.claim = claim;
    this.driver = driver;
    this.kind = kind;
  }

  static ClaimException of(Object claim, String driver, DriverException cause) {
    return new ClaimException(
        claim.toString(), driver, cause.kind(), String.valueOf(cause.getMessage()), cause);
  }

  static ClaimException ofStore(String claim, StoreException cause) {
    return new ClaimException(claim, null, Kind.FAILED, String.valueOf(cause.getMessage()), cause);
  }

  /** {@return the namespace, name and UID of the claim as a string, or only the UID} */
  public String claim() {
    return claim;
  }

  /** {@return the name of the driver that failed; null if no driver failed} */
  public @Nullable String driver() {
    return driver;
  }

  /** {@return the kind of failure, which determines whether a retry is useful} */
  public Kind kind() {
    return kind;
  }

  /** {@return the name of the device for which the driver failed; null if the driver named none} */
  public @Nullable String device() {
    return getCause() instanceof DriverException known ? known.device() : null;
  }

  /** {@return a JSON pointer to the configuration's field that caused the failure; null if none} */
  public @Nullable String field() {
    return getCause() instanceof DriverException known ? known.field() : null;
  }
}
