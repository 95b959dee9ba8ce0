package io.dra4j.allocation;

import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.SelectorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A constraint of a claim as a rule: the requests it is about, and the attribute it compares. What
 * it demands of the values is {@link MatchAttributeRule}'s and {@link DistinctAttributeRule}'s
 * part.
 */
final class Constraint {

  final String attribute;
  private final List<String> requests;
  private final Refusal missing;

  Constraint(DeviceConstraint constraint, String attribute) {
    this.attribute = attribute;
    this.requests = constraint.requests();
    this.missing = new Refusal("has no attribute " + attribute);
  }

  /** Whether the devices of the target count. An alternative is meant by its request's name too. */
  boolean appliesTo(Target target) {
    return requests.isEmpty()
        || requests.contains(target.requestName)
        || (target.alternativeName != null && requests.contains(target.resultName()));
  }

  /**
   * The device's values, or null if it lacks the attribute.
   *
   * @throws RejectedException if the values are computed, and that fails
   */
  @Nullable AttributeValues valuesOf(Target target, Candidate candidate) throws RejectedException {
    try {
      return target.attribute(attribute).of(candidate);
    } catch (SelectorException e) {
      throw new RejectedException(
          "%s: derived attribute %s on device %s: CEL runtime error: %s"
              .formatted(target.displayName(), attribute, candidate.id, e.getMessage()));
    }
  }

  Refusal missing() {
    return missing;
  }
}
