package io.dra4j.manifest.validation;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.SourcePosition;
import java.util.List;
import java.util.Objects;

/**
 * A problem of a manifest.
 *
 * @param rule the broken rule
 * @param origin the file, the document in it, and the position in a list
 * @param place line and column in the file; {@link SourcePosition#UNKNOWN} if only the file is
 *     known
 * @param object kind and name of the object, for example {@code ResourceSlice "node-0-gpu"}; empty
 *     if the problem concerns no object
 * @param path the field, for example {@code spec.devices[4].basic.capacity[memory]}, in the version
 *     in which the document is written; empty if the problem concerns no field
 * @param message the expected and the found value, with the names that may be meant
 * @param near the names that may be meant instead of the found one, the nearest first; often none
 */
public record ValidationProblem(
    ValidationRule rule,
    Origin origin,
    SourcePosition place,
    String object,
    String path,
    String message,
    List<String> near) {

  /** Copies the list. {@inheritDoc} */
  public ValidationProblem {
    near = List.copyOf(near);
  }

  static ValidationProblem of(ManifestFinding finding) {
    Problem problem = finding.problem();
    return new ValidationProblem(
        ValidationRule.byId(finding.rule()),
        problem.origin(),
        problem.place(),
        problem.object(),
        problem.path(),
        problem.message(),
        finding.near());
  }

  /**
   * {@return the same problem, of the same rule at the same place, with another message}
   *
   * @param newMessage the expected and the found value
   */
  public ValidationProblem withMessage(String newMessage) {
    Objects.requireNonNull(newMessage, "newMessage");
    return new ValidationProblem(rule, origin, place, object, path, newMessage, near);
  }

  /**
   * {@return the problem as one line, without control characters, for example {@code
   * claims.yaml:7:11: ResourceClaim "gpus": spec.devices.requests[0].name: expected …, found "GPU"
   * [request-name]}}
   */
  @Override
  public String toString() {
    return new Problem(origin, place, object, path, message) + " [" + rule.id() + "]";
  }
}
