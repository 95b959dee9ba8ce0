package io.dra4j.spi;

import io.dra4j.model.DeviceTaint;
import io.dra4j.model.TaintEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The health of a device (KEP-4680).
 *
 * @param pool the pool of the device; {@link DeviceDriver#NODE_POOL} stands for the pool of the
 *     node
 * @param device the name of the device
 * @param status the state of the device
 * @param message the reason why it does not work, for operators; empty for none
 * @param lastUpdated the time at which the health was determined; null if it was determined just
 *     now, and the runtime sets the time
 * @param timeout how long after {@code lastUpdated} the health is valid; afterwards the kubelet
 *     treats the device as {@link Status#UNKNOWN}; null for the kubelet's default of 30 seconds
 */
public record DeviceHealth(
    String pool,
    String device,
    Status status,
    String message,
    @Nullable Instant lastUpdated,
    @Nullable Duration timeout) {

  /** The state of a device. */
  public enum Status {
    /** The device works. */
    HEALTHY,
    /** The device does not work. */
    UNHEALTHY,
    /** The state is not known. */
    UNKNOWN
  }

  /**
   * Rejects null, except for the times. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the timeout is shorter than a second
   */
  public DeviceHealth {
    Objects.requireNonNull(pool, "pool");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(message, "message");
    if (timeout != null && timeout.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "DeviceHealth.timeout of device %s: expected at least 1 s, found %s"
              .formatted(device, timeout));
    }
  }

  /**
   * Creates the current health of a device in the pool of the node.
   *
   * @param device the name of the device
   * @param status the state of the device
   * @param message the reason why it does not work, for operators; empty for none
   */
  public DeviceHealth(String device, Status status, String message) {
    this(DeviceDriver.NODE_POOL, device, status, message, null, null);
  }

  /**
   * {@return the health of a working device in the pool of the node}
   *
   * @param device the name of the device
   */
  public static DeviceHealth healthy(String device) {
    return new DeviceHealth(device, Status.HEALTHY, "");
  }

  /**
   * {@return the health of a device that does not work, in the pool of the node} The runtime gives
   * it the {@link #unhealthyTaint}, so that only claims that tolerate the taint get the device.
   *
   * @param device the name of the device
   * @param message the reason, for operators
   */
  public static DeviceHealth unhealthy(String device, String message) {
    return new DeviceHealth(device, Status.UNHEALTHY, message);
  }

  /**
   * {@return the taint {@code <driver>/unhealthy:NoSchedule} of {@link Status#UNHEALTHY} devices}
   * Claims that do not tolerate it do not get the device; running pods keep it.
   *
   * @param driver the name of the driver
   */
  public static DeviceTaint unhealthyTaint(String driver) {
    return DeviceTaint.of(driver + "/unhealthy", "", TaintEffect.NO_SCHEDULE);
  }

  /**
   * {@return this health for a device in another pool}
   *
   * @param name the name of the pool
   */
  public DeviceHealth inPool(String name) {
    return new DeviceHealth(name, device, status, message, lastUpdated, timeout);
  }

  /**
   * {@return this health as of a time}
   *
   * @param foundAt the time at which it was determined
   */
  public DeviceHealth asOf(Instant foundAt) {
    return new DeviceHealth(
        pool, device, status, message, Objects.requireNonNull(foundAt, "foundAt"), timeout);
  }

  /**
   * {@return this health with a period of validity}
   *
   * @param duration the period, at least a second
   * @throws IllegalArgumentException if the duration is shorter
   */
  public DeviceHealth validFor(Duration duration) {
    return new DeviceHealth(pool, device, status, message, lastUpdated, duration);
  }
}
