package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A rule for all devices of some requests of one claim. The API server requires an attribute of at
 * least one kind; if there are several, the first {@link Kind} counts.
 *
 * @param requests the requests (a name, or {@code name/subrequest}) that it applies to; empty for
 *     all
 * @param attributes the compared attribute, {@code domain/id}, by the kind of comparison
 */
public record DeviceConstraint(List<String> requests, Map<Kind, String> attributes) {

  private static final Kind[] KINDS = Kind.values();

  /** The condition on the values of an attribute for the devices of a constraint. */
  public enum Demand {
    /** All devices have a value in common. */
    COMMON_VALUE,
    /** No two devices have a value in common. */
    DISTINCT_VALUES
  }

  /**
   * The kinds of comparison of an attribute. The model, manifests, validation and explanations use
   * only these constants; the allocator has a rule for each.
   */
  public enum Kind {
    /** The devices must share a value of the attribute. */
    MATCH_ATTRIBUTE("matchAttribute", Demand.COMMON_VALUE),
    /** No two devices may share a value of the attribute. */
    DISTINCT_ATTRIBUTE("distinctAttribute", Demand.DISTINCT_VALUES);

    private final String field;
    private final Demand demand;

    Kind(String field, Demand demand) {
      this.field = field;
      this.demand = demand;
    }

    /** {@return the API field that names the attribute, for example {@code matchAttribute}} */
    public String field() {
      return field;
    }

    /** {@return the condition on the values, which several kinds may have} */
    public Demand demand() {
      return demand;
    }
  }

  /** Copies the list and the map. {@inheritDoc} */
  public DeviceConstraint {
    requests = Checks.list("DeviceConstraint.requests", requests);
    attributes = Checks.enumMap("DeviceConstraint.attributes", attributes);
  }

  /**
   * {@return a constraint of a kind}
   *
   * @param kind the kind of comparison
   * @param attribute {@code domain/id}
   * @param requests request names; none for all requests
   */
  public static DeviceConstraint of(Kind kind, String attribute, String... requests) {
    return new DeviceConstraint(
        Checks.array("DeviceConstraint.requests", requests),
        Map.of(Checks.value("kind", kind), Checks.value("attribute", attribute)));
  }

  /**
   * {@return a constraint that the devices of these requests share a value of the attribute}
   *
   * @param attribute {@code domain/id}
   * @param requests request names; none for all requests
   */
  public static DeviceConstraint matchAttribute(String attribute, String... requests) {
    return of(Kind.MATCH_ATTRIBUTE, attribute, requests);
  }

  /**
   * {@return a constraint that no two devices of these requests share a value of the attribute}
   *
   * @param attribute {@code domain/id}
   * @param requests request names; none for all requests
   */
  public static DeviceConstraint distinctAttribute(String attribute, String... requests) {
    return of(Kind.DISTINCT_ATTRIBUTE, attribute, requests);
  }

  /** {@return the first kind with an attribute, or empty, which the allocator rejects} */
  public Optional<Kind> kind() {
    for (Kind kind : KINDS) { // searches ask for each constraint: no stream, no iterator
      if (attributes.containsKey(kind)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** {@return the attribute of the kind that counts, {@code domain/id}; empty if there is none} */
  public Optional<String> attribute() {
    return kind().map(attributes::get);
  }

  /**
   * {@return whether the kind that counts requires a condition on the values}
   *
   * @param demand the condition on the values
   */
  public boolean demands(Demand demand) {
    Checks.value("demand", demand);
    return kind().map(Kind::demand).equals(Optional.of(demand));
  }
}
