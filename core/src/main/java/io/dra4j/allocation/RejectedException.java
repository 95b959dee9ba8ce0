package io.dra4j.allocation;

import io.dra4j.inventory.NodeSelectorException;
import java.io.Serial;

/**
 * Ends an allocation for which the input is at fault, wherever the fault shows. Never leaves the
 * package: {@link Allocator} turns it into {@link AllocationOutcome.Rejected}. Without stack trace,
 * because it tells of the input, not of the program.
 */
final class RejectedException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final RejectionReason reason;
  private final boolean ofOneDevice;

  RejectedException(RejectionReason reason, String message) {
    this(reason, message, false);
  }

  private RejectedException(RejectionReason reason, String message, boolean ofOneDevice) {
    super(message, null, false, false);
    this.reason = reason;
    this.ofOneDevice = ofOneDevice;
  }

  /** An expression that fails on one device, and may not fail on others. */
  static RejectedException ofOneDevice(String message) {
    return new RejectedException(RejectionReason.EXPRESSION, message, true);
  }

  boolean isOfOneDevice() {
    return ofOneDevice;
  }

  static RejectedException of(NodeSelectorException fault) {
    return new RejectedException(RejectionReason.SLICE, String.valueOf(fault.getMessage()));
  }

  RejectionReason reason() {
    return reason;
  }

  String error() {
    return String.valueOf(getMessage());
  }

  /** The same fault, told with where it is. */
  RejectedException at(String where) {
    return new RejectedException(reason, where + ": " + error());
  }
}
