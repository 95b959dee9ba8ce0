package io.dra4j.inventory;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import java.util.Objects;

/** Whether an allocated claim can be used on a node. */
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
      throw new IllegalStateException("an unlimited budget was exceeded", e);
    }
  }
}
