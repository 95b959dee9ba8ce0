package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * A template from which a separate claim is created for each pod that refers to it.
 *
 * @param metadata namespace and name
 * @param claimLabels the labels of the claims created from it
 * @param claimAnnotations the annotations of the claims created from it
 * @param spec the specification of the claims created from it
 */
public record ResourceClaimTemplate(
    ObjectMeta metadata,
    Map<String, String> claimLabels,
    Map<String, String> claimAnnotations,
    ResourceClaimSpec spec)
    implements KubernetesObject {

  /** Copies the maps, keeping their order. {@inheritDoc} */
  public ResourceClaimTemplate {
    Checks.value("ResourceClaimTemplate.metadata", metadata);
    Checks.value("ResourceClaimTemplate.spec", spec);
    claimLabels = Checks.map("ResourceClaimTemplate.claimLabels", claimLabels);
    claimAnnotations = Checks.map("ResourceClaimTemplate.claimAnnotations", claimAnnotations);
  }

  /**
   * {@return a builder of a template of claims without requests, labels and annotations}
   *
   * @param namespace the namespace of the template and of its claims
   * @param name the name of the template
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with all fields of this template} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.claimLabels.set(claimLabels);
    builder.claimAnnotations.set(claimAnnotations);
    builder.spec = spec;
    return builder;
  }

  /**
   * {@return a pending claim from this template, in the template's namespace}
   *
   * @param name the claim's name
   */
  public ResourceClaim instantiate(String name) {
    return new ResourceClaim(
        new ObjectMeta(name, metadata.namespace(), null, claimLabels, claimAnnotations),
        spec,
        ResourceClaimStatus.EMPTY);
  }

  /** Collects the fields of a template; what is not set stays empty. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private final MapField<String> claimLabels =
        new MapField<>("ResourceClaimTemplate.claimLabels");
    private final MapField<String> claimAnnotations =
        new MapField<>("ResourceClaimTemplate.claimAnnotations");
    private ResourceClaimSpec spec = ResourceClaim.named("").build().spec();

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata of the template itself.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("ResourceClaimTemplate.metadata", metadata);
      return this;
    }

    /**
     * Replaces the labels of the claims.
     *
     * @param values values by the keys of the labels
     * @return this builder
     */
    public Builder claimLabels(Map<String, String> values) {
      claimLabels.set(values);
      return this;
    }

    /**
     * Replaces the annotations of the claims.
     *
     * @param values values by the keys of the annotations
     * @return this builder
     */
    public Builder claimAnnotations(Map<String, String> values) {
      claimAnnotations.set(values);
      return this;
    }

    /**
     * Sets the specification of the claims.
     *
     * @param spec the specification, for example from a claim built with {@link
     *     ResourceClaim#named(String)}
     * @return this builder
     */
    public Builder spec(ResourceClaimSpec spec) {
      this.spec = Checks.value("ResourceClaimTemplate.spec", spec);
      return this;
    }

    /** {@return a template with the fields set so far} */
    public ResourceClaimTemplate build() {
      return new ResourceClaimTemplate(metadata, claimLabels.get(), claimAnnotations.get(), spec);
    }
  }
}
