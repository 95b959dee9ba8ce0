package io.dra4j.cel;

/**
 * Something about a selector that is allowed and hardly meant.
 *
 * @param kind what it is
 * @param message a sentence for the author
 */
public record CelLint(Kind kind, String message) {

  /** What may be about a selector. */
  public enum Kind {

    /**
     * It reads an attribute or a capacity that no device has, or its names could not be compared.
     */
    UNKNOWN_NAME,

    /** It is true on all devices. */
    ALWAYS_TRUE,

    /** It is true on no device: false, or an error. */
    NEVER_TRUE,

    /** It may cost more than 80 % of what the API server allows, but not more than that. */
    NEARLY_OVER_LIMIT
  }
}
