package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Score;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Budget;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.GangMember;
import io.dra4j.placement.GangOutcome;
import io.dra4j.placement.GangPlacement;
import io.dra4j.placement.GangScore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Places the pods of one gang of a queue. */
final class GangRun {

  private final GangPlacement placement;
  private final Duration time;

  GangRun(GangPlacement placement, Duration time) {
    this.placement = placement;
    this.time = time;
  }

  /**
   * Places as many pods as there is room for, but no fewer than have to be placed at a time.
   *
   * @param scores gets the score of the gang if it is placed
   * @return what became of the pods; those beyond the first ones that fit are not in it
   */
  Map<PodToPlace, PodOutcome> place(
      Gang gang,
      Map<ClaimKey, ResourceClaim> claims,
      List<Node> nodes,
      DeviceInventory inventory,
      Map<String, GangScore> scores) {
    Budget budget = Budget.of(time);
    Set<String> names = nodes.stream().map(Node::name).collect(Collectors.toUnmodifiableSet());
    Predicate<Node> among = node -> names.contains(node.name());
    Map<PodToPlace, PodOutcome> outcomes = new LinkedHashMap<>();
    int size = gang.pods().size();
    GangOutcome outcome =
        new GangOutcome.Unplaceable(
            "it has %d pods with claims and needs %d at a time".formatted(size, gang.minCount()));
    while (size >= gang.minCount()) {
      List<PodToPlace> pods = gang.pods().subList(0, size);
      List<GangMember> members = gang.members(size, claims, among);
      outcome = placement.place(inventory, members, gang.topologyKeys(), budget);
      if (outcome instanceof GangOutcome.Placed placed) {
        scores.put(gang.name(), placed.score());
        for (int i = 0; i < size; i++) {
          GangOutcome.PlacedMember member = placed.members().get(i);
          outcomes.put(
              pods.get(i),
              new PodOutcome.Placed(
                  pods.get(i),
                  member.node(),
                  member.allocations(),
                  member.score().map(score -> (Score) score)));
        }
        return outcomes;
      } else if (!(outcome instanceof GangOutcome.Unplaceable)) {
        break;
      }
      size--;
    }
    for (PodToPlace pod : gang.pods()) {
      outcomes.put(pod, refused(pod, gang, outcome));
    }
    return outcomes;
  }

  private static PodOutcome refused(PodToPlace pod, Gang gang, GangOutcome outcome) {
    if (outcome instanceof GangOutcome.Rejected rejected) {
      return new PodOutcome.Rejected(pod, rejected.node(), rejected.fault());
    } else if (outcome instanceof GangOutcome.Undecided undecided) {
      return new PodOutcome.Undecided(
          pod, gang.name(), new AllocationOutcome.Undecided(undecided.reason()));
    }
    String reason =
        outcome instanceof GangOutcome.Unplaceable unplaceable ? unplaceable.reason() : "";
    return new PodOutcome.GangUnplaceable(pod, gang.name(), reason, Optional.empty());
  }
}
