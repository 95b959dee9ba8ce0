package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The amounts of resources that a container, or a whole pod, requests, and the claims that a
 * container uses.
 *
 * @param requests the requested amounts, by resource name
 * @param limits the limits, by resource name
 * @param claims the claims of the pod that a container uses; a pod has its own list
 */
public record ResourceRequirements(
    Map<String, Quantity> requests, Map<String, Quantity> limits, List<ClaimReference> claims) {

  /**
   * A claim that a container uses.
   *
   * @param name the name of the entry in {@code spec.resourceClaims} of the pod
   * @param request the request of the claim whose devices the container gets; empty for all
   */
  public record ClaimReference(String name, String request) {

    /** Rejects null. {@inheritDoc} */
    public ClaimReference {
      Checks.value("ClaimReference.name", name);
      Checks.value("ClaimReference.request", request);
    }
  }

  /** Neither requests, limits nor claims. */
  public static final ResourceRequirements NONE = new ResourceRequirements(Map.of(), Map.of());

  /** Copies the maps and the list; rejects null. {@inheritDoc} */
  public ResourceRequirements {
    requests = Checks.map("ResourceRequirements.requests", requests);
    limits = Checks.map("ResourceRequirements.limits", limits);
    claims = Checks.list("ResourceRequirements.claims", claims);
  }

  /**
   * Creates requirements without claims.
   *
   * @param requests the requested amounts, by resource name
   * @param limits the limits, by resource name
   */
  public ResourceRequirements(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    this(requests, limits, List.of());
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
