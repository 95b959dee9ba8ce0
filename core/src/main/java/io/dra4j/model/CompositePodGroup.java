package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Groups of pods that are scheduled together ({@code scheduling.k8s.io}, {@code v1alpha3} of
 * Kubernetes 1.37 and {@code v1beta1} of 1.38; fields as in {@code types.go} of {@code
 * k8s.io/api/scheduling}), with the fields that decide where their pods run. Its children are the
 * PodGroups and CompositePodGroups that name it as their parent.
 *
 * @param metadata namespace and name
 * @param minGroupCount the number of child groups that must be schedulable together before any is
 *     scheduled ({@code spec.schedulingPolicy.gang}); {@code null} if the children are scheduled
 *     independently ({@code basic})
 * @param topologyKeys the node labels whose values must be equal on all nodes of all children
 *     ({@code spec.schedulingConstraints.topology})
 * @param parentName the parent, a CompositePodGroup in the same namespace ({@code
 *     spec.parentCompositePodGroupName}), or {@code null}
 * @param workloadRef the template from which it was created ({@code spec.workloadRef}), or {@code
 *     null}
 * @param priority the priority that its groups and pods must have ({@code spec.priority}); {@code
 *     null} if it is not given
 */
public record CompositePodGroup(
    ObjectMeta metadata,
    @Nullable Integer minGroupCount,
    List<String> topologyKeys,
    @Nullable String parentName,
    @Nullable WorkloadReference workloadRef,
    @Nullable Integer priority)
    implements GenericPodGroup {

  /** Copies the list, keeping its order; rejects null. {@inheritDoc} */
  public CompositePodGroup {
    Checks.value("CompositePodGroup.metadata", metadata);
    topologyKeys = Checks.list("CompositePodGroup.topologyKeys", topologyKeys);
  }

  @Override
  public boolean isGang() {
    return minGroupCount != null;
  }

  /**
   * {@return a builder of a group of groups that is no gang, has no parent and may run on any node}
   *
   * @param namespace the namespace of the group and its children
   * @param name the name of the group, which its children name as their parent
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with all fields of this group} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.minGroupCount = minGroupCount;
    builder.topologyKeys.set(topologyKeys);
    builder.parentName = parentName;
    builder.workloadRef = workloadRef;
    builder.priority = priority;
    return builder;
  }

  /** Collects the fields of a group of groups. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private @Nullable Integer minGroupCount;
    private final ListField<String> topologyKeys =
        new ListField<>("CompositePodGroup.topologyKeys");
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
      this.metadata = Checks.value("CompositePodGroup.metadata", metadata);
      return this;
    }

    /**
     * Makes the group a gang: no child is scheduled until this number of children can be scheduled
     * together.
     *
     * @param minGroupCount the number of child groups, 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder minGroupCount(int minGroupCount) {
      if (minGroupCount < 1) {
        throw new IllegalArgumentException(
            "CompositePodGroup.minGroupCount: expected 1 or more, found " + minGroupCount);
      }
      this.minGroupCount = minGroupCount;
      return this;
    }

    /**
     * Sets the node labels whose values must be equal on all nodes of all children.
     *
     * @param keys the keys of the labels
     * @return this builder
     */
    public Builder topologyKeys(List<String> keys) {
      topologyKeys.set(keys);
      return this;
    }

    /**
     * Makes the group a child of another group of groups.
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
     * Sets the priority that the groups and pods of the group must have.
     *
     * @param priority the priority, or {@code null} if it is not given
     * @return this builder
     */
    public Builder priority(@Nullable Integer priority) {
      this.priority = priority;
      return this;
    }

    /** {@return a group of groups with the fields set so far} */
    public CompositePodGroup build() {
      return new CompositePodGroup(
          metadata, minGroupCount, topologyKeys.get(), parentName, workloadRef, priority);
    }
  }
}
