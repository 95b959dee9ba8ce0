package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A pod that uses claims, or a claim that no pod uses and that is placed as if a pod did.
 *
 * @param name how messages name the pod: {@code namespace/name}
 * @param spec where the pod may run
 * @param claims the keys of the claims that the pod uses, in the order of the pod, each once
 */
public record PendingPod(String name, PodSpec spec, List<ClaimKey> claims) {

  /** Copies the list; refuses null. {@inheritDoc} */
  public PendingPod {
    Objects.requireNonNull(name, "PendingPod.name: want namespace/name, got null");
    Objects.requireNonNull(spec, "PendingPod.spec: want PodSpec.ANYWHERE or another, got null");
    Objects.requireNonNull(claims, "PendingPod.claims: want a list, got null");
    claims = List.copyOf(claims);
  }

  /**
   * Returns whether the pod names this node or none ({@code spec.nodeName}).
   *
   * @param node the node
   * @return whether the node name of the pod allows the node
   */
  public boolean names(Node node) {
    return PodNodeFilters.names(spec.nodeName(), node);
  }

  /**
   * Returns whether the node has all labels that the pod asks for ({@code spec.nodeSelector}).
   *
   * @param node the node
   * @return whether the node selector of the pod allows the node
   */
  public boolean selects(Node node) {
    return PodNodeFilters.selects(spec.nodeSelector(), node);
  }

  /**
   * Returns whether the specification of the pod lets it run on a node: its node name; without one
   * its tolerations, its node selector and its required node affinity, as kube-scheduler does.
   *
   * @param node the node
   * @return whether nothing but claims can refuse the pod there
   */
  public boolean mayRunOn(Node node) {
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
