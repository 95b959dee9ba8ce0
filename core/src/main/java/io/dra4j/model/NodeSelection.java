package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The nodes from which a slice's devices, or one device, can be used. The API server requires
 * exactly one of the three fields; if several are set, the first in this order counts.
 *
 * @param nodeName the only node, or {@code null}
 * @param allNodes whether every node; {@code null} when not given
 * @param nodeSelector the nodes, or {@code null}
 */
public record NodeSelection(
    @Nullable String nodeName, @Nullable Boolean allNodes, @Nullable NodeSelector nodeSelector) {

  /** Nothing given: no node. */
  public static final NodeSelection NONE = new NodeSelection(null, null, null);

  /** Every node. */
  public static final NodeSelection ALL_NODES = new NodeSelection(null, true, null);

  /**
   * {@return a selection of one node}
   *
   * @param nodeName the node's name
   */
  public static NodeSelection ofNode(String nodeName) {
    return new NodeSelection(Checks.value("nodeName", nodeName), null, null);
  }

  /**
   * {@return a selection of the nodes that match a selector}
   *
   * @param selector the selector
   */
  public static NodeSelection of(NodeSelector selector) {
    return new NodeSelection(null, null, Checks.value("selector", selector));
  }

  /** {@return whether it can match: a nonempty node name, {@code allNodes: true} or a selector} */
  public boolean isGiven() {
    return (nodeName != null && !nodeName.isEmpty())
        || Boolean.TRUE.equals(allNodes)
        || nodeSelector != null;
  }

  /** {@code node n}, {@code all nodes}, {@code nodes with} the conditions, or {@code no node}. */
  @Override
  public String toString() {
    if (nodeName != null && !nodeName.isEmpty()) {
      return PrintableText.of("node " + nodeName);
    } else if (Boolean.TRUE.equals(allNodes)) {
      return "all nodes";
    }
    return nodeSelector == null ? "no node" : PrintableText.of("nodes with " + nodeSelector);
  }
}
