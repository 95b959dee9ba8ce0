package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * How a node selector requirement compares. An open enumeration: values that this version does not
 * know are kept.
 *
 * @param value the value as written in the manifest
 */
public record NodeSelectorOperator(String value) {

  /** Refuses null. {@inheritDoc} */
  public NodeSelectorOperator {
    Checks.value("NodeSelectorOperator.value", value);
  }

  /** The value is one of those given. */
  public static final NodeSelectorOperator IN = new NodeSelectorOperator("In");

  /** The value is none of those given, or there is no value. */
  public static final NodeSelectorOperator NOT_IN = new NodeSelectorOperator("NotIn");

  /** There is a value. */
  public static final NodeSelectorOperator EXISTS = new NodeSelectorOperator("Exists");

  /** There is no value. */
  public static final NodeSelectorOperator DOES_NOT_EXIST =
      new NodeSelectorOperator("DoesNotExist");

  /** The value is an integer above the one given. */
  public static final NodeSelectorOperator GT = new NodeSelectorOperator("Gt");

  /** The value is an integer below the one given. */
  public static final NodeSelectorOperator LT = new NodeSelectorOperator("Lt");

  @Override
  public String toString() {
    return value;
  }
}
