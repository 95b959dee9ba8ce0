package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;

/**
 * One condition on a label of an object, or on a field of a node.
 *
 * @param key the label or field
 * @param operator the comparison
 * @param values the values of the comparison; none for {@code Exists} and {@code DoesNotExist}
 */
public record NodeSelectorRequirement(
    String key, NodeSelectorOperator operator, List<String> values) {

  /** Copies the list. {@inheritDoc} */
  public NodeSelectorRequirement {
    Checks.value("NodeSelectorRequirement.key", key);
    Checks.value("NodeSelectorRequirement.operator", operator);
    values = Checks.list("NodeSelectorRequirement.values", values);
  }

  /** {@code metadata.name In [node-1]}. */
  @Override
  public String toString() {
    return key + " " + operator + (values.isEmpty() ? "" : " " + values);
  }
}
