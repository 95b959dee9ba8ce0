package io.dra4j.manifest;

import io.dra4j.manifest.ManifestException.Problem;
import java.util.List;
import java.util.Objects;

/**
 * A problem of a manifest with the rule that it breaks.
 *
 * @param rule the name of the rule: one of the rules below, which {@link ManifestReader#inspect}
 *     itself checks, or a rule of the inspector
 * @param problem the problem and its place; its path is the path in the document's own version
 * @param near names that may be meant instead of the found one, the nearest first; often none
 */
public record ManifestFinding(String rule, Problem problem, List<String> near) {

  /** The text is JSON or YAML, within the {@link ManifestLimits}. */
  public static final String SYNTAX = "syntax";

  /** An object has each field once. */
  public static final String DUPLICATE_FIELD = "duplicate-field";

  /**
   * A document is an object with {@code apiVersion} and {@code kind}, or a list of such objects.
   */
  public static final String OBJECT_TYPE = "object-type";

  /** The kind exists in its API group. */
  public static final String KIND = "known-kind";

  /** The kind can be read in this version. */
  public static final String API_VERSION = "known-version";

  /** The kind has the field in this version. */
  public static final String UNKNOWN_FIELD = "known-field";

  /** The value of a field has the type of the field. */
  public static final String FIELD_TYPE = "field-type";

  /** Each object occurs once. */
  public static final String DUPLICATE_OBJECT = "unique-object";

  /** A list is complete: it has no {@code metadata.continue}. */
  public static final String WHOLE_LIST = "whole-list";

  /** Copies the list. {@inheritDoc} */
  public ManifestFinding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(problem, "problem");
    near = List.copyOf(Objects.requireNonNull(near, "near"));
  }
}
