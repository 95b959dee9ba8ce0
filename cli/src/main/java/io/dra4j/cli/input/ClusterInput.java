package io.dra4j.cli.input;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodQueue;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A cluster that was read.
 *
 * @param manifests its objects with their places
 * @param snapshot its objects, the claims with the allocations that pods in the queue find
 * @param queue its pods
 * @param differences where the release that was asked for answers otherwise, a line for each
 */
public record ClusterInput(
    List<Manifest> manifests, ClusterSnapshot snapshot, PodQueue queue, List<String> differences) {

  public static ClusterInput of(List<Manifest> manifests) throws ManifestException {
    ClusterSnapshot read = Manifests.snapshotOf(manifests);
    PodQueue queue = PodQueue.of(manifests.stream().map(Manifest::object).toList());
    return new ClusterInput(
        manifests, read.withResourceClaims(List.copyOf(queue.claims().values())), queue, List.of());
  }

  ClusterInput withDifferences(List<String> found) {
    return new ClusterInput(manifests, snapshot, queue, List.copyOf(found));
  }

  /**
   * The cluster as one pod finds it that is scheduled next: without the other pods that wait, but
   * for those of its PodGroup, without the workloads that would make more of them, and without the
   * pending claims that they do not use.
   *
   * @param pod namespace and name of the pod
   * @return the cluster
   * @throws ManifestException as {@link #of}
   */
  public ClusterInput onlyFor(String pod) throws ManifestException {
    Set<String> next = new HashSet<>(Set.of(pod));
    groupOf(pod).ifPresent(group -> pods().filter(group).forEach(one -> next.add(nameOf(one))));
    Set<ClaimKey> used = new HashSet<>();
    for (PendingPod one : queue.pods()) {
      if (next.contains(one.name())) {
        used.addAll(one.claims());
      }
    }
    List<Manifest> left =
        manifests.stream()
            .filter(one -> !(one.object() instanceof PodController))
            .filter(
                one ->
                    one.object() instanceof Pod other
                        ? !other.spec().nodeName().isEmpty() || next.contains(nameOf(other))
                        : !(one.object() instanceof ResourceClaim claim)
                            || claim.allocation() != null
                            || used.contains(ClaimKey.of(claim)))
            .toList();
    return of(left).withDifferences(differences);
  }

  private Stream<Pod> pods() {
    return manifests.stream()
        .filter(one -> one.object() instanceof Pod)
        .map(one -> (Pod) one.object());
  }

  /** What the pods of the PodGroup of a pod fulfil; empty if it has none. */
  private Optional<Predicate<Pod>> groupOf(String name) {
    return pods()
        .filter(pod -> nameOf(pod).equals(name) && pod.spec().podGroupName() != null)
        .findFirst()
        .map(
            pod ->
                other ->
                    Objects.equals(other.spec().podGroupName(), pod.spec().podGroupName())
                        && other
                            .metadata()
                            .namespaceOrDefault()
                            .equals(pod.metadata().namespaceOrDefault()));
  }

  /** Whether the input has a pod. */
  public boolean hasPod(String pod) {
    return pods().anyMatch(other -> nameOf(other).equals(pod));
  }

  private static String nameOf(Pod pod) {
    return pod.metadata().namespaceOrDefault() + "/" + pod.metadata().name();
  }
}
