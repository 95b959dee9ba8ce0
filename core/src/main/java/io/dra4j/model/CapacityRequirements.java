package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * The amounts of a device's capacities that a request needs (KEP-5075).
 *
 * @param requests amounts by qualified name, which must be exactly the name that the device uses
 */
public record CapacityRequirements(Map<String, Quantity> requests) {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public CapacityRequirements {
    requests = Checks.map("CapacityRequirements.requests", requests);
  }
}
