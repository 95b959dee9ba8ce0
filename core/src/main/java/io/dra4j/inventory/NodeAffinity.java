package io.dra4j.inventory;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorTerm;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Whether an allocated claim can be used on a node, and whether a pod may run there. */
public final class NodeAffinity {

  private NodeAffinity() {}

  /**
   * Whether a node matches a selector, for example that of an allocation.
   *
   * @param selector the selector
   * @param node the node
   * @return whether it matches; a selector that Kubernetes could not parse matches no node
   */
  public static boolean matches(NodeSelector selector, Node node) {
    Objects.requireNonNull(selector, "selector: want a node selector, got null");
    Objects.requireNonNull(node, "node: want a node, got null");
    try {
      return NodeMatcher.matches(NodeSelection.of(selector), node, Budget.unlimited());
    } catch (NodeSelectorException e) {
      return false;
    } catch (BudgetExceededException e) {
      throw withoutLimit(e);
    }
  }

  /**
   * Returns which nodes a pod may run on whose affinity requires a selector. It is checked once, so
   * that asking about many nodes is cheap. Unlike with {@link #matches}, a term that Kubernetes
   * could not parse matches no node while the others count ({@code LazyErrorNodeSelector} of {@code
   * k8s.io/component-helpers/scheduling/corev1/nodeaffinity}, whose errors kube-scheduler ignores).
   *
   * @param required {@code requiredDuringSchedulingIgnoredDuringExecution} of the pod
   * @return whether a node matches one of its terms; none does where there are no terms
   */
  public static Predicate<Node> required(NodeSelector required) {
    Objects.requireNonNull(required, "required: want a node selector, got null");
    List<RequiredTerm> terms =
        required.terms().stream().filter(NodeAffinity::isParsed).map(RequiredTerm::of).toList();
    return node -> {
      Objects.requireNonNull(node, "node: want a node, got null");
      return terms.stream().anyMatch(term -> term.matches(node));
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
