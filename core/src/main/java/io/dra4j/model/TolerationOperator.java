package io.dra4j.model;

/**
 * How a toleration compares its value with that of a taint. An open enumeration: values that this
 * version does not know are kept.
 *
 * @param value the value as written in the manifest
 */
public record TolerationOperator(String value) {

  /** The values must be equal; the default. */
  public static final TolerationOperator EQUAL = new TolerationOperator("Equal");

  /** Any value is tolerated. */
  public static final TolerationOperator EXISTS = new TolerationOperator("Exists");

  @Override
  public String toString() {
    return value;
  }
}
