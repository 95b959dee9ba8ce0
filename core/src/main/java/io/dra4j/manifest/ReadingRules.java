package io.dra4j.manifest;

/** The names of what {@link ManifestReader#inspect} finds by itself, before any inspector. */
public final class ReadingRules {

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

  private ReadingRules() {}
}
