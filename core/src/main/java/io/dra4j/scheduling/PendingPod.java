package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.scheduling.RunningPods.RunningPod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A pod that uses claims, or a claim that no pod uses and that is placed as if a pod did.
 *
 * @param name how messages name the pod: {@code namespace/name}
 * @param spec where the pod may run
 * @param claims the keys of the claims that the pod uses, in the order of the pod, each once
 * @param labels the labels of the pod, by which other pods select it
 */
public record PendingPod(
    String name, PodSpec spec, List<ClaimKey> claims, Map<String, String> labels) {

  /** Copies the list and the map; refuses null. {@inheritDoc} */
  public PendingPod {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(claims, "claims");
    claims = List.copyOf(claims);
    Objects.requireNonNull(labels, "labels");
    labels = Map.copyOf(labels);
  }

  /**
   * Makes a pod without labels.
   *
   * @param name how messages name the pod: {@code namespace/name}
   * @param spec where the pod may run
   * @param claims the keys of the claims that the pod uses, each once
   */
  public PendingPod(String name, PodSpec spec, List<ClaimKey> claims) {
    this(name, spec, claims, Map.of());
  }

  /** The name of the pod in its namespace. */
  String localName() {
    return name.substring(name.indexOf('/') + 1);
  }

  /** The pod as other pods see it, where it is placed. */
  RunningPod running() {
    return new RunningPod(name.substring(0, Math.max(0, name.indexOf('/'))), labels, spec, false);
  }

  /**
   * Returns whether the pod names this node or none ({@code spec.nodeName}).
   *
   * @param node the node
   * @return whether the node name of the pod allows the node
   */
  public boolean names(Node node) {
    Objects.requireNonNull(node, "node");
    return PodNodeFilters.names(spec.nodeName(), node);
  }

  /**
   * Returns whether the node has all labels that the pod asks for ({@code spec.nodeSelector}).
   *
   * @param node the node
   * @return whether the node selector of the pod allows the node
   */
  public boolean selects(Node node) {
    Objects.requireNonNull(node, "node");
    return PodNodeFilters.selects(spec.nodeSelector(), node);
  }

  /**
   * Returns whether the specification of the pod lets it run on a node: its node name; without one
   * its tolerations, its node selector and its required node affinity, as kube-scheduler does.
   * Other pods, and resources other than devices, are not looked at.
   *
   * @param node the node
   * @return whether nothing but other pods, resources and claims can refuse the pod there
   */
  public boolean mayRunOn(Node node) {
    Objects.requireNonNull(node, "node");
    return nodes().test(node);
  }

  /**
   * Returns the nodes that {@link #mayRunOn} allows. What does not depend on the node is worked out
   * once, so that asking about many nodes is cheap.
   *
   * @return whether nothing but claims can refuse the pod on a node
   */
  public Predicate<Node> nodes() {
    return new PodNodeFilters(PodNodeFilters.Key.of(spec))::allows;
  }
}
