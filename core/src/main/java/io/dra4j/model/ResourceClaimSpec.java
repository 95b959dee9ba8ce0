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
   * {@return the names with which constraints and parameters may refer to the requests: each
   * request's name, and {@code request/alternative} for its alternatives, in order}
   */
  public Set<String> requestNames() {
    Set<String> names = new LinkedHashSet<>();
    for (DeviceRequest request : requests) {
      names.add(request.name());
      request.firstAvailable().forEach(sub -> names.add(request.name() + "/" + sub.name()));
    }
    return Collections.unmodifiableSet(names);
  }

  /** {@return the names of the classes of requests and alternatives, each once, in order} */
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
   * {@return the names in constraints that are neither a request of the claim nor {@code
   * request/alternative}, by their path, for example {@code
   * spec.devices.constraints[0].requests[1]}, in order} The API server rejects such a claim. The
   * allocator ignores these names, as the reference does, so that a constraint may cover fewer
   * devices than intended, or none.
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
