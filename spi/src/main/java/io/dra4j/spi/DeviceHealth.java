package io.dra4j.spi;

import io.dra4j.model.DeviceTaint;
import io.dra4j.model.TaintEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a device works (KEP-4680).
 *
 * @param pool the pool of the device; {@link DeviceDriver#NODE_POOL} stands for that of the node
 * @param device the name of the device
 * @param status whether it works
 * @param message why it does not, for operators; empty if there is nothing to say
 * @param lastUpdated when that was found out; null for a driver that has just looked, and the
 *     runtime sets the time
 * @param timeout for how long after {@code lastUpdated} it may be believed: the kubelet takes the
 *     device for {@link Status#UNKNOWN} afterwards; null for the kubelet's default of 30 seconds
 */
public record DeviceHealth(
    String pool,
    String device,
    Status status,
    String message,
    @Nullable Instant lastUpdated,
    @Nullable Duration timeout) {

  /** Whether a device works. */
  public enum Status {
    /** It works. */
    HEALTHY,
    /** It does not work. */
    UNHEALTHY,
    /** The health is not known. */
    UNKNOWN
  }

  /**
   * Refuses null but for the times. {@inheritDoc}
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
          "DeviceHealth.timeout of device %s: want at least 1 s, got %s"
              .formatted(device, timeout));
    }
  }

  /**
   * Says whether a device in the pool of the node works, as it is now.
   *
   * @param device the name of the device
   * @param status whether it works
   * @param message why it does not, for operators; empty if there is nothing to say
   */
  public DeviceHealth(String device, Status status, String message) {
    this(DeviceDriver.NODE_POOL, device, status, message, null, null);
  }

  /**
   * Says that a device in the pool of the node works.
   *
   * @param device the name of the device
   * @return its health
   */
  public static DeviceHealth healthy(String device) {
    return new DeviceHealth(device, Status.HEALTHY, "");
  }

  /**
   * Says that a device in the pool of the node does not work. The runtime gives it the {@link
   * #unhealthyTaint}, so that only claims that tolerate it get the device.
   *
   * @param device the name of the device
   * @param message why, for operators
   * @return its health
   */
  public static DeviceHealth unhealthy(String device, String message) {
    return new DeviceHealth(device, Status.UNHEALTHY, message);
  }

  /**
   * Makes the taint that a runtime gives devices which are {@link Status#UNHEALTHY}: it keeps
   * claims away that do not tolerate it, and leaves pods that have the device alone.
   *
   * @param driver the name of the driver
   * @return the taint {@code <driver>/unhealthy:NoSchedule}
   */
  public static DeviceTaint unhealthyTaint(String driver) {
    return DeviceTaint.of(driver + "/unhealthy", "", TaintEffect.NO_SCHEDULE);
  }

  /**
   * The same for a device in another pool.
   *
   * @param name the name of the pool
   * @return the health of the device in that pool
   */
  public DeviceHealth inPool(String name) {
    return new DeviceHealth(name, device, status, message, lastUpdated, timeout);
  }

  /**
   * The same as of a time.
   *
   * @param foundAt when it was found out
   * @return the health as of that time
   */
  public DeviceHealth asOf(Instant foundAt) {
    return new DeviceHealth(
        pool, device, status, message, Objects.requireNonNull(foundAt, "foundAt"), timeout);
  }

  /**
   * The same for as long as it may be believed.
   *
   * @param duration at least a second
   * @return the health with that timeout
   * @throws IllegalArgumentException if the duration is shorter
   */
  public DeviceHealth validFor(Duration duration) {
    return new DeviceHealth(pool, device, status, message, lastUpdated, duration);
  }
}
