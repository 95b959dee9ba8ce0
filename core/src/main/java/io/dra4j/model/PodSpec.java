package io.dra4j.model;

import java.util.List;
import java.util.Map;

/**
 * The part of a pod's {@code spec} that decides where it runs and which claims it needs.
 *
 * @param nodeName the node that it is bound to; empty while it is not
 * @param nodeSelector labels that its node must have
 * @param resourceClaims the claims that it needs
 */
public record PodSpec(
    String nodeName, Map<String, String> nodeSelector, List<PodResourceClaim> resourceClaims) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public PodSpec {
    nodeSelector = NoNulls.map("PodSpec.nodeSelector", nodeSelector);
    resourceClaims = NoNulls.list("PodSpec.resourceClaims", resourceClaims);
  }
}
