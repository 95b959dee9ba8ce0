package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.HashMap;
import java.util.Map;

/**
 * The amounts of resources that a container, or a whole pod, asks for.
 *
 * @param requests what is set apart, by the names of resources
 * @param limits what is not exceeded, by the names of resources
 */
public record ResourceRequirements(Map<String, Quantity> requests, Map<String, Quantity> limits) {

  /** No amounts. */
  public static final ResourceRequirements NONE = new ResourceRequirements(Map.of(), Map.of());

  /** Copies the maps; refuses null. {@inheritDoc} */
  public ResourceRequirements {
    requests = Checks.map("ResourceRequirements.requests", requests);
    limits = Checks.map("ResourceRequirements.limits", limits);
  }

  /**
   * Returns the requests as the API server completes them: a resource with a limit and no request
   * is requested up to its limit.
   *
   * @return the amounts by the names of resources
   */
  public Map<String, Quantity> effectiveRequests() {
    if (limits.isEmpty()) {
      return requests;
    }
    Map<String, Quantity> all = new HashMap<>(limits);
    all.putAll(requests);
    return Map.copyOf(all);
  }
}
