package io.dra4j.model;

import java.util.List;

/**
 * What a claim asks for ({@code spec.devices}).
 *
 * @param requests the requests
 * @param constraints rules over the devices of several requests
 * @param config parameters for the drivers
 */
public record ResourceClaimSpec(
    List<DeviceRequest> requests,
    List<DeviceConstraint> constraints,
    List<DeviceClaimConfiguration> config) {

  /** Copies the lists. {@inheritDoc} */
  public ResourceClaimSpec {
    requests = NoNulls.list("ResourceClaimSpec.requests", requests);
    constraints = NoNulls.list("ResourceClaimSpec.constraints", constraints);
    config = NoNulls.list("ResourceClaimSpec.config", config);
  }
}
