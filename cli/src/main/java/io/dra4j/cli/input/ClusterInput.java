package io.dra4j.cli.input;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.placement.gang.GangScore;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.Gang;
import io.dra4j.scheduling.PodGroups;
import io.dra4j.scheduling.PodQueue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The objects of a cluster that was read.
 *
 * @param manifests the objects with their places
 * @param snapshot the objects; the claims have the allocations that the pods in the queue find
 * @param queue the pods
 * @param scope the pods and claims that the question covers
 * @param differences messages about answers that differ in the requested release, a line each
 */
public record ClusterInput(
    List<Manifest> manifests,
    ClusterSnapshot snapshot,
    PodQueue queue,
    QuestionScope scope,
    List<String> differences) {

  public static ClusterInput of(List<Manifest> manifests) throws ManifestException {
    return of(manifests, QuestionScope.ALL, List.of());
  }

  private static ClusterInput of(List<Manifest> manifests, QuestionScope scope, List<Pod> others)
      throws ManifestException {
    ClusterSnapshot read = Manifests.snapshotOf(manifests);
    PodQueue queue =
        PodQueue.of(
            manifests.stream().map(Manifest::object).toList(),
            claim -> scope.covers(claim.namespace()),
            others);
    return new ClusterInput(
        manifests,
        read.withResourceClaims(List.copyOf(queue.claims().values())),
        queue,
        scope,
        List.of());
  }

  ClusterInput withDifferences(List<String> found) {
    return new ClusterInput(manifests, snapshot, queue, scope, List.copyOf(found));
  }

  /**
   * {@return the cluster from the view of the pods in the question, which are scheduled next:
   * without other waiting pods} Pods on nodes stay, with all that they use.
   *
   * @param asked the pods of the question
   */
  public ClusterInput within(QuestionScope asked) {
    if (asked.isAll()) {
      return this;
    }
    List<Manifest> left =
        asked.pod().isEmpty()
            ? manifests.stream().filter(one -> !waitsBeside(one.object(), asked)).toList()
            : asPodFinds(asked.pod());
    try {
      return of(left, asked, pods().toList()).withDifferences(differences);
    } catch (ManifestException e) {
      throw new IllegalStateException("a part of a cluster is not a valid cluster", e);
    }
  }

  /**
   * Returns the objects from the view of one pod that is scheduled next: without other pods that
   * wait, except pods of its PodGroup or CompositePodGroup, and without workloads that would create
   * more pods.
   */
  private List<Manifest> asPodFinds(String pod) {
    Set<String> next = new HashSet<>(Set.of(pod));
    groupOf(pod).ifPresent(group -> pods().filter(group).forEach(one -> next.add(nameOf(one))));
    return manifests.stream().filter(one -> staysFor(one.object(), next)).toList();
  }

  private static boolean staysFor(KubernetesObject object, Set<String> pods) {
    if (object instanceof Pod pod) {
      return !pod.spec().nodeName().isEmpty()
          || pod.phase().isTerminal()
          || pods.contains(nameOf(pod));
    }
    return !(object instanceof PodController);
  }

  private Stream<Pod> pods() {
    return manifests.stream()
        .filter(one -> one.object() instanceof Pod)
        .map(one -> (Pod) one.object());
  }

  /** Returns a predicate for the pods of the topmost group of a pod; empty if it has none. */
  private Optional<Predicate<Pod>> groupOf(String name) {
    PodGroups groups = PodGroups.of(manifests.stream().map(Manifest::object).toList());
    return pods()
        .filter(pod -> nameOf(pod).equals(name))
        .findFirst()
        .flatMap(groups::top)
        .map(top -> other -> groups.top(other).equals(Optional.of(top)));
  }

  private static boolean waitsBeside(KubernetesObject object, QuestionScope asked) {
    if (object instanceof Pod pod) {
      return pod.spec().nodeName().isEmpty()
          && !pod.phase().isTerminal()
          && !asked.coversPod(nameOf(pod));
    }
    return object instanceof PodController && !asked.covers(object.metadata().namespaceOrDefault());
  }

  /** Returns the outcomes of the pods that the question covers. */
  public ClusterOutcome asked(ClusterOutcome outcome) {
    if (scope.isAll()) {
      return outcome;
    }
    Map<String, GangScore> gangs = new LinkedHashMap<>(outcome.gangs());
    for (Gang gang : queue.gangs()) {
      if (gang.pods().stream().noneMatch(pod -> scope.coversPod(pod.name()))) {
        gangs.remove(gang.name());
      }
    }
    return new ClusterOutcome(
        outcome.pods().stream().filter(scope::covers).toList(), outcome.claims(), gangs);
  }

  /** Returns the pod with this name, {@code namespace/name}; empty if the input has none. */
  public Optional<Manifest> pod(String name) {
    return manifests.stream()
        .filter(one -> one.object() instanceof Pod pod && nameOf(pod).equals(name))
        .findFirst();
  }

  /** Returns the pods by name, {@code namespace/name}. */
  public Map<String, Manifest> podsByName() {
    Map<String, Manifest> pods = new HashMap<>();
    for (Manifest one : manifests) {
      if (one.object() instanceof Pod pod) {
        pods.put(nameOf(pod), one);
      }
    }
    return pods;
  }

  private static String nameOf(Pod pod) {
    return pod.metadata().namespaceOrDefault() + "/" + pod.metadata().name();
  }
}
