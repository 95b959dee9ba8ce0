package io.dra4j.dranet;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.spi.DriverException;

/**
 * Provides the settings behind a profile that a configuration names: addresses from a pool, or
 * other settings that a site manages in one place. The configuration itself wins over the profile.
 * Thread-safe.
 */
public interface ProfileProvider {

  /**
   * {@return the settings of a profile for a device, the same for a request in later processes too}
   *
   * @param request the profile and the device
   * @throws DriverException if there is no such profile ({@link DriverException.Kind#INVALID}), or
   *     it has no free address ({@link DriverException.Kind#UNAVAILABLE})
   */
  NetworkConfig acquire(ProfileRequest request) throws DriverException;

  /**
   * Releases what a device was given. Does nothing if the device was given nothing.
   *
   * @param request the request, as passed to {@link #acquire}
   * @throws DriverException if it cannot be released now; the driver tries again later
   */
  void release(ProfileRequest request) throws DriverException;
}
