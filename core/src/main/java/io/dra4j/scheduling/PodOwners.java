package io.dra4j.scheduling;

import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The controllers of a cluster's pods, the missing pods of Deployments, ReplicaSets and DaemonSets,
 * and the labels by which controllers distinguish pods of different revisions of one template.
 * Terms with {@code matchLabelKeys} count the pods of one revision only.
 *
 * <p>A missing pod is of the newest revision, whose label is known from the ReplicaSet with the
 * template of its Deployment, or from the status of a StatefulSet. If these are not given, it is
 * that of the existing pods if all of them have one revision, and otherwise a value that no pod
 * has.
 *
 * <p>Source: {@code pkg/controller/replicaset}, {@code deployment} ({@code getNewReplicaSet}),
 * {@code daemon} ({@code CreatePodTemplate}) and {@code statefulset} ({@code setPodRevision}) of
 * Kubernetes. A pod that has ended, or is being deleted, counts for none of the first three.
 */
final class PodOwners {

  /** The label by which a Deployment distinguishes its ReplicaSets and their pods. */
  private static final String HASH = "pod-template-hash";

  /** The label by which StatefulSets and DaemonSets distinguish their pods. */
  private static final String OF_SETS = "controller-revision-hash";

  /** The label of the pods of LeaderWorkerSets, besides the label of their StatefulSets. */
  private static final String OF_GROUPS = "leaderworkerset.sigs.k8s.io/template-revision-hash";

  /** The tolerations of each pod of a DaemonSet ({@code AddOrUpdateDaemonPodTolerations}). */
  private static final List<Toleration> OF_DAEMONS =
      List.of(
          daemon("not-ready", TaintEffect.NO_EXECUTE),
          daemon("unreachable", TaintEffect.NO_EXECUTE),
          daemon("disk-pressure", TaintEffect.NO_SCHEDULE),
          daemon("memory-pressure", TaintEffect.NO_SCHEDULE),
          daemon("pid-pressure", TaintEffect.NO_SCHEDULE),
          daemon("unschedulable", TaintEffect.NO_SCHEDULE));

  private final Map<PodOwner, String> uids = new HashMap<>(); // of the given controllers
  private final Map<PodOwner, Long> podsOfSets = new HashMap<>(); // of ReplicaSets
  private final Map<PodOwner, Long> podsOfDeployments = new HashMap<>();
  private final Set<Daemon> daemons = new HashSet<>(); // the existing ones
  private final Map<PodOwner, Set<String>> revisions = new HashMap<>(); // of existing pods
  private final Map<PodOwner, List<ReplicaSet>> replicaSets = new HashMap<>(); // by Deployment
  private final List<Node> nodes = new ArrayList<>();

  /** A pod of a DaemonSet on the node of this name. */
  private record Daemon(PodOwner owner, String node) {}

