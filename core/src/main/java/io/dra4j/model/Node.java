package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * A machine of the cluster, with the parts that device allocation reads.
 *
 * @param metadata name and labels
 * @param declaredFeatures features that its kubelet has ({@code status.declaredFeatures})
 * @param taints what keeps pods away that do not tolerate it ({@code spec.taints})
 * @param unschedulable whether it is cordoned, so that no new pods come ({@code
 *     spec.unschedulable})
 * @param allocatable the amounts of resources that it has for pods ({@code status.allocatable}), by
 *     the names of resources; empty where they are not known
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
   * A node that takes every pod.
   *
   * @param metadata name and labels
   * @param declaredFeatures features that its kubelet has
   */
  public Node(ObjectMeta metadata, List<String> declaredFeatures) {
    this(metadata, declaredFeatures, List.of(), false, Map.of());
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
     * Adds a taint, which keeps pods away that do not tolerate it.
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
     * @param values what keeps pods away
     * @return this builder
     */
    public Builder taints(List<Taint> values) {
      taints.set(values);
      return this;
    }

    /**
     * Sets whether the node is cordoned.
     *
     * @param unschedulable whether no new pods come
     * @return this builder
     */
    public Builder unschedulable(boolean unschedulable) {
      this.unschedulable = unschedulable;
      return this;
    }

    /**
     * Replaces the amounts of resources that the node has for pods.
     *
     * @param values amounts by the names of resources; empty where they are not known
     * @return this builder
     */
    public Builder allocatable(Map<String, Quantity> values) {
      allocatable.set(values);
      return this;
    }

    /**
     * Adds a label to the node, or replaces the one of that key.
     *
     * @param key for example {@code topology.kubernetes.io/zone}
     * @param label the value of the label
     * @return this builder
     */
    public Builder label(String key, String label) {
      metadata = metadata.toBuilder().label(key, label).build();
      return this;
    }

    /**
     * Makes the node.
     *
     * @return a node with the fields set so far
     */
    public Node build() {
      return new Node(
          metadata, declaredFeatures.get(), taints.get(), unschedulable, allocatable.get());
    }
  }
}
