package io.dra4j.spi;

import java.util.Objects;

/**
 * Whether a device works (KEP-4680).
 *
 * @param device the name of the device
 * @param status whether it works
 * @param message why it does not, for operators; empty if there is nothing to say
 */
public record DeviceHealth(String device, Status status, String message) {

  /** Whether a device works. */
  public enum Status {
    /** It works. */
    HEALTHY,
    /** It does not work. */
    UNHEALTHY,
    /** That cannot be told. */
    UNKNOWN
  }

  /** Refuses null. {@inheritDoc} */
  public DeviceHealth {
    Objects.requireNonNull(device, "DeviceHealth.device");
    Objects.requireNonNull(status, "DeviceHealth.status");
    Objects.requireNonNull(message, "DeviceHealth.message");
  }
}
