package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How evenly pods have to be spread over the domains of a topology ({@code
 * spec.topologySpreadConstraints}).
 *
 * @param maxSkew by how many pods a domain may have more than the one with the fewest
 * @param topologyKey the label of nodes whose value is the domain
 * @param required whether no pod runs where the constraint does not hold ({@code whenUnsatisfiable:
 *     DoNotSchedule}); otherwise it is a preference
 * @param labelSelector which pods are counted; {@code null} for none
 * @param minDomains with fewer domains than this, the fewest pods of a domain are 0; {@code null}
 *     for 1
 * @param ignoresNodeAffinity whether nodes count on which the node selector and the node affinity
 *     of the pod do not let it run ({@code nodeAffinityPolicy: Ignore})
 * @param honorsTaints whether nodes with taints that the pod does not tolerate do not count ({@code
 *     nodeTaintsPolicy: Honor})
 * @param matchLabelKeys labels of the pod itself that counted pods have, too, with equal values
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

  /** Copies the list; refuses null. {@inheritDoc} */
  public TopologySpreadConstraint {
    Checks.value("TopologySpreadConstraint.topologyKey", topologyKey);
    matchLabelKeys = Checks.list("TopologySpreadConstraint.matchLabelKeys", matchLabelKeys);
  }

  /**
   * Makes a constraint that has to hold.
   *
   * @param maxSkew by how many pods a domain may have more than the one with the fewest
   * @param topologyKey the label of nodes whose value is the domain
   * @param labelSelector which pods are counted
   * @return the constraint
   */
  public static TopologySpreadConstraint required(
      int maxSkew, String topologyKey, LabelSelector labelSelector) {
    Checks.value("TopologySpreadConstraint.labelSelector", labelSelector);
    return new TopologySpreadConstraint(
        maxSkew, topologyKey, true, labelSelector, null, false, false, List.of());
  }
}
