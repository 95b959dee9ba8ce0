package io.dra4j.kubernetes;

import io.dra4j.model.Device;
import io.dra4j.spi.publish.DevicePool;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names of attributes and capacities of a driver's own domain, which are published without it:
 * {@code model} for {@code gpu.example.com/model}.
 *
 * @param driver the name of the driver, which is its domain
 */
record OwnNames(String driver) {

  /** The pool, in which names of the driver's own domain are short. */
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
