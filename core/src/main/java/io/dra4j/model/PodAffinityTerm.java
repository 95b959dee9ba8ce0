package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A term of pod affinity or anti-affinity: other pods that must run, or must not run, in the same
 * domain of a topology ({@code spec.affinity.podAffinity} and {@code podAntiAffinity}).
 *
 * @param labelSelector selects the pods by their labels; {@code null} for none
 * @param namespaces the namespaces of these pods; if empty and without a selector of namespaces,
 *     the namespace of the pod itself
 * @param namespaceSelector selects further namespaces by their labels; {@code null} for none
 * @param topologyKey the label of nodes whose value is the domain
 * @param matchLabelKeys labels of the pod itself that the other pods must have with equal values
 * @param mismatchLabelKeys labels of the pod itself that the other pods must have with other values
 */
public record PodAffinityTerm(
    @Nullable LabelSelector labelSelector,
    List<String> namespaces,
    @Nullable LabelSelector namespaceSelector,
    String topologyKey,
    List<String> matchLabelKeys,
    List<String> mismatchLabelKeys) {

  /** Copies the lists; rejects null. {@inheritDoc} */
  public PodAffinityTerm {
    namespaces = Checks.list("PodAffinityTerm.namespaces", namespaces);
    Checks.value("PodAffinityTerm.topologyKey", topologyKey);
    matchLabelKeys = Checks.list("PodAffinityTerm.matchLabelKeys", matchLabelKeys);
    mismatchLabelKeys = Checks.list("PodAffinityTerm.mismatchLabelKeys", mismatchLabelKeys);
  }

  /**
   * {@return a term for pods in the namespace of the pod itself}
   *
   * @param labelSelector selects the pods by their labels
   * @param topologyKey the label of nodes whose value is the domain
   */
  public static PodAffinityTerm of(LabelSelector labelSelector, String topologyKey) {
    Checks.value("PodAffinityTerm.labelSelector", labelSelector);
    return new PodAffinityTerm(labelSelector, List.of(), null, topologyKey, List.of(), List.of());
  }

  /**
   * {@return this term with another selector of pods}
   *
   * @param selector selects the pods by their labels
   */
  public PodAffinityTerm withLabelSelector(LabelSelector selector) {
    Checks.value("PodAffinityTerm.labelSelector", selector);
    return new PodAffinityTerm(
        selector, namespaces, namespaceSelector, topologyKey, matchLabelKeys, mismatchLabelKeys);
  }

  /**
   * {@return this term with a selector of further namespaces}
   *
   * @param selector selects namespaces by their labels
   */
  public PodAffinityTerm withNamespaceSelector(LabelSelector selector) {
    Checks.value("PodAffinityTerm.namespaceSelector", selector);
    return new PodAffinityTerm(
        labelSelector, namespaces, selector, topologyKey, matchLabelKeys, mismatchLabelKeys);
  }
}
