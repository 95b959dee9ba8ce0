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
 * The controllers of a cluster's pods, and the missing pods of Deployments, ReplicaSets and
 * DaemonSets.
 *
 * <p>Source: {@code pkg/controller/replicaset}, {@code deployment} and {@code daemon} of
 * Kubernetes. A pod that has ended, or is being deleted, counts for none of the three.
 */
final class PodOwners {

  /** The label by which a Deployment distinguishes its ReplicaSets and their pods. */
  private static final String HASH = "pod-template-hash";

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
            .ifPresent(owner -> podsOfDeployments.merge(owner, (long) set.replicas(), Long::sum));
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
    switch (owner.kind()) {
      case REPLICA_SET -> {
        podsOfSets.merge(owner, 1L, Long::sum);
        String end = "-" + pod.metadata().labels().getOrDefault(HASH, "");
        if (!sets.contains(owner) && owner.name().endsWith(end)) {
          // Its Deployment is identified by its name.
          String name = owner.name().substring(0, owner.name().length() - end.length());
          podsOfDeployments.merge(
              new PodOwner(PodOwner.Kind.DEPLOYMENT, owner.namespace(), name), 1L, Long::sum);
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
