package io.dra4j.cli;

import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Map;

/**
 * A pod, or a claim that stands for one, with the claims that it needs.
 *
 * @param name how the answer names it: {@code namespace/name}
 * @param spec where it may run
 * @param claims the keys of its claims, in the order of the pod
 */
record PodToPlace(String name, PodSpec spec, List<ClaimKey> claims) {

  /** A place to run for claims that no pod refers to. */
  static final PodSpec ANYWHERE = new PodSpec("", Map.of(), List.of());

  /**
   * What identifies a claim.
   *
   * @param namespace never empty
   * @param name the claim's name
   */
  record ClaimKey(String namespace, String name) {

    static ClaimKey of(ResourceClaim claim) {
      return new ClaimKey(claim.metadata().namespaceOrDefault(), claim.metadata().name());
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  /** Whether the pod's own node name and node selector let it run there. */
  boolean mayRunOn(Node node) {
    return (spec.nodeName().isEmpty() || spec.nodeName().equals(node.name()))
        && node.metadata().labels().entrySet().containsAll(spec.nodeSelector().entrySet());
  }
}
