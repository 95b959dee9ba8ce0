package io.dra4j.inventory.internal;

import io.dra4j.model.Node;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A term that Kubernetes can parse, prepared for the comparison with many nodes: the value of a
 * node is found at once among thousands of values, for example names of servers.
 */
public record RequiredTerm(List<Label> labels, List<NodeSelectorRequirement> fields) {

  /** A requirement on a label. */
  public record Label(String key, NodeSelectorOperator operator, Set<String> values) {}

  public static RequiredTerm of(NodeSelectorTerm term) {
    return new RequiredTerm(
        term.matchExpressions().stream()
            .map(label -> new Label(label.key(), label.operator(), Set.copyOf(label.values())))
            .toList(),
        term.matchFields());
  }

  /** {@return a label that must have one of some values; {@code null} if there is none} */
  @Nullable
  public Label labelAmongValues() {
    for (Label label : labels) {
      if (label.operator().equals(NodeSelectorOperator.IN)) {
        return label;
      }
    }
    return null;
  }

  public boolean matches(Node node) {
    if (labels.isEmpty() && fields.isEmpty()) {
      return false;
    }
    Map<String, String> ofNode = node.metadata().labels();
    for (Label label : labels) {
      if (!NodeMatcher.matchesLabel(label.operator(), label.values(), ofNode.get(label.key()))) {
        return false;
      }
    }
    return NodeMatcher.matchesFields(fields, node);
  }
}
