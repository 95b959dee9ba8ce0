package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The comparison of a toleration's value with the value of a taint, for devices and nodes. An open
 * enumeration: unknown values are kept, and cover no taint.
 *
 * @param value the value as written in the manifest
 */
public record TolerationOperator(String value) {

  /** Rejects null. {@inheritDoc} */
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
