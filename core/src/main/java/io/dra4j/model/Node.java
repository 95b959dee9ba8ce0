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
    NoNulls.value("Node.metadata", metadata);
    declaredFeatures = NoNulls.list("Node.declaredFeatures", declaredFeatures);
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

  /**
   * Starts a builder with everything that this node has, to change some of it.
   *
   * @return a builder of nodes
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.declaredFeatures.set(declaredFeatures);
    return builder;
  }

  /** Collects the fields of a node; what is not set stays empty. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private final ListField<String> declaredFeatures = new ListField<>("Node.declaredFeatures");

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param value the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta value) {
      this.metadata = NoNulls.value("Node.metadata", value);
      return this;
    }

    /**
     * Adds a feature that the kubelet of the node declares.
     *
     * @param value for example {@code DRAOptionalNodeOperations}
     * @return this builder
     */
    public Builder declaredFeature(String value) {
      declaredFeatures.add(value);
      return this;
    }

    /**
     * Replaces the features that the kubelet of the node declares.
     *
     * @param values for example {@code DRAOptionalNodeOperations}
     * @return this builder
     */
    public Builder declaredFeatures(List<String> values) {
      declaredFeatures.set(values);
      return this;
    }

    /**
     * Adds a label to the node, or replaces the one of that key.
     *
     * @param key for example {@code topology.kubernetes.io/zone}
     * @param value the value of the label
     * @return this builder
     */
    public Builder label(String key, String value) {
      metadata = metadata.toBuilder().label(key, value).build();
      return this;
    }

    /**
     * Makes the node.
     *
     * @return a node with the fields set so far
     */
    public Node build() {
      return new Node(metadata, declaredFeatures.get());
    }
  }
}
