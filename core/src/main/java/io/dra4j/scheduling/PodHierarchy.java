package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which pods wait for one another: those of one PodGroup, and those of all PodGroups that have one
 * CompositePodGroup above them. Immutable and thread-safe.
 */
public final class PodHierarchy {

  private final PodGroups groups;

  private PodHierarchy(PodGroups groups) {
    this.groups = groups;
  }

  /**
   * Reads the groups of a cluster.
   *
   * @param objects the PodGroups, CompositePodGroups and Workloads; others do not matter
   * @return the hierarchy of the groups
   */
  public static PodHierarchy of(Iterable<? extends KubernetesObject> objects) {
    Objects.requireNonNull(objects, "objects: want a list, got null");
    PodGroups groups = new PodGroups(new MessageList());
    for (KubernetesObject object : objects) {
      groups.add(Objects.requireNonNull(object, "objects: want objects, got null among them"));
    }
    return new PodHierarchy(groups);
  }

  /**
   * Returns the group at the top of those that a pod is of.
   *
   * @param pod the pod
   * @return its kind, {@code namespace/name}; empty for a pod of no group. Of a PodGroup that is
   *     not there it is the PodGroup
   */
  public Optional<String> top(Pod pod) {
    Objects.requireNonNull(pod, "pod: want a pod, got null");
    String name = pod.spec().podGroupName();
    if (name == null) {
      return Optional.empty();
    }
    ClaimKey key = ClaimKey.of(pod.metadata(), name);
    PodGroup group = groups.known(key);
    if (group == null) {
      return Optional.of("PodGroup " + key);
    }
    List<CompositePodGroup> above = groups.ancestors(group, GroupForest.MAX_DEPTH);
    return Optional.of(
        PodGroups.nameOf(
            above.isEmpty()
                ? group
                : above.size() == GroupForest.MAX_DEPTH
                    ? above.get(0)
                    : above.get(above.size() - 1)));
  }
}
