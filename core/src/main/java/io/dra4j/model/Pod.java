package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * A pod, with the fields that device allocation needs.
 *
 * @param metadata namespace and name
 * @param spec its specification
 * @param resourceClaimNames the names of the claims created for it, by the name of the entry in
 *     {@code spec.resourceClaims} ({@code status.resourceClaimStatuses}); an empty string for an
 *     entry that needs no claim
 * @param phase its phase; {@link PodPhase#UNSET} when not given
 * @param nodeAllocatableClaims the resources of its node that the devices of its claims consume, as
 *     computed by the scheduler ({@code status.nodeAllocatableResourceClaimStatuses}, KEP-5517)
 * @param resources the resources that it has on its node, as the kubelet reports them
 */
public record Pod(
    ObjectMeta metadata,
    PodSpec spec,
    Map<String, String> resourceClaimNames,
    PodPhase phase,
    List<NodeAllocatableClaimStatus> nodeAllocatableClaims,
    PodResourceStatus resources)
    implements KubernetesObject {

  /** Copies the map and the list, keeping their order. {@inheritDoc} */
  public Pod {
    Checks.value("Pod.metadata", metadata);
    Checks.value("Pod.spec", spec);
    resourceClaimNames = Checks.map("Pod.resourceClaimNames", resourceClaimNames);
    Checks.value("Pod.phase", phase);
    nodeAllocatableClaims = Checks.list("Pod.nodeAllocatableClaims", nodeAllocatableClaims);
    Checks.value("Pod.resources", resources);
  }

  /**
   * Creates a pod whose devices consume no resources of its node, and that has the resources of its
   * specification.
   *
   * @param metadata namespace and name
   * @param spec its specification
   * @param resourceClaimNames the names of the claims created for it, by the name of the entry
   * @param phase its phase
   */
  public Pod(
      ObjectMeta metadata, PodSpec spec, Map<String, String> resourceClaimNames, PodPhase phase) {
    this(metadata, spec, resourceClaimNames, phase, List.of(), PodResourceStatus.UNSET);
  }

  /**
   * {@return a builder of a pod that may run on any node}
   *
   * @param namespace the namespace of the pod
   * @param name the name of the pod
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with all fields of this pod} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.spec = spec;
    builder.resourceClaimNames.set(resourceClaimNames);
    builder.phase = phase;
    builder.nodeAllocatableClaims.set(nodeAllocatableClaims);
    builder.resources = resources;
    return builder;
  }

  /** Collects the fields of a pod; what is not set stays empty. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private PodSpec spec = PodSpec.ANYWHERE;
    private final MapField<String> resourceClaimNames = new MapField<>("Pod.resourceClaimNames");
    private PodPhase phase = PodPhase.UNSET;
    private final ListField<NodeAllocatableClaimStatus> nodeAllocatableClaims =
        new ListField<>("Pod.nodeAllocatableClaims");
    private PodResourceStatus resources = PodResourceStatus.UNSET;

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("Pod.metadata", metadata);
      return this;
    }

    /**
     * Sets the specification of the pod.
     *
     * @param spec the specification
     * @return this builder
     */
    public Builder spec(PodSpec spec) {
      this.spec = Checks.value("Pod.spec", spec);
      return this;
    }

    /**
     * Replaces the names of the claims that were created for the pod from templates.
     *
     * @param values the names of the claims by their name in the pod
     * @return this builder
     */
    public Builder resourceClaimNames(Map<String, String> values) {
      resourceClaimNames.set(values);
      return this;
    }

    /**
     * Sets the phase of the pod.
     *
     * @param phase the phase
     * @return this builder
     */
    public Builder phase(PodPhase phase) {
      this.phase = Checks.value("Pod.phase", phase);
      return this;
    }

    /**
     * Replaces the resources of its node that the devices of the pod consume.
     *
     * @param values one element for each claim whose devices consume resources
     * @return this builder
     */
    public Builder nodeAllocatableClaims(List<NodeAllocatableClaimStatus> values) {
      nodeAllocatableClaims.set(values);
      return this;
    }

    /**
     * Sets the resources that the kubelet reports.
     *
     * @param resources the resources of the pod on its node
     * @return this builder
     */
    public Builder resources(PodResourceStatus resources) {
      this.resources = Checks.value("Pod.resources", resources);
      return this;
    }

    /**
     * Adds an existing claim that the pod uses.
     *
     * @param name the name of the claim in the pod
     * @param claimName the name of the ResourceClaim in the namespace of the pod
     * @return this builder
     */
    public Builder resourceClaim(String name, String claimName) {
      return spec(spec.toBuilder().resourceClaim(name, claimName).build());
    }

    /**
     * Adds a claim that is created for the pod from a template.
     *
     * @param name the name of the claim in the pod
     * @param templateName the name of the ResourceClaimTemplate in the namespace of the pod
     * @return this builder
     */
    public Builder resourceClaimTemplate(String name, String templateName) {
      return spec(spec.toBuilder().resourceClaimTemplate(name, templateName).build());
    }

    /** {@return a pod with the fields set so far} */
    public Pod build() {
      return new Pod(
          metadata, spec, resourceClaimNames.get(), phase, nodeAllocatableClaims.get(), resources);
    }
  }
}
