package io.dra4j.kubernetes;

import java.time.Instant;
import java.util.List;

/**
 * A reason why a driver's devices are not published as offered.
 *
 * @param kind the kind of problem
 * @param pool the name of the pool; empty if all pools are affected
 * @param devices the names of the devices that are not published; empty if the problem does not
 *     concern single devices
 * @param message a description for people, with the message of the API server
 * @param since the time at which the problem began; later reports of the same problem keep it
 */
public record PublishProblem(
    Kind kind, String pool, List<String> devices, String message, Instant since) {

  /** The kinds of problems. */
  public enum Kind {
    /** The API server refuses devices. The others are published. */
    REFUSED,
    /** The API server has dropped fields of devices. */
    DROPPED_FIELDS,
    /** Another writer keeps changing the slices. They are published again after pauses. */
    DISPUTED,
    /** The credentials lack a permission, or the cluster does not serve slices. It is retried. */
    DENIED,
    /** The API server does not respond. Publishing is retried. */
    UNAVAILABLE,
    /** A defect of the program. Publishing is retried. */
    FAILED;

    /** Whether the pool is neither read nor written while the problem lasts. */
    boolean isBlocking() {
      return this == DENIED || this == UNAVAILABLE || this == FAILED;
    }
  }

  /** Copies the list. {@inheritDoc} */
  public PublishProblem {
    devices = List.copyOf(devices);
  }

  /** Returns the problem as a line of a log. */
  @Override
  public String toString() {
    String what = pool.isEmpty() ? "ResourceSlices" : "ResourceSlices of pool " + pool;
    return switch (kind) {
      case REFUSED ->
          what
              + (devices.isEmpty() ? "" : ", devices " + String.join(", ", devices))
              + ": refused by the API server: "
              + message;
      case DROPPED_FIELDS, DISPUTED -> what + ": " + message;
      case DENIED, UNAVAILABLE, FAILED -> what + " cannot be published yet: " + message;
    };
  }
}
