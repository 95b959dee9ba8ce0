package io.dra4j.scheduling.defragmentation;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.explanation.Advisor;
import io.dra4j.allocation.explanation.AdvisorContext;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.ClaimKey;
import io.dra4j.scheduling.ClusterPods;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Room;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Suggests to move running pods if that makes room on the node of the problem:
 *
 * <pre>{@code
 * Allocator explaining =
 *     Allocator.builder().selectors(selectors).addAdvisor(new MoveAdvisor(allocator, movable, time)).build();
 * }</pre>
 */
public final class MoveAdvisor implements Advisor {

  private final Defragmentation search;
  private final List<MovablePod> movable;
  private final Duration timeout;

  /**
   * Creates an advisor.
   *
   * @param allocator decides which allocations are valid
   * @param movable the pods that may be moved
   * @param timeout the time to search for moves
   */
  public MoveAdvisor(Allocator allocator, List<MovablePod> movable, Duration timeout) {
    this(Defragmentation.of(allocator), movable, timeout);
  }

  private MoveAdvisor(Defragmentation search, List<MovablePod> movable, Duration timeout) {
    this.search = search;
    this.movable = MovablePod.listOf(movable);
    this.timeout = Objects.requireNonNull(timeout, "timeout");
  }

  /**
   * {@return an advisor that also tests the pods with the filters of kube-scheduler that depend on
   * other pods, see {@link Defragmentation#in}}
   *
   * @param pods the pods that are on nodes
   * @param pod the pod with the problem
   */
  public MoveAdvisor in(ClusterPods pods, PendingPod pod) {
    Objects.requireNonNull(pods, "pods");
    Objects.requireNonNull(pod, "pod");
    return new MoveAdvisor(search.in(pods, List.of(pod)), movable, timeout);
  }

  @Override
  public List<Suggestion> propose(AdvisorContext problem) {
    Objects.requireNonNull(problem, "problem");
    DefragmentationOutcome outcome =
        search.plan(
            problem.inventory(),
            problem.claims(),
            node -> node.name().equals(problem.node()),
            movable,
            problem.budget().atMost(timeout));
    if (outcome instanceof DefragmentationOutcome.Undecided undecided) {
      problem.markIncomplete("moves of running pods: " + undecided.reason());
    }
    if (!(outcome instanceof Room room) || room.moves().isEmpty()) {
      return List.of();
    }
    List<InventoryEvent> moves = new ArrayList<>();
    for (DefragmentationOutcome.Move move : room.moves()) {
      move.pod().claims().forEach(claim -> moves.add(new ClaimRemoved(ClaimKey.of(claim))));
    }
    for (DefragmentationOutcome.Move move : room.moves()) {
      move.allocations().forEach(one -> moves.add(new ClaimPut(one.allocatedClaim())));
    }
    return List.of(
        new Suggestion(
            "move "
                + room.moves().stream()
                    .map(DefragmentationOutcome.Move::toString)
                    .collect(Collectors.joining(", and ")),
            problem.inventory().apply(moves),
            problem.claims()));
  }
}
