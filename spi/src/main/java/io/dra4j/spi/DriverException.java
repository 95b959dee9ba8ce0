package io.dra4j.spi;

import io.dra4j.common.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a driver cannot do what it was asked for. The message states the problem, the object
 * and the expected value for an operator. It need not name the claim and the driver: the runtime
 * adds them.
 */
public class DriverException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The reason for a failure, which decides whether it makes sense to try again. */
  public enum Kind {
    /** The claim requests something impossible. Another attempt gives the same answer. */
    INVALID,
    /** A device or a namespace is gone or in use. It may become available again. */
    UNAVAILABLE,
    /** The system failed: a call of the kernel, the disk, the network. It may work again later. */
    FAILED
  }

  /** The reason for the failure. */
  private final Kind kind;

  /** The device that failed. */
  private final @Nullable String device;

  /** A JSON pointer. */
  private final @Nullable String field;

  /** The problem, and the expected value. */
  private final String problem;

  /**
   * Creates an exception that names a device and a field.
   *
   * @param kind the reason for the failure
   * @param device the name of the device that failed; null for none
   * @param field a JSON pointer into the configuration that caused the failure; null for none
   * @param problem the problem, and the expected value
   * @param cause the cause; null for none
   */
  public DriverException(
      Kind kind,
      @Nullable String device,
      @Nullable String field,
      String problem,
      @Nullable Throwable cause) {
    super(
        PrintableText.of( // the problem may contain names from claims and from the kernel
            (device == null ? "" : "device " + device + ": ")
                + (field == null ? "" : (field.isEmpty() ? "configuration" : field) + ": ")
                + problem),
        cause);
    this.kind = kind;
    this.device = device;
    this.field = field;
    this.problem = problem;
  }

  /**
   * {@return an exception of {@link Kind#INVALID} for a claim that requests something impossible}
   *
   * @param problem the problem, and the expected value
   */
  public static DriverException invalid(String problem) {
    return new DriverException(Kind.INVALID, null, null, problem, null);
  }

  /**
   * {@return an exception of {@link Kind#UNAVAILABLE}: a device or namespace is gone or in use}
   *
   * @param problem the object that is gone or in use
   */
  public static DriverException unavailable(String problem) {
    return new DriverException(Kind.UNAVAILABLE, null, null, problem, null);
  }

  /**
   * {@return an exception of kind {@link Kind#FAILED} for a failure of the system}
   *
   * @param problem the failure: call, object, error
   * @param cause the cause; null for none
   */
  public static DriverException failed(String problem, @Nullable Throwable cause) {
    return new DriverException(Kind.FAILED, null, null, problem, cause);
  }

  /**
   * {@return this failure with the name of a device}
   *
   * @param name the name of the device
   */
  public DriverException forDevice(String name) {
    return new DriverException(kind, name, field, problem, this);
  }

  /** {@return the kind of failure, which decides whether it makes sense to try again} */
  public Kind kind() {
    return kind;
  }

  /** {@return the name of the device that failed; null for none} */
  public @Nullable String device() {
    return device;
  }

  /** {@return the configuration field at fault, as a JSON pointer (RFC 6901); null for none} */
  public @Nullable String field() {
    return field;
  }
}
