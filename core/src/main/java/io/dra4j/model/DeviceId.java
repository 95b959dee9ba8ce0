package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The driver, pool and name that identify a device in a cluster.
 *
 * @param driver the driver's name
 * @param pool the pool's name
 * @param device the device's name
 */
public record DeviceId(String driver, String pool, String device) implements Comparable<DeviceId> {

  /** Rejects null. {@inheritDoc} */
  public DeviceId {
    Checks.value("DeviceId.driver", driver);
    Checks.value("DeviceId.pool", pool);
    Checks.value("DeviceId.device", device);
  }

  /** Compares by driver, pool and name. */
  @Override
  public int compareTo(DeviceId other) {
    int order = driver.compareTo(other.driver);
    order = order != 0 ? order : pool.compareTo(other.pool);
    return order != 0 ? order : device.compareTo(other.device);
  }

  /** {@return {@code driver/pool/device}, as Kubernetes writes the device in messages} */
  @Override
  public String toString() {
    return driver + "/" + pool + "/" + device;
  }
}