  /** Reads the controllers, the pods and the nodes among the objects. */
  PodOwners(Iterable<? extends KubernetesObject> objects) {
    for (KubernetesObject object : objects) {
      String uid = object.metadata().uid();
      if (uid != null && object instanceof PodController controller) {
        uids.put(PodOwner.of(controller), uid);
      }
    }
    Set<PodOwner> sets = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof ReplicaSet set) {
        sets.add(PodOwner.of(set));
        of(set.metadata())
            .ifPresent(
                owner -> {
                  podsOfDeployments.merge(owner, (long) set.replicas(), Long::sum);
                  replicaSets.computeIfAbsent(owner, any -> new ArrayList<>()).add(set);
                });
      } else if (object instanceof Node node) {
        nodes.add(node);
      }
    }
    for (KubernetesObject object : objects) {
      if (object instanceof Pod pod
          && !pod.phase().isTerminal()
          && pod.metadata().deletionTimestamp() == null) {
        count(pod, sets);
      }
    }
  }

  private void count(Pod pod, Set<PodOwner> sets) {
    PodOwner owner = of(pod.metadata()).orElse(null);
    if (owner == null) {
      return;
    }
    noteRevisions(owner, pod.metadata().labels());
    switch (owner.kind()) {
      case REPLICA_SET -> {
        podsOfSets.merge(owner, 1L, Long::sum);
        String hash = pod.metadata().labels().getOrDefault(HASH, "");
        if (!sets.contains(owner) && owner.name().endsWith("-" + hash)) {
          podsOfDeployments.merge(deploymentOf(owner, hash), 1L, Long::sum);
        }
      }
      case DAEMON_SET -> {
        NodeSelector required = pod.spec().requiredNodeAffinity();
        nodes.stream()
            .map(Node::name)
            .filter(
                node ->
                    pod.spec().nodeName().isEmpty()
                        ? NodeSelector.ofNode(node).equals(required)
                        : node.equals(pod.spec().nodeName()))
            .forEach(node -> daemons.add(new Daemon(owner, node)));
      }
      default -> {}
    }
  }

  private void noteRevisions(PodOwner owner, Map<String, String> labels) {
    noteRevision(owner, labels.getOrDefault(OF_SETS, ""));
    String groups = labels.getOrDefault("leaderworkerset.sigs.k8s.io/name", "");
    noteRevision(
        new PodOwner(PodOwner.Kind.LEADER_WORKER_SET, owner.namespace(), groups),
        labels.getOrDefault(OF_GROUPS, ""));
    String hash = labels.getOrDefault(HASH, "");
    if (owner.kind() == PodOwner.Kind.REPLICA_SET && owner.name().endsWith("-" + hash)) {
      noteRevision(deploymentOf(owner, hash), hash);
    }
  }

  private void noteRevision(PodOwner owner, String revision) {
    if (!revision.isEmpty()) {
      revisions.computeIfAbsent(owner, any -> new HashSet<>()).add(revision);
    }
  }

  /** The Deployment of a ReplicaSet, which is identified by its name. */
  private static PodOwner deploymentOf(PodOwner set, String hash) {
    String name = set.name().substring(0, set.name().length() - hash.length() - 1);
    return new PodOwner(PodOwner.Kind.DEPLOYMENT, set.namespace(), name);
  }

  /** The number of pods that the ReplicaSet still creates. */
  int missing(ReplicaSet set) {
    return missing(set.replicas(), podsOfSets.getOrDefault(PodOwner.of(set), 0L));
  }

  /** The number of pods of the Deployment beyond the pods of its given ReplicaSets. */
  int missing(Deployment deployment) {
    long known = podsOfDeployments.getOrDefault(PodOwner.of(deployment), 0L);
    return deployment.paused() ? 0 : missing(deployment.replicas(), known);
  }

  private static int missing(int wanted, long known) {
    return (int) Math.max(0, wanted - known);
  }

  /** The nodes on which the DaemonSet creates a pod: the nodes that its template allows. */
  List<Node> nodesFor(DaemonSet set) {
    PodOwner owner = PodOwner.of(set);
    PodNodeFilters filters =
        new PodNodeFilters(PodNodeFilters.Key.of(withTolerations(set.template())));
    return nodes.stream()
        .filter(node -> !daemons.contains(new Daemon(owner, node.name())))
        .filter(filters::allows)
        .toList();
  }

  /**
   * The specification of the pod for one node, as the controller creates it: the name of the node
   * replaces the required node affinity.
   */
  static PodSpec daemonOn(Node node, PodSpec template) {
    return withTolerations(template).toBuilder()
        .requiredNodeAffinity(NodeSelector.ofNode(node.name()))
        .build();
  }

  /** The label of the missing pods of a Deployment. */
  Map<String, String> revisionOf(Deployment deployment) {
    PodOwner owner = PodOwner.of(deployment);
    List<ReplicaSet> sets = replicaSets.get(owner);
    if (sets == null) {
      return Map.of(HASH, newest(owner));
    }
    for (ReplicaSet set : sets) {
      Map<String, String> labels = new HashMap<>(set.templateLabels());
      String hash = labels.remove(HASH);
      if (hash != null
          && labels.equals(deployment.templateLabels())
          && set.template().equals(deployment.template())) {
        return Map.of(HASH, hash);
      }
    }
    return Map.of(HASH, unknown(owner));
  }

  /** The label of the missing pods of a StatefulSet. */
  Map<String, String> revisionOf(StatefulSet set) {
    return Map.of(
        OF_SETS, set.updateRevision().isEmpty() ? newest(PodOwner.of(set)) : set.updateRevision());
  }

  /** The label of the missing pods of a DaemonSet. */
  Map<String, String> revisionOf(DaemonSet set) {
    return Map.of(OF_SETS, newest(PodOwner.of(set)));
  }

  /**
   * The labels of the missing pods of a LeaderWorkerSet.
   *
   * @param groups the LeaderWorkerSet
   * @param set the name of the StatefulSet that the controller of LeaderWorkerSets creates for them
   */
  Map<String, String> revisionOf(PodOwner groups, String set) {
    return Map.of(
        OF_GROUPS,
        newest(groups),
        OF_SETS,
        newest(new PodOwner(PodOwner.Kind.STATEFUL_SET, groups.namespace(), set)));
  }

  private String newest(PodOwner owner) {
    Set<String> known = revisions.getOrDefault(owner, Set.of());
    return known.size() == 1 ? known.iterator().next() : unknown(owner);
  }

  /** No label has a value with a slash. */
  private static String unknown(PodOwner owner) {
    return owner.name() + "/new";
  }

  private static PodSpec withTolerations(PodSpec template) {
    List<Toleration> tolerations = new ArrayList<>(template.tolerations());
    tolerations.addAll(OF_DAEMONS);
    return template.toBuilder().tolerations(tolerations).build();
  }

  private static Toleration daemon(String state, TaintEffect effect) {
    return Toleration.exists("node.kubernetes.io/" + state).toBuilder().effect(effect).build();
  }

  /**
   * The controller of an object. Empty if it has no controller that creates pods, or if the named
   * controller no longer exists: an object of that name has another UID.
   */
  Optional<PodOwner> of(ObjectMeta metadata) {
    for (OwnerReference reference : metadata.ownerReferences()) {
      PodOwner owner = PodOwner.of(reference, metadata.namespaceOrDefault()).orElse(null);
      if (owner != null) {
        String uid = uids.getOrDefault(owner, "");
        boolean isKnown = !uid.isEmpty() && !reference.uid().isEmpty();
        return isKnown && !uid.equals(reference.uid()) ? Optional.empty() : Optional.of(owner);
      }
    }
    return Optional.empty();
  }
}
