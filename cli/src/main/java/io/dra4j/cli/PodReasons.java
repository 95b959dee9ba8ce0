package io.dra4j.cli;

import io.dra4j.scheduling.NodeRefusal;
import io.dra4j.scheduling.NodeRefusals;
import io.dra4j.scheduling.PodOutcome;
import java.util.ArrayList;
import java.util.List;

/** Why a pod is on no node, in a few lines. */
final class PodReasons {

  /** A pod that fits nowhere in a big cluster needs no more reasons than these. */
  private static final int MAX_REASONS = 4;

  private PodReasons() {}

  /** The lines; none for a pod that is on a node. */
  static List<String> of(PodOutcome outcome) {
    if (outcome instanceof PodOutcome.Unplaceable unplaceable) {
      return of(unplaceable.refusals());
    } else if (outcome instanceof PodOutcome.GangUnplaceable gang) {
      return List.of(gang.gang() + " does not fit: " + gang.reason());
    } else if (outcome instanceof PodOutcome.Rejected rejected) {
      return List.of(rejected.fault().error());
    } else if (outcome instanceof PodOutcome.Undecided undecided) {
      return List.of(undecided.node() + ": undecided: " + undecided.limit().reason());
    }
    return List.of();
  }

  private static List<String> of(NodeRefusals refusals) {
    if (refusals.withoutDevices() == 0) {
      return List.of(
          "does not fit: no node that its node name, its node selector and its allocated claims"
              + " allow");
    }
    List<String> reasons = new ArrayList<>();
    for (NodeRefusal refusal : refusals.first(MAX_REASONS)) {
      reasons.add(refusal.node() + ": does not fit: " + refusal.lines().get(0));
    }
    int more = refusals.withoutDevices() - reasons.size();
    if (more > 0) {
      reasons.add("... and " + more + " more nodes");
    }
    return reasons;
  }
}
