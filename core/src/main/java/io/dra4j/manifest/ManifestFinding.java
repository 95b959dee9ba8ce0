package io.dra4j.manifest;

import io.dra4j.manifest.ManifestException.Problem;
import java.util.List;
import java.util.Objects;

/**
 * A problem of a manifest with the rule that it breaks.
 *
 * @param rule the name of the rule, one of {@link ReadingRules} or of the inspector's own
 * @param problem what is wrong and where; its path is the one in the document's own version
 * @param near names that may be meant instead of the one found, the nearest first; often none
 */
public record ManifestFinding(String rule, Problem problem, List<String> near) {

  /** Copies the list. {@inheritDoc} */
  public ManifestFinding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(problem, "problem");
    near = List.copyOf(Objects.requireNonNull(near, "near"));
  }
}
