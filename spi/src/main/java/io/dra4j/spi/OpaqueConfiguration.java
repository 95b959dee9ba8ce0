package io.dra4j.spi;

import io.dra4j.model.AllocationConfigSource;
import java.util.List;

/**
 * Parameters for the driver that apply to one claimed device, from a DeviceClass or a
 * ResourceClaim.
 *
 * @param source whether they come from the class or from the claim
 * @param requests the requests, or {@code request/alternative}, that they apply to; empty for all
 * @param parameters a JSON value as a string; {@link io.dra4j.spi.configuration.JsonRecords} reads
 *     it as a record
 */
public record OpaqueConfiguration(
    AllocationConfigSource source, List<String> requests, String parameters) {

  /** Copies the list. {@inheritDoc} */
  public OpaqueConfiguration {
    requests = List.copyOf(requests);
  }

  /**
   * {@return the origin of the parameters, for messages, for example {@code the configuration of
   * the claim for requests [nic]}}
   */
  public String origin() {
    return "the configuration of the "
        + (source.equals(AllocationConfigSource.FROM_CLASS) ? "class" : "claim")
        + (requests.isEmpty() ? "" : " for requests " + requests);
  }
}
