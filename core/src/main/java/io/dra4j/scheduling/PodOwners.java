package io.dra4j.scheduling;

import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The controllers of a cluster's pods, and the pods that Deployments, ReplicaSets and DaemonSets
 * lack.
 *
 * <p>Source: {@code pkg/controller/replicaset}, {@code deployment} and {@code daemon} of
 * Kubernetes. A pod that has ended, or is being deleted, counts for none of the three.
 */
final class PodOwners {

  /** The label by which a Deployment tells its ReplicaSets and their pods apart. */
  private static final String HASH = "pod-template-hash";

  /** The API groups of the kinds. */
  private static final Map<String, String> GROUPS =
      Map.of(
          "StatefulSet", "apps/",
          "ReplicaSet", "apps/",
          "Deployment", "apps/",
          "DaemonSet", "apps/",
          "Job", "batch/");

  /** What each pod of a DaemonSet tolerates ({@code AddOrUpdateDaemonPodTolerations}). */
  private static final List<Toleration> OF_DAEMONS =
      List.of(
          daemon("not-ready", TaintEffect.NO_EXECUTE),
          daemon("unreachable", TaintEffect.NO_EXECUTE),
          daemon("disk-pressure", TaintEffect.NO_SCHEDULE),
          daemon("memory-pressure", TaintEffect.NO_SCHEDULE),
          daemon("pid-pressure", TaintEffect.NO_SCHEDULE),
          daemon("unschedulable", TaintEffect.NO_SCHEDULE));

  private final Map<String, String> uids = new HashMap<>(); // of the owners that are given
  private final Map<String, Long> podsOfSets = new HashMap<>(); // of ReplicaSets, by their names
  private final Map<String, Long> podsOfDeployments = new HashMap<>();
  private final Set<String> daemons = new HashSet<>(); // DAEMONSET@NODE
  private final List<Node> nodes = new ArrayList<>();
  private final Set<String> nodeNames = new HashSet<>();

  /** Reads who owns what. */
  PodOwners(Iterable<? extends KubernetesObject> objects) {
    for (KubernetesObject object : objects) {
      String uid = object.metadata().uid();
      if (uid != null && GROUPS.containsKey(object.getClass().getSimpleName())) {
        uids.put(nameOf(object), uid);
      }
    }
    Set<String> sets = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof ReplicaSet set) {
        sets.add(nameOf(set));
        podsOfDeployments.merge(of(set.metadata()), (long) set.replicas(), Long::sum);
      } else if (object instanceof Node node) {
        nodes.add(node);
        nodeNames.add(node.name());
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

  private void count(Pod pod, Set<String> sets) {
    String owner = of(pod.metadata());
    if (owner.startsWith("ReplicaSet ")) {
      podsOfSets.merge(owner, 1L, Long::sum);
      String end = "-" + pod.metadata().labels().getOrDefault(HASH, "");
      if (!sets.contains(owner) && owner.endsWith(end)) { // its Deployment is known by its name
        String name = owner.substring("ReplicaSet ".length(), owner.length() - end.length());
        podsOfDeployments.merge("Deployment " + name, 1L, Long::sum);
      }
    } else if (owner.startsWith("DaemonSet ")) {
      NodeSelector required = pod.spec().requiredNodeAffinity();
      nodes.stream()
          .map(Node::name)
          .filter(
              node ->
                  pod.spec().nodeName().isEmpty()
                      ? NodeSelector.ofNode(node).equals(required)
                      : node.equals(pod.spec().nodeName()))
          .forEach(node -> daemons.add(owner + "@" + node));
    }
  }

  /** Whether a node of the name is among the objects. */
  boolean hasNode(String name) {
    return nodeNames.contains(name);
  }

  /** How many pods the ReplicaSet makes. */
  int missing(ReplicaSet set) {
    return missing(set.replicas(), podsOfSets.getOrDefault(nameOf(set), 0L));
  }

  /** How many pods the Deployment has beyond those of its ReplicaSets that are given. */
  int missing(Deployment deployment) {
    long known = podsOfDeployments.getOrDefault(nameOf(deployment), 0L);
    return deployment.paused() ? 0 : missing(deployment.replicas(), known);
  }

  private static int missing(int wanted, long known) {
    return (int) Math.max(0, wanted - known);
  }

  /** The nodes on which the DaemonSet makes a pod: those that its template allows. */
  List<Node> nodesFor(DaemonSet set) {
    PodNodeFilters filters =
        new PodNodeFilters(PodNodeFilters.Key.of(withTolerations(set.template())));
    return nodes.stream()
        .filter(node -> !daemons.contains(nameOf(set) + "@" + node.name()))
        .filter(filters::allows)
        .toList();
  }

  /**
   * The specification of the pod for one node, as the controller makes it: the name of the node
   * takes the place of the required node affinity.
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
   * How messages name the controller of an object, as {@link #nameOf} does; empty if it has none.
   */
  String of(ObjectMeta metadata) {
    for (OwnerReference owner : metadata.ownerReferences()) {
      String group = GROUPS.get(owner.kind());
      if (owner.controller()
          && group != null
          && (owner.apiVersion().isEmpty() || owner.apiVersion().startsWith(group))) {
        String name = owner.kind() + " " + metadata.namespaceOrDefault() + "/" + owner.name();
        String uid = uids.getOrDefault(name, "");
        boolean isKnown = !uid.isEmpty() && !owner.uid().isEmpty();
        return isKnown && !uid.equals(owner.uid()) ? "" : name;
      }
    }
    return "";
  }

  /** How messages name a controller of pods. */
  static String nameOf(KubernetesObject object) {
    return object.getClass().getSimpleName()
        + " "
        + object.metadata().namespaceOrDefault()
        + "/"
        + object.metadata().name();
  }

  /** Whether the pods of the controller belong together: those of a StatefulSet or a Job do. */
  static boolean isGang(String owner) {
    return owner.startsWith("StatefulSet ") || owner.startsWith("Job ");
  }
}
