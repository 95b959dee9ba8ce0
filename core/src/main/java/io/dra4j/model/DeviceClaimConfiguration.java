package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Configuration that a claim gives to the drivers of its devices.
 *
 * @param requests the requests (a name, or {@code name/subrequest}) that it applies to; empty for
 *     all
 * @param opaque the parameters, or {@code null} for an unknown kind of configuration
 */
public record DeviceClaimConfiguration(
    List<String> requests, @Nullable OpaqueDeviceConfiguration opaque) {

  /** Copies the list. {@inheritDoc} */
  public DeviceClaimConfiguration {
    requests = Checks.list("DeviceClaimConfiguration.requests", requests);
  }
}
