package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.policy.Score;
import io.dra4j.model.NodeAllocatableClaimStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The outcome of a pod in a {@link ClusterRun}. Exactly one of five. */
public sealed interface PodOutcome {

  /**
   * Returns the pod.
   *
   * @return the pod that was to be placed
   */
  PendingPod pod();

  /**
   * A node takes the pod.
   *
   * @param pod the pod
   * @param node the name of the node
   * @param allocations what the claims got that were pending; none if all were allocated before
   * @param score how good that is, if the policy of the allocator rates it
   * @param nodeAllocatableClaims what the devices of the claims cost the pod of its node, as the
   *     scheduler writes it into {@code status.nodeAllocatableResourceClaimStatuses}; none where
   *     that does not count ({@link io.dra4j.common.Feature#NODE_ALLOCATABLE_RESOURCES})
   */
  record Placed(
      PendingPod pod,
      String node,
      List<ClaimAllocation> allocations,
      Optional<Score> score,
      List<NodeAllocatableClaimStatus> nodeAllocatableClaims)
      implements PodOutcome {

    /** Copies the lists. {@inheritDoc} */
    public Placed {
      allocations = List.copyOf(allocations);
      nodeAllocatableClaims = List.copyOf(nodeAllocatableClaims);
    }

    /**
     * Makes an outcome of a pod whose devices cost nothing of the node.
     *
     * @param pod the pod
     * @param node the name of the node
     * @param allocations what the claims got that were pending
     * @param score how good that is, if the policy of the allocator rates it
     */
    public Placed(
        PendingPod pod, String node, List<ClaimAllocation> allocations, Optional<Score> score) {
      this(pod, node, allocations, score, List.of());
    }

    /** The same outcome with another score. */
    Placed withScore(Score other) {
      return new Placed(pod, node, allocations, Optional.of(other), nodeAllocatableClaims);
    }

    /** The same outcome with what the devices cost. */
    Placed withCosts(List<NodeAllocatableClaimStatus> costs) {
      return new Placed(pod, node, allocations, score, costs);
    }

    /** For people: the pod, its node, what its claims got, and the score. */
    @Override
    public String toString() {
      String got = allocations.stream().map(String::valueOf).collect(Collectors.joining("; "));
      return pod.name()
          + " on "
          + node
          + (got.isEmpty() ? "" : ": " + got)
          + score.map(value -> "; score: " + value.explanation()).orElse("");
    }
  }

  /**
   * No node takes the pod.
   *
   * @param pod the pod
   * @param refusals why, node by node
   */
  record Unplaceable(PendingPod pod, NodeRefusals refusals) implements PodOutcome {

    /** For people: the pod, and how many nodes refuse it for what. */
    @Override
    public String toString() {
      return pod.name() + " on no node: " + refusals;
    }
  }

  /**
   * There is no room for all pods that the pod is placed with, so that none of them is.
   *
   * @param pod the pod
   * @param gang the name of the gang
   * @param reason why, in one sentence
   * @param alone why no node takes the pod by itself, node by node; asked of the first pod of a
   *     gang only, and empty if a node does
   */
  record GangUnplaceable(PendingPod pod, String gang, String reason, Optional<NodeRefusals> alone)
      implements PodOutcome {

    /** For people: the pod, its gang, and why that has no room. */
    @Override
    public String toString() {
      return pod.name() + " of gang " + gang + " on no node: " + reason;
    }
  }

  /**
   * The claims, a class, a selector or a slice are at fault. Kubernetes gives up on the pod, too,
   * without asking other nodes.
   *
   * @param pod the pod
   * @param node the name of the node on which the fault showed
   * @param fault the answer of the allocator
   */
  record Rejected(PendingPod pod, String node, AllocationOutcome.Rejected fault)
      implements PodOutcome {

    /** For people: the pod, where it showed, and the fault. */
    @Override
    public String toString() {
      return pod.name() + " on " + node + ": " + fault;
    }
  }

  /**
   * It is not known whether a node takes the pod: the time was over, or a policy could not decide.
   *
   * @param pod the pod
   * @param node the name of the node, or of the gang that the pod is placed with
   * @param reason why it is not known
   */
  record Undecided(PendingPod pod, String node, String reason) implements PodOutcome {

    /** For people: the pod, the node that was asked, and why it is not known. */
    @Override
    public String toString() {
      return pod.name() + " on " + node + ": " + new AllocationOutcome.Undecided(reason);
    }
  }

  /**
   * Turns the answer into one value. On Java 21 and later a pattern-matching switch does the same.
   *
   * @param <T> the type of the value
   * @param placed used when a node takes the pod
   * @param unplaceable used when no node takes it
   * @param gangUnplaceable used when there is no room for all pods that it is placed with
   * @param rejected used when the input is at fault
   * @param undecided used when the search was stopped
   * @return the value of the function that fits
   */
  default <T> T fold(
      Function<Placed, T> placed,
      Function<Unplaceable, T> unplaceable,
      Function<GangUnplaceable, T> gangUnplaceable,
      Function<Rejected, T> rejected,
      Function<Undecided, T> undecided) {
    if (this instanceof Placed answer) {
      return placed.apply(answer);
    } else if (this instanceof Unplaceable answer) {
      return unplaceable.apply(answer);
    } else if (this instanceof GangUnplaceable answer) {
      return gangUnplaceable.apply(answer);
    } else if (this instanceof Rejected answer) {
      return rejected.apply(answer);
    } else {
      return undecided.apply((Undecided) this);
    }
  }
}
