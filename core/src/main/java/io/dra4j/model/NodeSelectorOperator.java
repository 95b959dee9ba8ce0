package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The comparison of a node selector requirement. An open enumeration: unknown values are kept.
 *
 * @param value the value as written in the manifest
 */
public record NodeSelectorOperator(String value) {

  /** Rejects null. {@inheritDoc} */
  public NodeSelectorOperator {
    Checks.value("NodeSelectorOperator.value", value);
  }

  /** The value is one of the given values. */
  public static final NodeSelectorOperator IN = new NodeSelectorOperator("In");

  /** The value is none of the given values, or there is no value. */
  public static final NodeSelectorOperator NOT_IN = new NodeSelectorOperator("NotIn");

  /** There is a value. */
  public static final NodeSelectorOperator EXISTS = new NodeSelectorOperator("Exists");

  /** There is no value. */
  public static final NodeSelectorOperator DOES_NOT_EXIST =
      new NodeSelectorOperator("DoesNotExist");

  /** The value is an integer greater than the given one. */
  public static final NodeSelectorOperator GT = new NodeSelectorOperator("Gt");

  /** The value is an integer less than the given one. */
  public static final NodeSelectorOperator LT = new NodeSelectorOperator("Lt");

  @Override
  public String toString() {
    return value;
  }
}
