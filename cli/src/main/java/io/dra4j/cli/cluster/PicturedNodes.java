package io.dra4j.cli.cluster;

import io.dra4j.scheduling.NodeRefusals;
import io.dra4j.scheduling.PodOutcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Selects the servers that {@code allocate} draws: each server on which a pod was placed, and some
 * that refused a pod. If nothing fits, a picture helps most: it shows which claims hold which
 * devices, and which devices cannot be allocated.
 */
final class PicturedNodes {

  /** The limit of servers that refused a pod. */
  private static final int MAX_REFUSING = 4;

  private PicturedNodes() {}

  /** Returns the names of the nodes; nodes with placed pods come first. */
  static Set<String> of(List<PodOutcome> pods) {
    Set<String> nodes = new LinkedHashSet<>();
    for (PodOutcome outcome : pods) {
      if (outcome instanceof PodOutcome.Placed pod) {
        nodes.add(pod.node());
      }
    }
    int room = nodes.size() + MAX_REFUSING;
    for (PodOutcome outcome : pods) {
      if (nodes.size() < room) {
        refusals(outcome)
            .ifPresent(refusals -> refusals.first(1).forEach(refusal -> nodes.add(refusal.node())));
      }
    }
    return nodes;
  }

  private static Optional<NodeRefusals> refusals(PodOutcome outcome) {
    if (outcome instanceof PodOutcome.Unplaceable pod) {
      return Optional.of(pod.refusals());
    }
    return outcome instanceof PodOutcome.GangUnplaceable pod ? pod.alone() : Optional.empty();
  }
}
