package io.dra4j.manifest.internal.read;

/**
 * The type that an object states, or that it has if it states none.
 *
 * @param apiVersion its API version; empty for none
 * @param kind its kind; empty for none
 */
public record ObjectType(String apiVersion, String kind) {

  /** No type. */
  public static final ObjectType NONE = new ObjectType("", "");

  private static final String LIST_SUFFIX = "List";

  boolean isNone() {
    return apiVersion.isEmpty() && kind.isEmpty();
  }

  boolean isList() {
    return kind.endsWith(LIST_SUFFIX);
  }

  /** The type of items that do not name their own; empty for the untyped {@code List}. */
  ObjectType ofItems() {
    return new ObjectType(apiVersion, kind.substring(0, kind.length() - LIST_SUFFIX.length()));
  }
}
