package io.dra4j.runtime;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.DriverException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A call about a claim failed. The message names the claim, the driver, and, if the driver said so,
 * the device and the field of the configuration.
 */
public final class ClaimException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The claim, as namespace/name. */
  private final String claim;

  /** The driver that it is about. */
  private final @Nullable String driver;

  /** Why. */
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
   * Says which claim it is about.
   *
   * @return namespace, name and unique id as text, or the unique id alone
   */
  public String claim() {
    return claim;
  }

  /**
   * Says which driver failed.
   *
   * @return the name of the driver; null if none did
   */
  public @Nullable String driver() {
    return driver;
  }

  /**
   * Says why, and so whether it makes sense to ask again.
   *
   * @return the kind of failure
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Says which device the driver failed with.
   *
   * @return the name of the device; null if the driver named none
   */
  public @Nullable String device() {
    return getCause() instanceof DriverException known ? known.device() : null;
  }

  /**
   * Says which field of the configuration caused the failure.
   *
   * @return a JSON pointer; null if none did
   */
  public @Nullable String field() {
    return getCause() instanceof DriverException known ? known.field() : null;
  }
}
