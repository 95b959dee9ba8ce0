package io.dra4j.placement.bandwidth;

/** A profile of link rates that cannot be used. The message names the file and the field. */
public final class LinkModelException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The place where the profile was read. */
  private final String origin;

  /** The path of the field. */
  private final String field;

  /**
   * Creates the exception.
   *
   * @param origin the place where the profile was read
   * @param field the field at fault, for example {@code classes.SYSTEM.efficiency}; empty if the
   *     whole profile is at fault
   * @param problem the expected value and the found value
   */
  LinkModelException(String origin, String field, String problem) {
    super(origin + ": " + (field.isEmpty() ? "" : field + ": ") + problem);
    this.origin = origin;
    this.field = field;
  }

  /** {@return the place where the profile was read: the name of a file} */
  public String origin() {
    return origin;
  }

  /**
   * {@return the path of the field at fault in the profile, for example {@code
   * classes.SYSTEM.efficiency}; empty if the whole profile is at fault}
   */
  public String field() {
    return field;
  }
}
