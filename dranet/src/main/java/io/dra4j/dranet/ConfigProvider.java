package io.dra4j.dranet;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.spi.DriverException;

/**
 * Provides the configuration of devices at a site, for example the routes of a cloud. The driver
 * calls it when it prepares a claim. The configurations of class and claim win over the provided
 * one, which wins over a profile. Thread-safe.
 */
@FunctionalInterface
public interface ConfigProvider {

  /**
   * {@return the configuration of a device; {@link NetworkConfig#EMPTY} if the provider sets none}
   *
   * @param device the device
   * @throws DriverException if the configuration is not available now
   */
  NetworkConfig configurationOf(NetworkDevice device) throws DriverException;
}
