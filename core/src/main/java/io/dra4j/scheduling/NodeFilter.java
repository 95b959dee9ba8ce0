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
 * On which nodes a pod may run, before devices are asked for: where its specification lets it
 * ({@link PodNodeFilters}), its gang is, and its allocated claims can be used.
 */
final class NodeFilter {

  private final PodNodeFilters rules;
  private final List<PodFilter> filters;
  private final List<PodFilter> ofNodeAlone;
  private final List<PodFilter> ofOthers;
  private final Map<String, String> ofItsGang;
  private final List<ResourceClaim> pending = new ArrayList<>();
  private final Map<ClaimKey, NodeSelector> allocated = new LinkedHashMap<>(); // where to be used

  /**
   * Sees the claims as they are now.
   *
   * @param rules those of the specification of the pod
   * @param filters those that look at other pods and at the state of claims
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

  /** The claims of the pod that have no allocation yet. */
  List<ResourceClaim> pending() {
    return pending;
  }

  PodNodeFilters rules() {
    return rules;
  }

  /** What refuses the pod on the node, or {@code null} if nothing but devices can. */
  @Nullable Cause refusal(Node node) {
    Cause cause = rules.refusal(node);
    return cause != null ? cause : refusalBesideRules(node);
  }

  /** The same for a node on which the specification of the pod lets it run. */
  @Nullable Cause refusalBesideRules(Node node) {
    NodeMismatch mismatch = besideRules(node);
    return mismatch == null ? null : mismatch.cause();
  }

  /**
   * What refuses the pod on a node on which its specification lets it run, without the filters that
   * look at other nodes, too: the answer stays until a pod comes to the node.
   */
  @Nullable Cause refusalOfNodeAlone(Node node) {
    NodeMismatch mismatch = first(ofNodeAlone, node);
    mismatch = mismatch == null ? besideFilters(node) : mismatch;
    return mismatch == null ? null : mismatch.cause();
  }

  /** Whether a filter refuses the pod on the node that looks at more than the node. */
  boolean isRefusedByOthers(Node node) {
    return first(ofOthers, node) != null;
  }

  /** Whether there are filters that look at more than one node. */
  boolean looksAtOthers() {
    return !ofOthers.isEmpty();
  }

  Map<String, String> ofItsGang() {
    return ofItsGang;
  }

  /** Where the claims of the pod that have an allocation can be used. */
  Map<ClaimKey, NodeSelector> allocated() {
    return allocated;
  }

  /** What refuses the pod on the node, with what there is to say of it. */
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
