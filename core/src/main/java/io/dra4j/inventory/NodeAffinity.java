package io.dra4j.inventory;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeMatcher;
import io.dra4j.inventory.internal.RequiredTerm;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorTerm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Decides whether an allocated claim can be used on a node, and whether a pod may run there. */
public final class NodeAffinity {

  private NodeAffinity() {}

  /**
   * {@return whether a node matches a selector; one that Kubernetes cannot parse matches no node}
   *
   * @param selector the selector, for example of an allocation
   * @param node the node
   */
  public static boolean matches(NodeSelector selector, Node node) {
    Objects.requireNonNull(selector, "selector");
    Objects.requireNonNull(node, "node");
    try {
      return NodeMatcher.matches(NodeSelection.of(selector), node, Budget.unlimited());
    } catch (NodeSelectorException e) {
      return false;
    } catch (BudgetExceededException e) {
      throw withoutLimit(e);
    }
  }

  /**
   * Returns a predicate for the nodes that match the required node affinity of a pod. The selector
   * is checked once, so that the predicate is cheap for many nodes. Unlike with {@link #matches}, a
   * term that Kubernetes cannot parse matches no node, while the other terms count ({@code
   * LazyErrorNodeSelector} of {@code k8s.io/component-helpers/scheduling/corev1/nodeaffinity},
   * whose errors kube-scheduler ignores).
   *
   * @param required {@code requiredDuringSchedulingIgnoredDuringExecution} of the pod
   * @return a predicate that is true if the node matches one of the terms; false for all nodes if
   *     there are no terms
   */
  public static Predicate<Node> required(NodeSelector required) {
    Objects.requireNonNull(required, "required");
    Map<String, Map<String, List<RequiredTerm>>> byLabel = new HashMap<>(); // by key and value
    List<RequiredTerm> others = new ArrayList<>();
    List<NodeSelectorTerm> parsed =
        required.terms().stream().filter(NodeAffinity::isParsed).distinct().toList();
    for (NodeSelectorTerm each : parsed) {
      RequiredTerm term = RequiredTerm.of(each);
      RequiredTerm.Label label = term.labelAmongValues();
      if (label == null) {
        others.add(term);
      } else {
        Map<String, List<RequiredTerm>> byValue =
            byLabel.computeIfAbsent(label.key(), any -> new HashMap<>());
        label.values().forEach(v -> byValue.computeIfAbsent(v, any -> new ArrayList<>()).add(term));
      }
    }
    return node -> {
      Objects.requireNonNull(node, "node");
      return Stream.concat(
              node.metadata().labels().entrySet().stream()
                  .flatMap(
                      label ->
                          byLabel
                              .getOrDefault(label.getKey(), Map.of())
                              .getOrDefault(label.getValue(), List.of())
                              .stream()),
              others.stream())
          .anyMatch(term -> term.matches(node));
    };
  }

  private static boolean isParsed(NodeSelectorTerm term) {
    try {
      NodeMatcher.check(term, "", Budget.unlimited());
      return true;
    } catch (NodeSelectorException e) {
      return false;
    } catch (BudgetExceededException e) {
      throw withoutLimit(e);
    }
  }

  private static IllegalStateException withoutLimit(BudgetExceededException e) {
    return new IllegalStateException("an unlimited budget was exceeded", e);
  }
}
