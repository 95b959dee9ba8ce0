package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * One alternative of a request (KEP-4816).
 *
 * @param name unique in its request; referred to as {@code request/subrequest}
 * @param request the requested devices
 */
public record DeviceSubRequest(String name, ExactDeviceRequest request) {
  /** Rejects null. {@inheritDoc} */
  public DeviceSubRequest {
    Checks.value("DeviceSubRequest.name", name);
    Checks.value("DeviceSubRequest.request", request);
  }
}
