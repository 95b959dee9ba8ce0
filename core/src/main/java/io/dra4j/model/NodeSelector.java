package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A selector of the nodes that match at least one term.
 *
 * @param terms the alternatives
 */
public record NodeSelector(List<NodeSelectorTerm> terms) {

  /** The only node field that Kubernetes allows in a selector. */
  public static final String NAME_FIELD = "metadata.name";

  /** Copies the list. {@inheritDoc} */
  public NodeSelector {
    terms = Checks.list("NodeSelector.terms", terms);
  }

  /** The alternatives. */
  @Override
  public String toString() {
    return terms.isEmpty()
        ? "no node"
        : terms.stream().map(String::valueOf).collect(Collectors.joining(" or "));
  }

  /**
   * {@return the selector of exactly one node: one term on the field {@code metadata.name}}
   *
   * @param name the node's name
   */
  public static NodeSelector ofNode(String name) {
    var requirement =
        new NodeSelectorRequirement(
            NAME_FIELD, NodeSelectorOperator.IN, List.of(Checks.value("name", name)));
    return new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of(requirement))));
  }
}
