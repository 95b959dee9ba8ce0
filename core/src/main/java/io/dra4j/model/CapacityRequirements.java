package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * How much of a device's capacity a request needs (KEP-5075).
 *
 * @param requests amounts by qualified name, which must be the very name that the device uses
 */
public record CapacityRequirements(Map<String, Quantity> requests) {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public CapacityRequirements {
    requests = Checks.map("CapacityRequirements.requests", requests);
  }
}
