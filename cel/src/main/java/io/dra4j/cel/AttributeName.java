package io.dra4j.cel;

/**
 * The name of an attribute or a capacity that a program reads.
 *
 * @param kind which of the two
 * @param domain its domain
 * @param id its name there
 * @param number the place of its value in every {@link DeviceView}, or {@link #UNNUMBERED}
 */
record AttributeName(Kind kind, String domain, String id, int number) {

  /** No place; the value is looked up each time. */
  static final int UNNUMBERED = Integer.MAX_VALUE;

  /** The two maps of a device. */
  enum Kind {
    ATTRIBUTE("attributes"),
    CAPACITY("capacity");

    private final String field;

    Kind(String field) {
      this.field = field;
    }

    String field() {
      return field;
    }
  }
}
