package io.dra4j.cel;

/**
 * A finding about a selector: something that is allowed but probably a mistake.
 *
 * @param kind the kind of finding
 * @param message a sentence for the author
 */
public record CelLint(Kind kind, String message) {

  /** The kinds of findings. */
  public enum Kind {

    /** The selector reads a name that no device has, or its names could not be checked. */
    UNKNOWN_NAME,

    /** The selector is true on all devices. */
    ALWAYS_TRUE,

    /** The selector is true on no device: false, or an error. */
    NEVER_TRUE,

    /** The maximum cost is more than 80 % of the limit of the API server, but within the limit. */
    NEARLY_OVER_LIMIT
  }
}
