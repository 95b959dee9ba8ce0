package io.dra4j.dranet;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.spi.DriverException;

/**
 * Knows what a profile of a configuration stands for: addresses out of a pool, or whatever else a
 * site decides in one place. What the configuration itself says wins over the profile. Thread-safe.
 */
public interface ProfileProvider {

  /**
   * Gives a device what the profile stands for. The same request again gets the same answer, also
   * in a later process.
   *
   * @param request the profile and the device
   * @return what the device is to be like
   * @throws DriverException if there is no such profile ({@link DriverException.Kind#INVALID}), or
   *     nothing is left of it ({@link DriverException.Kind#UNAVAILABLE})
   */
  NetworkConfig acquire(ProfileRequest request) throws DriverException;

  /**
   * Takes back what a device was given. Nothing happens if it was given nothing.
   *
   * @param request the request as it was made
   * @throws DriverException if it cannot be taken back now; it is asked again later
   */
  void release(ProfileRequest request) throws DriverException;
}
