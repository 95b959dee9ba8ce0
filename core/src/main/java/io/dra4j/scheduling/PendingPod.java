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
 * A pod that uses claims, or a claim that no pod uses and that is placed like a pod.
 *
 * @param name the name of the pod in messages: {@code namespace/name}
 * @param spec the specification, which determines where the pod may run
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
   * Creates a pod without labels.
   *
   * @param name the name of the pod in messages: {@code namespace/name}
   * @param spec the specification, which determines where the pod may run
   * @param claims the keys of the claims that the pod uses, each once
   */
  public PendingPod(String name, PodSpec spec, List<ClaimKey> claims) {
    this(name, spec, claims, Map.of());
  }

  /** The name of the pod in its namespace. */
  String localName() {
    return name.substring(name.indexOf('/') + 1);
  }

  /** The pod as a running pod, after its placement. */
  RunningPod running() {
    return new RunningPod(name.substring(0, Math.max(0, name.indexOf('/'))), labels, spec, false);
  }

  /**
   * {@return whether the pod names this node or none ({@code spec.nodeName})}
   *
   * @param node the node
   */
  public boolean names(Node node) {
    Objects.requireNonNull(node, "node");
    return PodNodeFilters.names(spec.nodeName(), node);
  }

  /**
   * {@return whether the node has all labels that the pod requires ({@code spec.nodeSelector})}
   *
   * @param node the node
   */
  public boolean selects(Node node) {
    Objects.requireNonNull(node, "node");
    return PodNodeFilters.selects(spec.nodeSelector(), node);
  }

  /**
   * {@return whether the specification of the pod allows a node, by the rules of kube-scheduler:
   * its node name or, without one, its tolerations, its node selector and its required node
   * affinity} Does not check other pods and resources other than devices.
   *
   * @param node the node
   */
  public boolean mayRunOn(Node node) {
    Objects.requireNonNull(node, "node");
    return nodes().test(node);
  }

  /**
   * {@return a predicate for the nodes that {@link #mayRunOn} allows} It computes everything that
   * does not depend on the node once, so that checks of many nodes are cheap.
   */
  public Predicate<Node> nodes() {
    return new PodNodeFilters(PodNodeFilters.Key.of(spec))::allows;
  }
}
