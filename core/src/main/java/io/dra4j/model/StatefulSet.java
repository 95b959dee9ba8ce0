package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * A set of numbered pods, with the fields that device allocation needs.
 *
 * @param metadata namespace and name
 * @param replicas the number of pods; 1 when not given
 * @param firstOrdinal the number of the first pod ({@code spec.ordinals.start}), normally 0
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template the specification of its pods
 * @param updateRevision the revision of its newest template ({@code status.updateRevision}); empty
 *     if it is not known
 */
public record StatefulSet(
    ObjectMeta metadata,
    int replicas,
    int firstOrdinal,
    Map<String, String> templateLabels,
    PodSpec template,
    String updateRevision)
    implements PodController {

  /** Copies the map, keeping its order; rejects null. {@inheritDoc} */
  public StatefulSet {
    Checks.value("StatefulSet.metadata", metadata);
    templateLabels = Checks.map("StatefulSet.templateLabels", templateLabels);
    Checks.value("StatefulSet.template", template);
    Checks.value("StatefulSet.updateRevision", updateRevision);
  }

  /**
   * {@return a builder of a stateful set of one pod, which may run on any node and needs no claims}
   *
   * @param namespace the namespace of the set and its pods
   * @param name the name of the set; its pods are named {@code NAME-0}, {@code NAME-1} and so on
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with all fields of this set} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.replicas = replicas;
    builder.firstOrdinal = firstOrdinal;
    builder.templateLabels.set(templateLabels);
    builder.template = template;
    builder.updateRevision = updateRevision;
    return builder;
  }

  /** Collects the fields of a stateful set. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private int replicas = 1;
    private int firstOrdinal;
    private final MapField<String> templateLabels = new MapField<>("StatefulSet.templateLabels");
    private PodSpec template = PodSpec.ANYWHERE;
    private String updateRevision = "";

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("StatefulSet.metadata", metadata);
      return this;
    }

    /**
     * Sets the number of pods.
     *
     * @param replicas the number, 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder replicas(int replicas) {
      this.replicas = notNegative("replicas", replicas);
      return this;
    }

    /**
     * Sets the number of the first pod.
     *
     * @param firstOrdinal the number, 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder firstOrdinal(int firstOrdinal) {
      this.firstOrdinal = notNegative("firstOrdinal", firstOrdinal);
      return this;
    }

    /**
     * Sets the specification of the pods.
     *
     * @param template the specification of each pod
     * @return this builder
     */
    public Builder template(PodSpec template) {
      this.template = Checks.value("StatefulSet.template", template);
      return this;
    }

    /**
     * Replaces the labels of the pods.
     *
     * @param values values by the keys of the labels
     * @return this builder
     */
    public Builder templateLabels(Map<String, String> values) {
      templateLabels.set(values);
      return this;
    }

    /**
     * Sets the revision of the newest template.
     *
     * @param updateRevision the revision; empty if it is not known
     * @return this builder
     */
    public Builder updateRevision(String updateRevision) {
      this.updateRevision = Checks.value("StatefulSet.updateRevision", updateRevision);
      return this;
    }

    private static int notNegative(String field, int value) {
      if (value < 0) {
        throw new IllegalArgumentException(
            "StatefulSet.%s: expected 0 or more, found %d".formatted(field, value));
      }
      return value;
    }

    /** {@return a stateful set with the fields set so far} */
    public StatefulSet build() {
      return new StatefulSet(
          metadata, replicas, firstOrdinal, templateLabels.get(), template, updateRevision);
    }
  }

  /**
   * Creates a set of pods without labels.
   *
   * @param metadata namespace and name
   * @param replicas the number of pods
   * @param firstOrdinal the number of the first pod
   * @param template the specification of its pods
   */
  public StatefulSet(ObjectMeta metadata, int replicas, int firstOrdinal, PodSpec template) {
    this(metadata, replicas, firstOrdinal, Map.of(), template, "");
  }

  @Override
  public List<PodSpec> podSpecs() {
    return List.of(template());
  }
}
