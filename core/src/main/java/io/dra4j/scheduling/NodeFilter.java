package io.dra4j.scheduling;

import io.dra4j.inventory.NodeAffinity;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** On which nodes a pod may run, before anybody asks for devices. */
final class NodeFilter {

  private final PodToPlace pod;
  private final Map<String, String> ofItsGang;
  private final List<ResourceClaim> pending = new ArrayList<>();
  private final List<NodeSelector> ofAllocatedClaims = new ArrayList<>();

  /**
   * Sees the claims as they are now.
   *
   * @param ofItsGang node labels that all nodes of the pod's gang have
   */
  NodeFilter(PodToPlace pod, Map<ClaimKey, ResourceClaim> claims, Map<String, String> ofItsGang) {
    this.pod = pod;
    this.ofItsGang = ofItsGang;
    for (ClaimKey key : pod.claims()) {
      ResourceClaim claim = Objects.requireNonNull(claims.get(key), () -> "no claim " + key);
      AllocationResult allocation = claim.allocation();
      if (allocation == null) {
        pending.add(claim);
      } else if (allocation.nodeSelector() != null) {
        ofAllocatedClaims.add(allocation.nodeSelector());
      }
    }
  }

  /** The claims of the pod that have no allocation yet. */
  List<ResourceClaim> pending() {
    return pending;
  }

  /** What refuses the pod on the node, or {@code null} if nothing but devices can. */
  @Nullable Cause refusal(Node node) {
    if (!pod.names(node)) {
      return Cause.NODE_NAME;
    } else if (!pod.selects(node)) {
      return Cause.NODE_SELECTOR;
    } else if (!node.metadata().labels().entrySet().containsAll(ofItsGang.entrySet())) {
      return Cause.GANG_TOPOLOGY;
    }
    for (NodeSelector selector : ofAllocatedClaims) {
      if (!NodeAffinity.matches(selector, node)) {
        return Cause.ALLOCATED_CLAIMS;
      }
    }
    return null;
  }

  static String describe(Cause cause) {
    return switch (cause) {
      case NODE_NAME -> "the pod names another node";
      case NODE_SELECTOR -> "the node lacks a label that the pod's node selector asks for";
      case GANG_TOPOLOGY -> "the pod's gang is where its topology keys have other values";
      case ALLOCATED_CLAIMS -> "an allocated claim of the pod cannot be used on the node";
      case DEVICES -> "the node has no devices for the pod's claims";
    };
  }
}
