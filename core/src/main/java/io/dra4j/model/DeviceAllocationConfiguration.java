package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Configuration that an allocation passes to the drivers.
 *
 * @param source whether it comes from a class or from the claim
 * @param requests the requests that it applies to; empty for all
 * @param opaque the parameters, or {@code null} for an unknown kind of configuration
 */
public record DeviceAllocationConfiguration(
    AllocationConfigSource source,
    List<String> requests,
    @Nullable OpaqueDeviceConfiguration opaque) {

  /** Copies the list. {@inheritDoc} */
  public DeviceAllocationConfiguration {
    Checks.value("DeviceAllocationConfiguration.source", source);
    requests = Checks.list("DeviceAllocationConfiguration.requests", requests);
  }

  /** {@code gpu.example.com {"keepAwake": true} for gpu FromClaim}. */
  @Override
  public String toString() {
    return (opaque == null ? "nothing" : opaque.driver() + " " + opaque.parameters())
        + (requests.isEmpty() ? "" : " for " + String.join(", ", requests))
        + " "
        + source;
  }
}
