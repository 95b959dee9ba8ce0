package io.dra4j.spi;

import io.dra4j.common.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * A driver could not do what it was asked for. The message says to an operator what, of which
 * object, and what was expected; it says neither claim nor driver where the runtime knows them.
 */
public class DriverException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Why a driver could not do what it was asked for, and so whether it makes sense to ask again.
   */
  public enum Kind {
    /** The claim asks for what cannot be. Asking again gives the same answer. */
    INVALID,
    /** A device or a namespace is gone or in use. It may come back. */
    UNAVAILABLE,
    /** The system failed: a call of the kernel, the disk, the network. It may work again later. */
    FAILED
  }

  /** Why. */
  private final Kind kind;

  /** The device that it is about. */
  private final @Nullable String device;

  /** A JSON pointer. */
  private final @Nullable String field;

  /** What is wrong. */
  private final String problem;

  /**
   * An exception about a device and a field.
   *
   * @param kind why
   * @param device the name of the device that it is about; null if about none
   * @param field a JSON pointer into the configuration that caused it; null if none did
   * @param problem what is wrong, and what was expected
   * @param cause what was thrown underneath; null if nothing was
   */
  public DriverException(
      Kind kind,
      @Nullable String device,
      @Nullable String field,
      String problem,
      @Nullable Throwable cause) {
    super(
        PrintableText.of( // names of claims and of the kernel may be in it
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
   * The claim asks for what cannot be.
   *
   * @param problem what is wrong, and what was expected
   * @return an exception of kind {@link Kind#INVALID}
   */
  public static DriverException invalid(String problem) {
    return new DriverException(Kind.INVALID, null, null, problem, null);
  }

  /**
   * A device or a namespace is gone or in use.
   *
   * @param problem what is gone or in use
   * @return an exception of kind {@link Kind#UNAVAILABLE}
   */
  public static DriverException unavailable(String problem) {
    return new DriverException(Kind.UNAVAILABLE, null, null, problem, null);
  }

  /**
   * The system failed.
   *
   * @param problem what failed: call, object, error
   * @param cause what was thrown underneath; null if nothing was
   * @return an exception of kind {@link Kind#FAILED}
   */
  public static DriverException failed(String problem, @Nullable Throwable cause) {
    return new DriverException(Kind.FAILED, null, null, problem, cause);
  }

  /**
   * The same failure, said of a device.
   *
   * @param name the name of the device
   * @return an exception that names the device
   */
  public DriverException forDevice(String name) {
    return new DriverException(kind, name, field, problem, this);
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
   * Says which device the failure is about.
   *
   * @return the name of the device; null if it is about none
   */
  public @Nullable String device() {
    return device;
  }

  /**
   * Says which field of a configuration caused the failure.
   *
   * @return a JSON pointer (RFC 6901); null if no field did
   */
  public @Nullable String field() {
    return field;
  }
}
