package io.dra4j.model;

import java.util.List;

/**
 * A machine of the cluster, as far as device allocation sees it.
 *
 * @param metadata name and labels
 * @param declaredFeatures features that its kubelet has ({@code status.declaredFeatures})
 */
public record Node(ObjectMeta metadata, List<String> declaredFeatures) implements KubernetesObject {

  /** Copies the list. {@inheritDoc} */
  public Node {
    declaredFeatures = List.copyOf(declaredFeatures);
  }

  /**
   * A node without labels.
   *
   * @param name its name
   * @return the node
   */
  public static Node named(String name) {
    return new Node(ObjectMeta.named(name), List.of());
  }

  /**
   * The node's name.
   *
   * @return the name
   */
  public String name() {
    return metadata.name();
  }
}
