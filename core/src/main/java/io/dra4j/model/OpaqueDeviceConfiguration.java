package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * Parameters that only a driver interprets.
 *
 * @param driver the driver that interprets them
 * @param parameters a JSON value as text, normally an object; empty when not given
 */
public record OpaqueDeviceConfiguration(String driver, String parameters) {

  /** Rejects null. {@inheritDoc} */
  public OpaqueDeviceConfiguration {
    Checks.value("OpaqueDeviceConfiguration.driver", driver);
    Checks.value("OpaqueDeviceConfiguration.parameters", parameters);
  }

  /**
   * The maximum number of UTF-8 bytes that the API server accepts as parameters
   * (OpaqueParametersMaxLength).
   */
  public static final int MAX_BYTES = 10_240;
}
