package io.dra4j.cli.cluster;

import io.dra4j.scheduling.NodeRefusals;
import io.dra4j.scheduling.PodOutcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which servers the answer of {@code allocate} draws: each that a pod got something on, and some
 * that refused a pod. Where nothing fits, a picture says most: which claim has what, and what
 * cannot be had.
 */
final class PicturedNodes {

  /** So many servers that refused a pod are drawn. */
  private static final int MAX_REFUSING = 4;

  private PicturedNodes() {}

  /** The names of the nodes, those with placed pods first. */
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
