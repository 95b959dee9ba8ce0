package io.dra4j.spi;

import io.dra4j.model.AllocationConfigSource;
import java.util.List;

/**
 * Parameters that apply to one claimed device, as a DeviceClass or a ResourceClaim gives them to
 * the driver.
 *
 * @param source whether they come from the class or from the claim
 * @param requests the requests, or {@code request/alternative}, that they were written for; empty
 *     if for all
 * @param parameters a JSON value as text; {@link io.dra4j.spi.configuration.JsonRecords} reads it
 *     as a record
 */
public record OpaqueConfiguration(
    AllocationConfigSource source, List<String> requests, String parameters) {

  /** Copies the list. {@inheritDoc} */
  public OpaqueConfiguration {
    requests = List.copyOf(requests);
  }

  /**
   * Says where the parameters stand, for messages.
   *
   * @return for example {@code the configuration of the claim for requests [nic]}
   */
  public String origin() {
    return "the configuration of the "
        + (source.equals(AllocationConfigSource.FROM_CLASS) ? "class" : "claim")
        + (requests.isEmpty() ? "" : " for requests " + requests);
  }
}
