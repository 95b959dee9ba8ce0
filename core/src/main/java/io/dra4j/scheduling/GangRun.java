package io.dra4j.scheduling;

import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.placement.gang.GangOutcome;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.placement.gang.GangScore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Which pods of a queue are placed together, and how those of one gang are. */
final class GangRun {

  private final GangPlacement placement;
  private final Duration time;
  private final boolean onlyPodGroups;

  /** Places gangs together; of PodGroups alone the plan is not scored. */
  GangRun(GangPlacement placement, Duration time, boolean onlyPodGroups) {
    this.placement = placement;
    this.time = time;
    this.onlyPodGroups = onlyPodGroups;
  }

  List<GroupForest.Node> gangsOf(PodQueue queue) {
    return queue.groups(onlyPodGroups);
  }

  /** How long to look for the plan of what is placed together. */
  Duration time() {
    return time;
  }

  /**
   * Places as many of the first pods as there is room for, but no fewer than have to be placed at a
   * time.
   *
   * @param nodesOf the nodes in question for each pod
   * @param sameLabels node labels in whose value all nodes of the gang have to agree
   * @param scores gets the score of the gang if it is placed
   * @param caller how long the caller waits for all pods
   * @return the outcome of the pods; those beyond the first ones that fit are not in it
   */
  Map<PendingPod, PodOutcome> place(
      Gang gang,
      Map<ClaimKey, ResourceClaim> claims,
      Function<PendingPod, Predicate<Node>> nodesOf,
      List<String> sameLabels,
      DeviceInventory inventory,
      Map<String, GangScore> scores,
      Budget caller) {
    Budget budget = caller.atMost(time);
    int fewest = gang.minCount();
    int most = gang.pods().size();
    GangOutcome.Placed best = null;
    GangOutcome outcome =
        new GangOutcome.Unplaceable(
            "it has %d %s with claims and needs %d at a time"
                .formatted(most, most == 1 ? "pod" : "pods", fewest));
    // Where pods fit, the first ones of them fit, too: bisection finds how many do.
    for (int size = most; fewest <= most; size = (fewest + most) >>> 1) {
      List<GangMember> members = gang.membersOn(size, claims, nodesOf);
      Budget forThese = size > gang.minCount() ? budget.half() : budget;
      outcome = placement.place(inventory, members, sameLabels, forThese);
      if (outcome instanceof GangOutcome.Placed placed) {
        best = placed;
        fewest = size + 1;
      } else if (outcome instanceof GangOutcome.Rejected rejected) {
        most = Math.min(size - 1, members.indexOf(rejected.member()));
      } else {
        most = size - 1; // or it is unknown
      }
    }
    Map<PendingPod, PodOutcome> outcomes = new HashMap<>();
    if (best == null) {
      for (PendingPod pod : gang.pods()) {
        outcomes.put(pod, refused(pod, gang, outcome));
      }
      return outcomes;
    }
    if (!onlyPodGroups) {
      scores.put(gang.name(), best.score());
    }
    for (int i = 0; i < best.members().size(); i++) {
      PendingPod pod = gang.pods().get(i);
      GangOutcome.PlacedMember member = best.members().get(i);
      outcomes.put(
          pod,
          new PodOutcome.Placed(
              pod,
              member.node(),
              member.allocations(),
              member.score().map(score -> (Score) score)));
    }
    return outcomes;
  }

  private static PodOutcome refused(PendingPod pod, Gang gang, GangOutcome outcome) {
    if (outcome instanceof GangOutcome.Rejected rejected) {
      return new PodOutcome.Rejected(pod, rejected.node(), rejected.fault());
    } else if (outcome instanceof GangOutcome.Undecided undecided) {
      return new PodOutcome.Undecided(pod, gang.name(), undecided.reason());
    }
    String reason =
        outcome instanceof GangOutcome.Unplaceable unplaceable ? unplaceable.reason() : "";
    return new PodOutcome.GangUnplaceable(pod, gang.name(), reason, Optional.empty());
  }
}
