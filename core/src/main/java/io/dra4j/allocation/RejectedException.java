package io.dra4j.allocation;

import java.io.Serial;

/**
 * Ends an allocation for which the input is at fault, wherever the fault shows. Never leaves the
 * package: {@link Allocator} turns it into {@link AllocationOutcome.Rejected}. Without stack trace,
 * because it tells of the input, not of the program.
 */
final class RejectedException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  RejectedException(String message) {
    super(message, null, false, false);
  }

  String error() {
    return String.valueOf(getMessage());
  }
}
