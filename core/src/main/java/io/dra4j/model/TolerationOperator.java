package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * How a toleration, of devices or of nodes, compares its value with that of a taint. An open
 * enumeration: values that this version does not know are kept, and cover no taint.
 *
 * @param value the value as written in the manifest
 */
public record TolerationOperator(String value) {

  /** Refuses null. {@inheritDoc} */
  public TolerationOperator {
    Checks.value("TolerationOperator.value", value);
  }

  /** The values must be equal; the default. */
  public static final TolerationOperator EQUAL = new TolerationOperator("Equal");

  /** Any value is tolerated. */
  public static final TolerationOperator EXISTS = new TolerationOperator("Exists");

  /**
   * Whether a toleration with this operator covers a taint of its key and effect.
   *
   * @param tolerated the value of the toleration
   * @param found the value of the taint
   */
  boolean holds(String tolerated, String found) {
    return equals(EXISTS) || ((value.isEmpty() || equals(EQUAL)) && tolerated.equals(found));
  }

  @Override
  public String toString() {
    return value;
  }
}
