package io.dra4j.kubernetes;

import io.dra4j.model.Device;
import io.dra4j.spi.publish.DevicePool;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Removes a driver's own domain from the names of attributes and capacities, as they are published:
 * {@code model} for {@code gpu.example.com/model}.
 *
 * @param driver the name of the driver, which is its domain
 */
record OwnNames(String driver) {

  /** Returns the pool with short names for the driver's own domain. */
  DevicePool shorten(DevicePool pool) {
    return pool.toBuilder().devices(pool.devices().stream().map(this::shorten).toList()).build();
  }

  private Device shorten(Device device) {
    if (device.attributes().keySet().stream().noneMatch(this::isOwn)
        && device.capacity().keySet().stream().noneMatch(this::isOwn)) {
      return device;
    }
    return device.toBuilder()
        .attributes(shorten(device.attributes()))
        .capacity(shorten(device.capacity()))
        .build();
  }

  private boolean isOwn(String name) {
    return name.startsWith(driver + "/");
  }

  private <V> Map<String, V> shorten(Map<String, V> values) {
    Map<String, V> names = new LinkedHashMap<>();
    values.forEach(
        (name, value) ->
            names.put(isOwn(name) ? name.substring(driver.length() + 1) : name, value));
    return names;
  }
}
