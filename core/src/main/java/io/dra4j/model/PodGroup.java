package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are scheduled together ({@code scheduling.k8s.io}, {@code v1alpha2} of Kubernetes 1.36,
 * {@code v1alpha3} and {@code v1beta1} of 1.37; fields as in {@code types.go} of {@code
 * k8s.io/api/scheduling}), with the fields that device allocation needs.
 *
 * @param metadata namespace and name
 * @param minCount the number of pods that must be schedulable together before any is scheduled
 *     ({@code spec.schedulingPolicy.gang}); {@code null} for a group that is not a gang
 * @param topologyKeys the node labels whose values must be equal on all nodes of the group ({@code
 *     spec.schedulingConstraints.topology})
 * @param resourceClaims the claims that its pods share, if the pods have equal entries
 * @param resourceClaimNames the names of the claims created for it, by the name of the entry
 *     ({@code status.resourceClaimStatuses})
 * @param parentName the parent, a CompositePodGroup in the same namespace ({@code
 *     spec.parentCompositePodGroupName}), or {@code null}
 * @param workloadRef the template from which it was created ({@code spec.workloadRef}), or {@code
 *     null}
 * @param priority the priority that its pods must have ({@code spec.priority}); {@code null} if it
 *     is not given
 */
public record PodGroup(
    ObjectMeta metadata,
    @Nullable Integer minCount,
    List<String> topologyKeys,
    List<PodResourceClaim> resourceClaims,
    Map<String, String> resourceClaimNames,
    @Nullable String parentName,
    @Nullable WorkloadReference workloadRef,
    @Nullable Integer priority)
    implements GenericPodGroup {

  /** Copies lists and map, keeping their order; rejects null. {@inheritDoc} */
  public PodGroup {
    Checks.value("PodGroup.metadata", metadata);
    topologyKeys = Checks.list("PodGroup.topologyKeys", topologyKeys);
    resourceClaims = Checks.list("PodGroup.resourceClaims", resourceClaims);
    resourceClaimNames = Checks.map("PodGroup.resourceClaimNames", resourceClaimNames);
  }

  @Override
  public boolean isGang() {
    return minCount != null;
  }

  /**
   * {@return a builder of a group that is not a gang, has no claims, and may run on any node}
   *
   * @param namespace the namespace of the group and its pods
   * @param name the name of the group, to which its pods refer in {@code spec.schedulingGroup}
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with all fields of this group} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.minCount = minCount;
    builder.topologyKeys.set(topologyKeys);
    builder.resourceClaims.set(resourceClaims);
    builder.resourceClaimNames.set(resourceClaimNames);
    builder.parentName = parentName;
    builder.workloadRef = workloadRef;
    builder.priority = priority;
    return builder;
  }

  /** Collects the fields of a group of pods. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private @Nullable Integer minCount;
    private final ListField<String> topologyKeys = new ListField<>("PodGroup.topologyKeys");
    private final ListField<PodResourceClaim> resourceClaims =
        new ListField<>("PodGroup.resourceClaims");
    private final MapField<String> resourceClaimNames =
        new MapField<>("PodGroup.resourceClaimNames");
    private @Nullable String parentName;
    private @Nullable WorkloadReference workloadRef;
    private @Nullable Integer priority;

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("PodGroup.metadata", metadata);
      return this;
    }

    /**
     * Makes the group a gang: no pod is scheduled until this number of pods can be scheduled
     * together.
     *
     * @param minCount the number of pods, 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder minCount(int minCount) {
      if (minCount < 1) {
        throw new IllegalArgumentException(
            "PodGroup.minCount: expected 1 or more, found " + minCount);
      }
      this.minCount = minCount;
      return this;
    }

    /**
     * Sets the node labels whose values must be equal on all nodes of the group.
     *
     * @param keys the keys of the labels
     * @return this builder
     */
    public Builder topologyKeys(List<String> keys) {
      topologyKeys.set(keys);
      return this;
    }

    /**
     * Sets the claims that the pods share.
     *
     * @param claims the entries as in pods
     * @return this builder
     */
    public Builder resourceClaims(List<PodResourceClaim> claims) {
      resourceClaims.set(claims);
      return this;
    }

    /**
     * Sets the names of the claims that were created for the group.
     *
     * @param names names of claims, by the name of the entry
     * @return this builder
     */
    public Builder resourceClaimNames(Map<String, String> names) {
      resourceClaimNames.set(names);
      return this;
    }

    /**
     * Makes the group a child of a group of groups.
     *
     * @param parentName the name of a CompositePodGroup in the same namespace, or {@code null} for
     *     none
     * @return this builder
     */
    public Builder parentName(@Nullable String parentName) {
      this.parentName = parentName;
      return this;
    }

    /**
     * Sets the template from which the group was created.
     *
     * @param workloadRef a Workload in the same namespace and its template, or {@code null} for
     *     none
     * @return this builder
     */
    public Builder workloadRef(@Nullable WorkloadReference workloadRef) {
      this.workloadRef = workloadRef;
      return this;
    }

    /**
     * Sets the priority that the pods of the group must have.
     *
     * @param priority the priority, or {@code null} if it is not given
     * @return this builder
     */
    public Builder priority(@Nullable Integer priority) {
      this.priority = priority;
      return this;
    }

    /** {@return a group with the fields set so far} */
    public PodGroup build() {
      return new PodGroup(
          metadata,
          minCount,
          topologyKeys.get(),
          resourceClaims.get(),
          resourceClaimNames.get(),
          parentName,
          workloadRef,
          priority);
    }
  }
}
