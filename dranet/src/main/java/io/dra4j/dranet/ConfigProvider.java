package io.dra4j.dranet;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.spi.DriverException;

/**
 * Knows what a device is to be like at a site, for example the routes of a cloud. It is asked when
 * a claim is prepared. What class and claim say wins over the answer; the answer wins over a
 * profile. Thread-safe.
 */
@FunctionalInterface
public interface ConfigProvider {

  /**
   * Gives the configuration of a device.
   *
   * @param device the device
   * @return the configuration; {@link NetworkConfig#EMPTY} if there is nothing to say
   * @throws DriverException if the answer cannot be had now
   */
  NetworkConfig configurationOf(NetworkDevice device) throws DriverException;
}
