package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Which devices a taint rule is for: those that all given fields fit. An empty selector fits every
 * device.
 *
 * @param driver the driver's name, or {@code null} for any
 * @param pool the pool's name, or {@code null} for any
 * @param device the device's name, or {@code null} for any
 */
public record DeviceTaintSelector(
    @Nullable String driver, @Nullable String pool, @Nullable String device) {

  /**
   * Whether the rule is for a device.
   *
   * @param id the device
   * @return whether all given fields are equal
   */
  public boolean selects(DeviceId id) {
    Checks.value("id", id);
    return (driver == null || driver.equals(id.driver()))
        && (pool == null || pool.equals(id.pool()))
        && (device == null || device.equals(id.device()));
  }
}
