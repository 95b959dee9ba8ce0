package io.dra4j.model;

import io.dra4j.internal.NoNulls;

/**
 * One alternative of a request (KEP-4816).
 *
 * @param name unique in its request; referred to as {@code request/subrequest}
 * @param request what devices it asks for
 */
public record DeviceSubRequest(String name, ExactDeviceRequest request) {
  /** Refuses null. {@inheritDoc} */
  public DeviceSubRequest {
    NoNulls.value("DeviceSubRequest.name", name);
    NoNulls.value("DeviceSubRequest.request", request);
  }
}
