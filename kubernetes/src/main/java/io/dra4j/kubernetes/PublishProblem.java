package io.dra4j.kubernetes;

import java.time.Instant;
import java.util.List;

/**
 * Something keeps a driver's devices from being published as they are offered.
 *
 * @param kind what
 * @param pool the name of the pool; empty if it is about all pools
 * @param devices the names of the devices that are left out; empty if it is not about single ones
 * @param message what the API server says, for a person
 * @param since when it began: while it lasts, later reports of it have the same time
 */
public record PublishProblem(
    Kind kind, String pool, List<String> devices, String message, Instant since) {

  /** What is wrong. */
  public enum Kind {
    /** The API server refuses devices. The others are published. */
    REFUSED,
    /** The API server has dropped fields. */
    DROPPED_FIELDS,
    /** Others change the slices again and again. They are published again after pauses. */
    DISPUTED,
    /** The credentials lack a right, or the cluster does not serve slices. It is tried again. */
    DENIED,
    /** The API server does not answer. It is tried again. */
    UNAVAILABLE,
    /** A defect of the program. It is tried again. */
    FAILED;

    /** Whether nothing of the pool is read or written as long as it lasts. */
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
              + " are refused: "
              + message;
      case DROPPED_FIELDS, DISPUTED -> what + ": " + message;
      case DENIED, UNAVAILABLE, FAILED -> what + " cannot be published yet: " + message;
    };
  }
}
