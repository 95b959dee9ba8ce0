package io.dra4j.manifest;

import io.dra4j.manifest.ManifestException.Problem;
import java.util.List;
import java.util.Objects;

/**
 * A problem of a manifest with the rule that it breaks.
 *
 * @param rule the name of the rule, one of those below, which {@link ManifestReader#inspect} finds
 *     by itself, or one of the inspector's own
 * @param problem what is wrong and where; its path is the one in the document's own version
 * @param near names that may be meant instead of the one found, the nearest first; often none
 */
public record ManifestFinding(String rule, Problem problem, List<String> near) {

  /** The text is JSON or YAML, within the {@link ManifestLimits}. */
  public static final String SYNTAX = "syntax";

  /** An object names each field once. */
  public static final String DUPLICATE_FIELD = "duplicate-field";

  /** A document is an object with {@code apiVersion} and {@code kind}, or a list of such. */
  public static final String OBJECT_TYPE = "object-type";

  /** The kind is one of its API group. */
  public static final String KIND = "known-kind";

  /** The version is one in which the kind can be read. */
  public static final String API_VERSION = "known-version";

  /** A field is one that the kind has in this version. */
  public static final String UNKNOWN_FIELD = "known-field";

  /** The value of a field has the type of the field. */
  public static final String FIELD_TYPE = "field-type";

  /** Each object is there once. */
  public static final String DUPLICATE_OBJECT = "unique-object";

  /** A list has all of its objects: {@code metadata.continue} says that it has not. */
  public static final String WHOLE_LIST = "whole-list";

  /** Copies the list. {@inheritDoc} */
  public ManifestFinding {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(problem, "problem");
    near = List.copyOf(Objects.requireNonNull(near, "near"));
  }
}
