package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A constraint for spreading pods evenly over the domains of a topology ({@code
 * spec.topologySpreadConstraints}).
 *
 * @param maxSkew the maximum difference between the number of pods of a domain and of the domain
 *     with the fewest pods
 * @param topologyKey the label of nodes whose value is the domain
 * @param required whether the constraint must hold ({@code whenUnsatisfiable: DoNotSchedule});
 *     otherwise it is a preference
 * @param labelSelector selects the counted pods; {@code null} for none
 * @param minDomains the minimum number of domains: if there are fewer, the smallest number of pods
 *     counts as 0; {@code null} for 1
 * @param ignoresNodeAffinity whether nodes also count that the node selector or the node affinity
 *     of the pod excludes ({@code nodeAffinityPolicy: Ignore})
 * @param honorsTaints whether nodes with taints that the pod does not tolerate are not counted
 *     ({@code nodeTaintsPolicy: Honor})
 * @param matchLabelKeys labels of the pod itself that counted pods must have with equal values
 */
public record TopologySpreadConstraint(
    int maxSkew,
    String topologyKey,
    boolean required,
    @Nullable LabelSelector labelSelector,
    @Nullable Integer minDomains,
    boolean ignoresNodeAffinity,
    boolean honorsTaints,
    List<String> matchLabelKeys) {

  /** Copies the list; rejects null. {@inheritDoc} */
  public TopologySpreadConstraint {
    Checks.value("TopologySpreadConstraint.topologyKey", topologyKey);
    matchLabelKeys = Checks.list("TopologySpreadConstraint.matchLabelKeys", matchLabelKeys);
  }

  /**
   * {@return a constraint that must hold}
   *
   * @param maxSkew the maximum difference between the number of pods of a domain and of the domain
   *     with the fewest pods
   * @param topologyKey the label of nodes whose value is the domain
   * @param labelSelector selects the counted pods
   */
  public static TopologySpreadConstraint required(
      int maxSkew, String topologyKey, LabelSelector labelSelector) {
    Checks.value("TopologySpreadConstraint.labelSelector", labelSelector);
    return new TopologySpreadConstraint(
        maxSkew, topologyKey, true, labelSelector, null, false, false, List.of());
  }
}
