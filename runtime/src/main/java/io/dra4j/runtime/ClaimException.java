package io.dra4j.runtime;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.DriverException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A failed call for a claim. The message names the claim, the driver and, if the driver reported
 * them, the device and the field of the configuration.
 */
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

  /**
   * Returns the claim.
   *
   * @return the namespace, name and UID as a string, or only the UID
   */
  public String claim() {
    return claim;
  }

  /**
   * Returns the driver that failed.
   *
   * @return the name of the driver; null if no driver failed
   */
  public @Nullable String driver() {
    return driver;
  }

  /**
   * Returns the kind of failure, which determines whether a retry is useful.
   *
   * @return the kind of failure
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the device for which the driver failed.
   *
   * @return the name of the device; null if the driver named none
   */
  public @Nullable String device() {
    return getCause() instanceof DriverException known ? known.device() : null;
  }

  /**
   * Returns the field of the configuration that caused the failure.
   *
   * @return a JSON pointer; null if no field did
   */
  public @Nullable String field() {
    return getCause() instanceof DriverException known ? known.field() : null;
  }
}
