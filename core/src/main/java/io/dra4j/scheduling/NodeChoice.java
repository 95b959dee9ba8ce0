package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.scheduling.NodeAnswers.Answer;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The best of the nodes with room for a pod, and whether more nodes must be checked. Of equally
 * good nodes the first one stays.
 *
 * <p>Source: {@code Score} of kube-scheduler's plugin {@code dynamicresources}, and {@code
 * minFeasibleNodesToFind} of {@code pkg/scheduler/schedule_one.go}: a fault on any checked node
 * ends the attempt.
 */
final class NodeChoice {

  /** The number of nodes with room that kube-scheduler finds before it compares them. */
  private static final int FEASIBLE = 100;

  /** The most alternatives of a request (API v1). */
  private static final int MAX_ALTERNATIVES = 8;

  private final boolean comparesScores;
  private final boolean hasAlternatives;
  private final boolean isChecked;
  private final List<ResourceClaimSpec> specs;
  private final Set<List<ResourceClaimSpec>> faultless;
  private @Nullable Best best;
  private @Nullable Answer bestAsked;
  private @Nullable Placed asked;
  private int fitting;

  /** Creates a choice without a node; {@code comparesScores} is true if nodes are compared. */
  NodeChoice(boolean comparesScores, List<ResourceClaim> pending, ClusterRun.State state) {
    this.comparesScores = comparesScores;
    this.specs = pending.stream().map(ResourceClaim::spec).toList();
    this.faultless = state.faultless;
    this.isChecked = pending.isEmpty() || faultless.contains(specs);
    this.hasAlternatives =
        specs.stream()
            .flatMap(spec -> spec.requests().stream())
            .anyMatch(request -> !request.firstAvailable().isEmpty());
  }

  boolean comparesScores() {
    return comparesScores;
  }

  /** The best node so far. */
  record Best(String node, Answer answer) {}

  /**
   * Returns the answer of a checked node. Its devices are kept while it is the best checked node.
   */
  Answer answer(PendingPod pod, String node, AllocationOutcome outcome) {
    if (!(outcome instanceof AllocationOutcome.Allocated allocated)) {
      return Answer.NO_DEVICES;
    }
    Placed placed = new Placed(pod, node, allocated.allocations(), allocated.score());
    Answer answer = new Answer(true, placed.score(), hasAlternatives ? rank(placed) : 0);
    if (bestAsked == null || isBetter(answer, bestAsked)) {
      bestAsked = answer;
      asked = placed;
    }
    return answer;
  }

  /** The devices of a checked node, if they were kept. */
  @Nullable Placed asked(String node) {
    return asked != null && asked.node().equals(node) ? asked : null;
  }

  /** Adds the answer of a node that fits. */
  void take(String node, Answer answer) {
    fitting++;
    if (best == null || isBetter(answer, best.answer())) {
      best = new Best(node, answer);
    }
  }

  private boolean isBetter(Answer answer, Answer known) {
    if (comparesScores && answer.score().isPresent() && known.score().isPresent()) {
      int difference = answer.score().get().compareTo(known.score().get());
      if (difference != 0) {
        return difference > 0;
      }
    }
    return answer.rank() > known.rank();
  }

  /** Whether no other node must be checked. */
  boolean isEnough() {
    return !comparesScores && (fitting >= FEASIBLE || (isChecked && !hasAlternatives));
  }

  /** Records that the claims had no fault on any checked node. */
  void remember() {
    if (best != null) {
      faultless.add(specs);
    }
  }

  @Nullable Best best() {
    return best;
  }

  /** The sum over the chosen alternatives; the first alternative of a request counts most. */
  private static int rank(Placed placed) {
    int rank = 0;
    for (ClaimAllocation allocation : placed.allocations()) {
      ResourceClaim claim = allocation.allocatedClaim();
      Set<String> taken = new HashSet<>();
      Objects.requireNonNull(claim.allocation(), "an allocation").results().stream()
          .map(DeviceRequestAllocationResult::request)
          .forEach(taken::add);
      for (DeviceRequest request : claim.spec().requests()) {
        List<DeviceSubRequest> alternatives = request.firstAvailable();
        for (int i = 0; i < alternatives.size(); i++) {
          if (taken.contains(request.name() + "/" + alternatives.get(i).name())) {
            rank += MAX_ALTERNATIVES - i;
          }
        }
      }
    }
    return rank;
  }
}
