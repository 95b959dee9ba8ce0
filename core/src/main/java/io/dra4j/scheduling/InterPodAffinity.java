package io.dra4j.scheduling;

import io.dra4j.model.LabelSelector;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.scheduling.RunningPods.Domain;
import io.dra4j.scheduling.RunningPods.RunningPod;
import io.dra4j.scheduling.RunningPods.Selection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses nodes that violate the affinity of the pod to other pods, its anti-affinity, or the
 * anti-affinity of a pod there: kube-scheduler's plugin {@code InterPodAffinity}.
 *
 * <p>If a term selects namespaces by labels, only the label {@code kubernetes.io/metadata.name} is
 * known.
 */
final class InterPodAffinity implements PodFilter {

  private final List<PodAffinityTerm> affinity;
  private final List<PodAffinityTerm> antiAffinity;
  private final Set<Domain> near; // domains with pods that meet all terms of the affinity
  private final boolean isFirst; // only the pod itself meets them
  private final Set<Domain> away; // domains with pods that a term of the anti-affinity selects
  private final Set<Domain> keptAway; // domains whose pods keep the pod away

  private InterPodAffinity(RunningPod pod, RunningPods running) {
    affinity = pod.spec().requiredPodAffinity();
    antiAffinity = pod.spec().requiredPodAntiAffinity();
    keptAway = running.keepingAway(pod);
    Map<String, Node> nodes = new HashMap<>();
    if (!affinity.isEmpty() || !antiAffinity.isEmpty()) {
      running.nodes().forEach(node -> nodes.put(node.name(), node));
    }
    List<Selection> selections = new ArrayList<>();
    affinity.forEach(term -> selections.add(selection(term, pod)));
    near = affinity.isEmpty() ? Set.of() : domains(running.count(selections), affinity, nodes);
    isFirst = near.isEmpty() && selections.stream().allMatch(one -> one.selects(pod));
    away = new HashSet<>();
    for (PodAffinityTerm term : antiAffinity) {
      away.addAll(domains(running.count(List.of(selection(term, pod))), List.of(term), nodes));
    }
  }

  /** The filter for a pod; {@code null} if no term applies to it. */
  static @Nullable PodFilter of(RunningPod pod, RunningPods running) {
    boolean hasTerms =
        !pod.spec().requiredPodAffinity().isEmpty()
            || !pod.spec().requiredPodAntiAffinity().isEmpty();
    if (!hasTerms && !running.hasAntiTerms()) {
      return null;
    }
    InterPodAffinity filter = new InterPodAffinity(pod, running);
    return hasTerms || !filter.keptAway.isEmpty() ? filter : null;
  }

  /** The pods that a term of a pod selects. */
  static Selection selection(PodAffinityTerm term, RunningPod owner) {
    LabelSelector selector = term.labelSelector();
    Set<String> namespaces = new HashSet<>(term.namespaces());
    if (namespaces.isEmpty() && term.namespaceSelector() == null) {
      namespaces.add(owner.namespace());
    }
    if (selector == null) { // selects no pods
      return new Selection(Set.of(), null, LabelSelector.EVERYTHING);
    }
    return new Selection(
        namespaces,
        term.namespaceSelector(),
        withKeys(selector, term.matchLabelKeys(), term.mismatchLabelKeys(), owner));
  }

  /** A selector that also requires labels with values of the pod itself, or with other values. */
  static LabelSelector withKeys(
      LabelSelector selector, List<String> equal, List<String> different, RunningPod owner) {
    if (equal.isEmpty() && different.isEmpty()) {
      return selector;
    }
    List<NodeSelectorRequirement> conditions = new ArrayList<>(selector.matchExpressions());
    for (String key : equal) {
      addCondition(conditions, key, NodeSelectorOperator.IN, owner);
    }
    for (String key : different) {
      addCondition(conditions, key, NodeSelectorOperator.NOT_IN, owner);
    }
    return new LabelSelector(selector.matchLabels(), conditions);
  }

  private static void addCondition(
      List<NodeSelectorRequirement> conditions,
      String key,
      NodeSelectorOperator operator,
      RunningPod owner) {
    String value = owner.labels().get(key);
    if (value != null) {
      conditions.add(new NodeSelectorRequirement(key, operator, List.of(value)));
    }
  }

  private static Set<Domain> domains(
      Map<String, Integer> counts, List<PodAffinityTerm> terms, Map<String, Node> nodes) {
    Set<Domain> found = new HashSet<>();
    for (String name : counts.keySet()) {
      Node node = nodes.get(name);
      for (PodAffinityTerm term : terms) {
        String value = node == null ? null : node.metadata().labels().get(term.topologyKey());
        if (value != null) {
          found.add(new Domain(term.topologyKey(), value));
        }
      }
    }
    return found;
  }

  @Override
  public @Nullable NodeMismatch mismatch(Node node) {
    Map<String, String> labels = node.metadata().labels();
    boolean isNear = true;
    for (PodAffinityTerm term : affinity) {
      String value = labels.get(term.topologyKey());
      if (value == null) {
        return new NodeMismatch.OtherPods(NodeMismatch.PodRelation.NOT_NEAR, term.topologyKey());
      }
      isNear &= near.contains(new Domain(term.topologyKey(), value));
    }
    if (!isNear && !isFirst) {
      return new NodeMismatch.OtherPods(
          NodeMismatch.PodRelation.NOT_NEAR, affinity.get(0).topologyKey());
    }
    for (PodAffinityTerm term : antiAffinity) {
      String value = labels.get(term.topologyKey());
      if (value != null && away.contains(new Domain(term.topologyKey(), value))) {
        return new NodeMismatch.OtherPods(NodeMismatch.PodRelation.TOO_NEAR, term.topologyKey());
      }
    }
    for (Domain domain : keptAway) {
      if (domain.value().equals(labels.get(domain.key()))) {
        return new NodeMismatch.OtherPods(NodeMismatch.PodRelation.KEPT_AWAY, domain.key());
      }
    }
    return null;
  }
}
