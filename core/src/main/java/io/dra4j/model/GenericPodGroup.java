package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A group of pods ({@code scheduling.k8s.io}): {@link PodGroup} or {@link CompositePodGroup}. */
public sealed interface GenericPodGroup extends KubernetesObject
    permits PodGroup, CompositePodGroup {

  /**
   * {@return whether the group is a gang, placed by a minimum: pods of a PodGroup, child groups of
   * a CompositePodGroup ({@code spec.schedulingPolicy.gang})}
   */
  boolean isGang();

  /** {@return the keys of the node labels in whose value all nodes of the group have to agree} */
  List<String> topologyKeys();

  /** {@return the name of the parent CompositePodGroup, in the namespace; {@code null} if none} */
  @Nullable String parentName();

  /** {@return the template that the group was made from; {@code null} if the group names none} */
  @Nullable WorkloadReference workloadRef();

  /** {@return {@code spec.priority}, which all its groups and pods must have, or {@code null}} */
  @Nullable Integer priority();
}
