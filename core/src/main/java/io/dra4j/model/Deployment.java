package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * A number of equal pods that are replaced step by step when the template changes ({@code
 * apps/v1}). It has the fields that device allocation needs. Its ReplicaSets create the pods.
 *
 * @param metadata namespace and name
 * @param replicas the number of pods; 1 when not given
 * @param paused whether its controller currently creates no ReplicaSets ({@code spec.paused})
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template the specification of its pods
 */
public record Deployment(
    ObjectMeta metadata,
    int replicas,
    boolean paused,
    Map<String, String> templateLabels,
    PodSpec template)
    implements PodController {

  /** Copies the map, keeping its order; rejects null. {@inheritDoc} */
  public Deployment {
    Checks.value("Deployment.metadata", metadata);
    templateLabels = Checks.map("Deployment.templateLabels", templateLabels);
    Checks.value("Deployment.template", template);
  }

  /**
   * {@return a builder of a Deployment of one pod, which may run on any node and needs no claims}
   *
   * @param namespace the namespace of the Deployment and its pods
   * @param name the name of the Deployment
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with everything that this Deployment has, to change some of it} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.replicas = replicas;
    builder.paused = paused;
    builder.templateLabels.set(templateLabels);
    builder.template = template;
    return builder;
  }

  /** Collects the fields of a Deployment. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private int replicas = 1;
    private boolean paused;
    private final MapField<String> templateLabels = new MapField<>("Deployment.templateLabels");
    private PodSpec template = PodSpec.ANYWHERE;

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("Deployment.metadata", metadata);
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
      if (replicas < 0) {
        throw new IllegalArgumentException(
            "Deployment.replicas: expected 0 or more, found " + replicas);
      }
      this.replicas = replicas;
      return this;
    }

    /**
     * Sets whether the controller currently creates no ReplicaSets.
     *
     * @param paused whether it is paused
     * @return this builder
     */
    public Builder paused(boolean paused) {
      this.paused = paused;
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
     * Sets the specification of the pods.
     *
     * @param template the specification of each pod
     * @return this builder
     */
    public Builder template(PodSpec template) {
      this.template = Checks.value("Deployment.template", template);
      return this;
    }

    /** {@return a Deployment with the fields set so far} */
    public Deployment build() {
      return new Deployment(metadata, replicas, paused, templateLabels.get(), template);
    }
  }

  @Override
  public List<PodSpec> podSpecs() {
    return List.of(template());
  }
}
