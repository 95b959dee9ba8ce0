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
 * The best of the nodes that take a pod, and whether more nodes have to be asked. Of equally good
 * nodes the first one stays.
 *
 * <p>Source: {@code Score} of kube-scheduler's plugin {@code dynamicresources}, and {@code
 * minFeasibleNodesToFind} of {@code pkg/scheduler/schedule_one.go}: a fault on any of the nodes
 * that are looked at ends the attempt.
 */
final class NodeChoice {

  /** So many nodes with room kube-scheduler finds before it compares them. */
  private static final int FEASIBLE = 100;

  /** So many alternatives a request has at most (API v1). */
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

  /**
   * Begins without a node.
   *
   * @param comparesScores whether the policy compares nodes
   * @param pending the claims that have to be allocated
   */
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

  /** The answer of a node that was asked, whose devices are kept while it is the best of these. */
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

  /** The devices of a node that was asked for this pod, if they were kept. */
  @Nullable Placed asked(String node) {
    return asked != null && asked.node().equals(node) ? asked : null;
  }

  /** Takes the answer of a node that fits. */
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

  /** Whether no other node has to be asked. */
  boolean isEnough() {
    return !comparesScores && (fitting >= FEASIBLE || (isChecked && !hasAlternatives));
  }

  /** Notes that nothing was wrong with the claims on any node that was asked. */
  void remember() {
    if (best != null) {
      faultless.add(specs);
    }
  }

  @Nullable Best best() {
    return best;
  }

  /** The sum over the alternatives that were taken, the first one of a request counting most. */
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
