package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * Parameters that only a driver understands.
 *
 * @param driver the driver that they are for
 * @param parameters a JSON value as text, normally an object; empty when not given
 */
public record OpaqueDeviceConfiguration(String driver, String parameters) {

  /** Refuses null. {@inheritDoc} */
  public OpaqueDeviceConfiguration {
    Checks.value("OpaqueDeviceConfiguration.driver", driver);
    Checks.value("OpaqueDeviceConfiguration.parameters", parameters);
  }

  /**
   * The most bytes of UTF-8 that the API server takes as parameters (OpaqueParametersMaxLength).
   */
  public static final int MAX_BYTES = 10_240;
}
