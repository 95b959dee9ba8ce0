package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * One alternative of a request (KEP-4816).
 *
 * @param name unique in its request; referred to as {@code request/subrequest}
 * @param request what devices it asks for
 */
public record DeviceSubRequest(String name, ExactDeviceRequest request) {
  /** Refuses null. {@inheritDoc} */
  public DeviceSubRequest {
    Checks.value("DeviceSubRequest.name", name);
    Checks.value("DeviceSubRequest.request", request);
  }
}
