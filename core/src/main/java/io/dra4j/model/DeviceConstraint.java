package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule over all devices of some requests of one claim. The API server demands exactly one of the
 * two attributes; where both are given {@code matchAttribute} counts.
 *
 * @param requests the requests (a name, or {@code name/subrequest}) that it is for; empty for all
 * @param matchAttribute the attribute, {@code domain/id}, that must have a common value; or {@code
 *     null}
 * @param distinctAttribute the attribute, {@code domain/id}, whose values must all differ; or
 *     {@code null}
 */
public record DeviceConstraint(
    List<String> requests, @Nullable String matchAttribute, @Nullable String distinctAttribute) {

  /** Copies the list. {@inheritDoc} */
  public DeviceConstraint {
    requests = Checks.list("DeviceConstraint.requests", requests);
  }

  /**
   * The devices of these requests must share a value of the attribute.
   *
   * @param attribute {@code domain/id}
   * @param requests request names; none for all requests
   * @return the constraint
   */
  public static DeviceConstraint matchAttribute(String attribute, String... requests) {
    return new DeviceConstraint(
        Checks.array("DeviceConstraint.requests", requests),
        Checks.value("attribute", attribute),
        null);
  }

  /**
   * No two devices of these requests may share a value of the attribute.
   *
   * @param attribute {@code domain/id}
   * @param requests request names; none for all requests
   * @return the constraint
   */
  public static DeviceConstraint distinctAttribute(String attribute, String... requests) {
    return new DeviceConstraint(
        Checks.array("DeviceConstraint.requests", requests),
        null,
        Checks.value("attribute", attribute));
  }
}
