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

  /** The most UTF-8 bytes of parameters that the API server accepts (OpaqueParametersMaxLength). */
  public static final int MAX_BYTES = 10_240;
}
