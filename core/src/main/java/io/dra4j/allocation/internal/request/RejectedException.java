package io.dra4j.allocation.internal.request;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.inventory.NodeSelectorException;
import java.io.Serial;

/**
 * Ends an allocation because of an error in its input. Internal: {@link Allocator} converts it to
 * {@link AllocationOutcome.Rejected}. Has no stack trace, because it reports an error of the input,
 * not of the program.
 */
public final class RejectedException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final RejectionReason reason;
  private final boolean ofOneDevice;

  public RejectedException(RejectionReason reason, String message) {
    this(reason, message, false);
  }

  private RejectedException(RejectionReason reason, String message, boolean ofOneDevice) {
    super(message, null, false, false);
    this.reason = reason;
    this.ofOneDevice = ofOneDevice;
  }

  /**
   * Creates the exception for an expression that fails on one device, and may not fail on others.
   */
  public static RejectedException ofOneDevice(String message) {
    return new RejectedException(RejectionReason.EXPRESSION, message, true);
  }

  public boolean isOfOneDevice() {
    return ofOneDevice;
  }

  static RejectedException of(NodeSelectorException fault) {
    return new RejectedException(RejectionReason.SLICE, String.valueOf(fault.getMessage()));
  }

  public RejectionReason reason() {
    return reason;
  }

  public String error() {
    return String.valueOf(getMessage());
  }

  /** This error with its place. */
  RejectedException at(String where) {
    return new RejectedException(reason, where + ": " + error());
  }
}
