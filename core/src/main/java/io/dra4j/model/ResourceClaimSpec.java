package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The devices that a claim requests ({@code spec.devices}).
 *
 * @param requests the requests
 * @param constraints rules for the devices of several requests
 * @param config parameters for the drivers
 */
public record ResourceClaimSpec(
    List<DeviceRequest> requests,
    List<DeviceConstraint> constraints,
    List<DeviceClaimConfiguration> config) {

  /** Copies the lists. {@inheritDoc} */
  public ResourceClaimSpec {
    requests = Checks.list("ResourceClaimSpec.requests", requests);
    constraints = Checks.list("ResourceClaimSpec.constraints", constraints);
    config = Checks.list("ResourceClaimSpec.config", config);
  }

  /**
   * Returns the names with which constraints and parameters may refer to the requests.
   *
   * @return each request's name, and {@code request/alternative} for its alternatives, in order
   */
  public Set<String> requestNames() {
    Set<String> names = new LinkedHashSet<>();
    for (DeviceRequest request : requests) {
      names.add(request.name());
      request.firstAvailable().forEach(sub -> names.add(request.name() + "/" + sub.name()));
    }
    return Collections.unmodifiableSet(names);
  }

  /**
   * Returns the names of the classes of the requests and of their alternatives.
   *
   * @return each name once, in order
   */
  public Set<String> deviceClassNames() {
    Set<String> names = new LinkedHashSet<>();
    for (DeviceRequest request : requests) {
      if (request.exactly() != null) {
        names.add(request.exactly().deviceClassName());
      }
      request.firstAvailable().forEach(sub -> names.add(sub.request().deviceClassName()));
    }
    return Collections.unmodifiableSet(names);
  }

  /**
   * Returns the request names in constraints that match no request of the claim. The API server
   * rejects such a claim. The allocator ignores these names, as the reference does, so that a
   * constraint may cover fewer devices than intended, or none.
   *
   * @return the names by their path, for example {@code spec.devices.constraints[0].requests[1]},
   *     in order; each is neither the name of a request nor {@code request/alternative}
   */
  public Map<String, String> unknownRequestsOfConstraints() {
    Set<String> known = requestNames();
    Map<String, String> unknown = new LinkedHashMap<>();
    for (int i = 0; i < constraints.size(); i++) {
      List<String> names = constraints.get(i).requests();
      for (int j = 0; j < names.size(); j++) {
        if (!known.contains(names.get(j))) {
          unknown.put("spec.devices.constraints[" + i + "].requests[" + j + "]", names.get(j));
        }
      }
    }
    return Collections.unmodifiableMap(unknown);
  }
}
