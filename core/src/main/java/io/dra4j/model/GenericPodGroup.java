package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of pods: a {@link PodGroup}, or a {@link CompositePodGroup} of groups ({@code
 * scheduling.k8s.io}).
 */
public sealed interface GenericPodGroup extends KubernetesObject
    permits PodGroup, CompositePodGroup {

  /**
   * Returns whether the group is placed by a minimum: pods of a PodGroup, child groups of a
   * CompositePodGroup ({@code spec.schedulingPolicy.gang}).
   *
   * @return whether the group is a gang
   */
  boolean isGang();

  /**
   * Returns the node labels in whose value all nodes of the group have to agree.
   *
   * @return the keys of the labels
   */
  List<String> topologyKeys();

  /**
   * Returns the name of the CompositePodGroup, in the same namespace, that the group is a child of.
   *
   * @return the name; {@code null} if the group has no parent
   */
  @Nullable String parentName();

  /**
   * Returns the template that the group was made from.
   *
   * @return the template; {@code null} if the group names none
   */
  @Nullable WorkloadReference workloadRef();

  /**
   * Returns the priority of the group, which all of its groups and pods have to have ({@code
   * spec.priority}).
   *
   * @return the priority; {@code null} if it is not given
   */
  @Nullable Integer priority();
}
