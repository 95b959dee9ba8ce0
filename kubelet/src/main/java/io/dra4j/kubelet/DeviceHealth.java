package io.dra4j.kubelet;

import java.time.Duration;
import java.util.Objects;

/**
 * The health of a device, which the kubelet writes into the status of the pods that use it
 * (KEP-4680).
 *
 * @param pool the name of the pool that has the device
 * @param device the name of the device
 * @param status the status of the device
 * @param message the problem or finding, for people; may be empty
 * @param timeout how long the report is valid without an update; zero for the kubelet's default, 30
 *     s
 */
public record DeviceHealth(
    String pool, String device, Status status, String message, Duration timeout) {

  /** The status of a device. */
  public enum Status {
    /** The status is not known. */
    UNKNOWN,
    /** The device works. */
    HEALTHY,
    /** The device does not work as it should. */
    UNHEALTHY
  }

  /**
   * Checks the fields. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the timeout is negative
   */
  public DeviceHealth {
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(message, "message");
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout: expected 0 or more, found " + timeout);
    }
  }

  /**
   * {@return the health of a device with the kubelet's default timeout}
   *
   * @param pool the name of the pool
   * @param device the name of the device
   * @param status the status of the device
   * @param message the problem or finding; may be empty
   */
  public static DeviceHealth of(String pool, String device, Status status, String message) {
    return new DeviceHealth(pool, device, status, message, Duration.ZERO);
  }
}
