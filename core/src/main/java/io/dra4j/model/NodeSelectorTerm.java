package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Conditions on a node that must all hold. A term without any condition matches no node.
 *
 * @param matchExpressions conditions on labels
 * @param matchFields conditions on fields; Kubernetes supports only {@code metadata.name}
 */
public record NodeSelectorTerm(
    List<NodeSelectorRequirement> matchExpressions, List<NodeSelectorRequirement> matchFields) {

  /** Copies the lists. {@inheritDoc} */
  public NodeSelectorTerm {
    matchExpressions = Checks.list("NodeSelectorTerm.matchExpressions", matchExpressions);
    matchFields = Checks.list("NodeSelectorTerm.matchFields", matchFields);
  }

  /** The conditions. */
  @Override
  public String toString() {
    String all =
        Stream.concat(matchExpressions.stream(), matchFields.stream())
            .map(String::valueOf)
            .collect(Collectors.joining(" and "));
    return all.isEmpty() ? "no node" : all;
  }
}
