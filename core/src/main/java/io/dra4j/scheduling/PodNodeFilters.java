package io.dra4j.scheduling;

import io.dra4j.inventory.NodeAffinity;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import io.dra4j.model.TolerationOperator;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which nodes the specification of a pod allows, independent of its claims and its gang,
 * like kube-scheduler's plugins NodeUnschedulable, NodeName, TaintToleration and NodeAffinity
 * ({@code pkg/scheduler/framework/plugins}). Everything that does not depend on the node is
 * computed once; {@link NodePrefilter} shares the rules among the pods of a run.
 *
 * <p>A pod with a node name is bound: no scheduler handles it again, so that only the name matters.
 */
final class PodNodeFilters {

  /** The taint that the scheduler derives from {@code spec.unschedulable}. */
  static final Taint CORDONED =
      Taint.of("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE);

  /** Covers all taints. */
  static final List<Toleration> TOLERATES_ALL = List.of(Toleration.exists(""));

  /**
   * The part of a specification that decides; pods with equal keys may run on the same nodes.
   *
   * @param nodeName the only node; empty for any
   * @param nodeSelector labels that the node must have
   * @param tolerations the tolerated taints
   * @param affinity the required nodes, or {@code null} for any
   */
  record Key(
      String nodeName,
      Map<String, String> nodeSelector,
      List<Toleration> tolerations,
      @Nullable NodeSelector affinity) {

    static Key of(PodSpec spec) {
      return new Key(
          spec.nodeName(), spec.nodeSelector(), spec.tolerations(), spec.requiredNodeAffinity());
    }

    boolean isBound() {
      return !nodeName.isEmpty();
    }
  }

  private final Key key;
  private final boolean isNodeKnown;
  private final Set<Toleration> tolerations = new HashSet<>(); // in plain form
  private final @Nullable Predicate<Node> affinity;
  private final @Nullable NodeMismatch notRequired;
  private volatile @Nullable Map<Cause, List<String>> sentences;

  /** Creates the rules; {@code isNodeKnown} is whether the pod's named node, if any, exists. */
  PodNodeFilters(Key key, boolean isNodeKnown) {
    this.key = key;
    this.isNodeKnown = isNodeKnown;
    key.tolerations().forEach(toleration -> tolerations.add(plain(toleration)));
    this.affinity = key.affinity() == null ? null : NodeAffinity.required(key.affinity());
    this.notRequired = key.affinity() == null ? null : NodeMismatch.NotRequired.of(key.affinity());
  }

  PodNodeFilters(Key key) {
    this(key, true);
  }

  /** Whether a specification names this node or no node. */
  static boolean names(String nodeName, Node node) {
    return nodeName.isEmpty() || nodeName.equals(node.name());
  }

  /** Whether the node has all labels of a node selector. */
  static boolean selects(Map<String, String> nodeSelector, Node node) {
    return node.metadata().labels().entrySet().containsAll(nodeSelector.entrySet());
  }

  boolean allows(Node node) {
    return refusal(node) == null;
  }

  /**
   * The cause for which the specification excludes the node, or {@code null} if it allows the node.
   */
  @Nullable Cause refusal(Node node) {
    if (key.isBound()) {
      return names(key.nodeName(), node) ? null : Cause.NODE_NAME;
    } else if (untolerated(node) != null) {
      return Cause.TAINT;
    } else if (!selects(key.nodeSelector(), node)) {
      return Cause.NODE_SELECTOR;
    }
    return affinity == null || affinity.test(node) ? null : Cause.NODE_AFFINITY;
  }

  /** Why the specification excludes the node, in detail, or {@code null} if it allows the node. */
  @Nullable NodeMismatch mismatch(Node node) {
    Cause cause = refusal(node);
    if (cause == Cause.NODE_NAME) {
      return new NodeMismatch.OtherName(key.nodeName(), isNodeKnown);
    } else if (cause == Cause.NODE_SELECTOR) {
      return new NodeMismatch.Lacking(lacking(node));
    }
    Taint taint = cause == Cause.TAINT ? untolerated(node) : null;
    if (taint != null) {
      return new NodeMismatch.Untolerated(taint.toBuilder().timeAdded(null).build());
    }
    return cause == Cause.NODE_AFFINITY ? notRequired : null;
  }

  /**
   * Returns sentences with the reasons why nodes refuse the pods. They are cached, since all pods
   * of a stateful set or a job need the same.
   *
   * @param nodes the nodes of the run, the same each time
   */
  Map<Cause, List<String>> sentences(List<Node> nodes) {
    Map<Cause, List<String>> known = sentences;
    if (known == null) {
      Map<Cause, List<String>> found = new EnumMap<>(Cause.class);
      for (NodeReason reason : NodeReasons.of(nodes, this::mismatch)) {
        found.computeIfAbsent(reason.cause(), any -> new ArrayList<>()).add(reason.text());
      }
      known = Collections.unmodifiableMap(found);
      sentences = known;
    }
    return known;
  }

  /** The first taint that keeps the pod away, or {@code null} if none does. */
  private @Nullable Taint untolerated(Node node) {
    if (node.unschedulable() && !tolerates(CORDONED)) {
      return CORDONED;
    }
    for (Taint taint : node.taints()) {
      if (taint.keepsAway() && !tolerates(taint)) {
        return taint;
      }
    }
    return null;
  }

  /** The plain form of a toleration, equal for all tolerations that cover the same taints. */
  private static Toleration plain(Toleration toleration) {
    boolean isOfAll = toleration.operator().equals(TolerationOperator.EXISTS);
    boolean isDefault = toleration.operator().value().isEmpty();
    return toleration.toBuilder()
        .operator(isDefault ? TolerationOperator.EQUAL : toleration.operator())
        .value(isOfAll ? "" : toleration.value())
        .tolerationSeconds(null)
        .build();
  }

  /** Whether a toleration tolerates a taint ({@link Toleration#tolerates}); fast with thousands. */
  private boolean tolerates(Taint taint) {
    if (!tolerations.isEmpty()) {
      for (String taintKey : List.of(taint.key(), "")) {
        for (TaintEffect effect : List.of(taint.effect(), TaintEffect.UNSET)) {
          Toleration one = Toleration.exists(taintKey).toBuilder().effect(effect).build();
          if (tolerations.contains(one)
              || tolerations.contains(
                  one.toBuilder()
                      .operator(TolerationOperator.EQUAL)
                      .value(taint.value())
                      .build())) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private Map<String, String> lacking(Node node) {
    Map<String, String> labels = node.metadata().labels();
    Map<String, String> lacking = new LinkedHashMap<>();
    for (Map.Entry<String, String> wanted : key.nodeSelector().entrySet()) {
      if (lacking.size() < NodeMismatch.MAX_LABELS
          && !wanted.getValue().equals(labels.get(wanted.getKey()))) {
        lacking.put(wanted.getKey(), wanted.getValue());
      }
    }
    return lacking;
  }
}
