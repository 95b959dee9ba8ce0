package io.dra4j.scheduling;

import io.dra4j.inventory.NodeAffinity;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides on which nodes a pod may run, before devices are searched: nodes that its specification
 * ({@link PodNodeFilters}) and the topology of its gang allow, and on which its allocated claims
 * can be used.
 */
final class NodeFilter {

  private final PodNodeFilters rules;
  private final List<PodFilter> filters;
  private final List<PodFilter> ofNodeAlone;
  private final List<PodFilter> ofOthers;
  private final Map<String, String> ofItsGang;
  private final List<ResourceClaim> pending = new ArrayList<>();
  private final Map<ClaimKey, NodeSelector> allocated =
      new LinkedHashMap<>(); // the nodes that can use the claim

  /**
   * Creates the filter from the current state of the claims.
   *
   * @param rules the rules of the specification of the pod
   * @param filters the filters that depend on other pods and on the state of claims
   * @param ofItsGang node labels that all nodes of the pod's gang have
   */
  NodeFilter(
      PendingPod pod,
      PodNodeFilters rules,
      List<PodFilter> filters,
      Map<ClaimKey, ResourceClaim> claims,
      Map<String, String> ofItsGang) {
    this.rules = rules;
    this.filters = filters;
    this.ofNodeAlone = filters.stream().filter(PodFilter::looksAtNodeAlone).toList();
    this.ofOthers = filters.stream().filter(filter -> !filter.looksAtNodeAlone()).toList();
    this.ofItsGang = ofItsGang;
    for (ClaimKey key : pod.claims()) {
      ResourceClaim claim = Objects.requireNonNull(claims.get(key), () -> "no claim " + key);
      AllocationResult allocation = claim.allocation();
      if (allocation == null) {
        pending.add(claim);
      } else if (allocation.nodeSelector() != null) {
        allocated.put(key, allocation.nodeSelector());
      }
    }
  }

  /** The claims of the pod without an allocation. */
  List<ResourceClaim> pending() {
    return pending;
  }

  PodNodeFilters rules() {
    return rules;
  }

  /**
   * The cause of the refusal of the pod on the node, or {@code null} if only devices can refuse it.
   */
  @Nullable Cause refusal(Node node) {
    Cause cause = rules.refusal(node);
    return cause != null ? cause : refusalBesideRules(node);
  }

  /**
   * The cause of the refusal on a node that the specification of the pod allows, or {@code null} if
   * only devices can refuse it.
   */
  @Nullable Cause refusalBesideRules(Node node) {
    NodeMismatch mismatch = besideRules(node);
    return mismatch == null ? null : mismatch.cause();
  }

  /**
   * The cause of the refusal on a node that the specification of the pod allows, without the
   * filters that depend on other nodes. The answer stays valid until the node gets a pod.
   */
  @Nullable Cause refusalOfNodeAlone(Node node) {
    NodeMismatch mismatch = first(ofNodeAlone, node);
    mismatch = mismatch == null ? besideFilters(node) : mismatch;
    return mismatch == null ? null : mismatch.cause();
  }

  /** Whether a filter that depends on other nodes refuses the pod on the node. */
  boolean isRefusedByOthers(Node node) {
    return first(ofOthers, node) != null;
  }

  /** Whether there are filters that depend on other nodes. */
  boolean looksAtOthers() {
    return !ofOthers.isEmpty();
  }

  Map<String, String> ofItsGang() {
    return ofItsGang;
  }

  /** The nodes on which each allocated claim of the pod can be used. */
  Map<ClaimKey, NodeSelector> allocated() {
    return allocated;
  }

  /** The reason of the refusal of the pod on the node, with its details. */
  @Nullable NodeMismatch mismatch(Node node) {
    NodeMismatch mismatch = rules.mismatch(node);
    return mismatch != null ? mismatch : besideRules(node);
  }

  private @Nullable NodeMismatch besideRules(Node node) {
    NodeMismatch mismatch = first(filters, node);
    return mismatch == null ? besideFilters(node) : mismatch;
  }

  private static @Nullable NodeMismatch first(List<PodFilter> filters, Node node) {
    for (PodFilter filter : filters) {
      NodeMismatch mismatch = filter.mismatch(node);
      if (mismatch != null) {
        return mismatch;
      }
    }
    return null;
  }

  private @Nullable NodeMismatch besideFilters(Node node) {
    if (!PodNodeFilters.selects(ofItsGang, node)) {
      return new NodeMismatch.OtherTopology();
    }
    for (Map.Entry<ClaimKey, NodeSelector> claim : allocated.entrySet()) {
      if (!NodeAffinity.matches(claim.getValue(), node)) {
        return new NodeMismatch.AllocatedElsewhere(claim.getKey(), claim.getValue());
      }
    }
    return null;
  }
}
