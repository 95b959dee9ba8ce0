package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The selector of a taint rule: it selects the devices that match all given fields. An empty
 * selector selects every device.
 *
 * @param driver the driver's name, or {@code null} for any
 * @param pool the pool's name, or {@code null} for any
 * @param device the device's name, or {@code null} for any
 */
public record DeviceTaintSelector(
    @Nullable String driver, @Nullable String pool, @Nullable String device) {

  /**
   * {@return whether the rule selects a device: all given fields are equal}
   *
   * @param id the device
   */
  public boolean selects(DeviceId id) {
    Checks.value("id", id);
    return (driver == null || driver.equals(id.driver()))
        && (pool == null || pool.equals(id.pool()))
        && (device == null || device.equals(id.device()));
  }
}
