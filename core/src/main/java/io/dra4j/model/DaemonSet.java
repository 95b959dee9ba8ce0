package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * One pod on each node that the template allows ({@code apps/v1}). It has the fields that device
 * allocation needs.
 *
 * @param metadata namespace and name
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template the specification of its pods
 */
public record DaemonSet(ObjectMeta metadata, Map<String, String> templateLabels, PodSpec template)
    implements PodController {

  /** Copies the map, keeping its order; rejects null. {@inheritDoc} */
  public DaemonSet {
    Checks.value("DaemonSet.metadata", metadata);
    templateLabels = Checks.map("DaemonSet.templateLabels", templateLabels);
    Checks.value("DaemonSet.template", template);
  }

  /**
   * {@return a builder of a DaemonSet whose pods may run on any node and need no claims}
   *
   * @param namespace the namespace of the DaemonSet and its pods
   * @param name the name of the DaemonSet
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with everything that this DaemonSet has, to change some of it} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.templateLabels.set(templateLabels);
    builder.template = template;
    return builder;
  }

  /** Collects the fields of a DaemonSet. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private final MapField<String> templateLabels = new MapField<>("DaemonSet.templateLabels");
    private PodSpec template = PodSpec.ANYWHERE;

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("DaemonSet.metadata", metadata);
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
      this.template = Checks.value("DaemonSet.template", template);
      return this;
    }

    /** {@return a DaemonSet with the fields set so far} */
    public DaemonSet build() {
      return new DaemonSet(metadata, templateLabels.get(), template);
    }
  }

  @Override
  public List<PodSpec> podSpecs() {
    return List.of(template());
  }
}
