package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * A machine of the cluster, with the fields that device allocation needs.
 *
 * @param metadata name and labels
 * @param declaredFeatures the features that its kubelet declares ({@code status.declaredFeatures})
 * @param taints the taints that exclude pods which do not tolerate them ({@code spec.taints})
 * @param unschedulable whether it is cordoned, so that it gets no new pods ({@code
 *     spec.unschedulable})
 * @param allocatable the amounts of resources that it has for pods ({@code status.allocatable}), by
 *     the names of resources; empty if they are not known
 */
public record Node(
    ObjectMeta metadata,
    List<String> declaredFeatures,
    List<Taint> taints,
    boolean unschedulable,
    Map<String, Quantity> allocatable)
    implements KubernetesObject {

  /** Copies the lists and the map. {@inheritDoc} */
  public Node {
    Checks.value("Node.metadata", metadata);
    declaredFeatures = Checks.list("Node.declaredFeatures", declaredFeatures);
    taints = Checks.list("Node.taints", taints);
    allocatable = Checks.map("Node.allocatable", allocatable);
  }

  /**
   * Creates a node without taints and with unknown resources.
   *
   * @param metadata name and labels
   * @param declaredFeatures the features that its kubelet declares
   */
  public Node(ObjectMeta metadata, List<String> declaredFeatures) {
    this(metadata, declaredFeatures, List.of(), false, Map.of());
  }

  /**
   * {@return a node without labels}
   *
   * @param name its name
   */
  public static Node named(String name) {
    return new Node(ObjectMeta.named(name), List.of());
  }

  /** {@return the node's name} */
  public String name() {
    return metadata.name();
  }

  /** {@return a builder with all fields of this node} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.declaredFeatures.set(declaredFeatures);
    builder.taints.set(taints);
    builder.unschedulable = unschedulable;
    builder.allocatable.set(allocatable);
    return builder;
  }

  /** Collects the fields of a node; what is not set stays empty. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private final ListField<String> declaredFeatures = new ListField<>("Node.declaredFeatures");
    private final ListField<Taint> taints = new ListField<>("Node.taints");
    private boolean unschedulable;
    private final MapField<Quantity> allocatable = new MapField<>("Node.allocatable");

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("Node.metadata", metadata);
      return this;
    }

    /**
     * Adds a feature that the kubelet of the node declares.
     *
     * @param declaredFeature for example {@code DRAOptionalNodeOperations}
     * @return this builder
     */
    public Builder declaredFeature(String declaredFeature) {
      declaredFeatures.add(declaredFeature);
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
     * Adds a taint, which excludes pods that do not tolerate it.
     *
     * @param taint for example {@code Taint.of("nvidia.com/gpu", "", TaintEffect.NO_SCHEDULE)}
     * @return this builder
     */
    public Builder taint(Taint taint) {
      taints.add(taint);
      return this;
    }

    /**
     * Replaces the taints of the node.
     *
     * @param values the taints
     * @return this builder
     */
    public Builder taints(List<Taint> values) {
      taints.set(values);
      return this;
    }

    /**
     * Sets whether the node is cordoned.
     *
     * @param unschedulable whether it gets no new pods
     * @return this builder
     */
    public Builder unschedulable(boolean unschedulable) {
      this.unschedulable = unschedulable;
      return this;
    }

    /**
     * Replaces the amounts of resources that the node has for pods.
     *
     * @param values amounts by the names of resources; empty if they are not known
     * @return this builder
     */
    public Builder allocatable(Map<String, Quantity> values) {
      allocatable.set(values);
      return this;
    }

    /**
     * Adds a label to the node, or replaces the label with this key.
     *
     * @param key for example {@code topology.kubernetes.io/zone}
     * @param label the value of the label
     * @return this builder
     */
    public Builder label(String key, String label) {
      metadata = metadata.toBuilder().label(key, label).build();
      return this;
    }

    /** {@return a node with the fields set so far} */
    public Node build() {
      return new Node(
          metadata, declaredFeatures.get(), taints.get(), unschedulable, allocatable.get());
    }
  }
}
