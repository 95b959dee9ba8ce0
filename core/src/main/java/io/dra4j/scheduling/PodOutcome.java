package io.dra4j.scheduling;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.policy.Score;
import io.dra4j.model.NodeAllocatableClaimStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The outcome of a pod in a {@link ClusterRun}. There are five kinds. */
public sealed interface PodOutcome {

  /** {@return the pod of this outcome} */
  PendingPod pod();

  /**
   * A node accepts the pod.
   *
   * @param pod the pod
   * @param node the name of the node
   * @param allocations the allocations of the pending claims; empty if all claims were allocated
   *     before
   * @param score the score of the allocations, if the policy of the allocator rates them
   * @param nodeAllocatableClaims the resources of the node that the devices of the claims consume,
   *     as the scheduler writes them to {@code status.nodeAllocatableResourceClaimStatuses}; empty
   *     if they do not count ({@link io.dra4j.common.Feature#NODE_ALLOCATABLE_RESOURCES})
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
     * Creates the outcome of a pod whose devices consume no resources of the node.
     *
     * @param pod the pod
     * @param node the name of the node
     * @param allocations the allocations of the pending claims
     * @param score the score of the allocations, if the policy of the allocator rates them
     */
    public Placed(
        PendingPod pod, String node, List<ClaimAllocation> allocations, Optional<Score> score) {
      this(pod, node, allocations, score, List.of());
    }

    /** Returns the same outcome with another score. */
    Placed withScore(Score other) {
      return new Placed(pod, node, allocations, Optional.of(other), nodeAllocatableClaims);
    }

    /** Returns the same outcome with the resources that the devices consume. */
    Placed withCosts(List<NodeAllocatableClaimStatus> costs) {
      return new Placed(pod, node, allocations, score, costs);
    }

    /**
     * Returns a text for readers: the pod, its node, the allocations of its claims, and the score.
     */
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
   * No node accepts the pod.
   *
   * @param pod the pod
   * @param refusals the reasons, node by node
   */
  record Unplaceable(PendingPod pod, NodeRefusals refusals) implements PodOutcome {

    /** Returns a text for readers: the pod, and the number of refusing nodes by cause. */
    @Override
    public String toString() {
      return pod.name() + " on no node: " + refusals;
    }
  }

  /**
   * There is no room for all pods of the gang, so that none of them is placed.
   *
   * @param pod the pod
   * @param gang the name of the gang
   * @param reason the reason, in one sentence
   * @param alone the reasons why no node accepts the pod even alone, node by node; only for the
   *     first pod of a gang, and empty if a node accepts it
   */
  record GangUnplaceable(PendingPod pod, String gang, String reason, Optional<NodeRefusals> alone)
      implements PodOutcome {

    /** Returns a text for readers: the pod, its gang, and the reason why the gang has no room. */
    @Override
    public String toString() {
      return pod.name() + " of gang " + gang + " on no node: " + reason;
    }
  }

  /**
   * The claims, a class, a selector or a slice are at fault. Like Kubernetes, the run does not try
   * other nodes for the pod.
   *
   * @param pod the pod
   * @param node the name of the node on which the fault was found
   * @param fault the answer of the allocator
   */
  record Rejected(PendingPod pod, String node, AllocationOutcome.Rejected fault)
      implements PodOutcome {

    /** Returns a text for readers: the pod, the node, and the fault. */
    @Override
    public String toString() {
      return pod.name() + " on " + node + ": " + fault;
    }
  }

  /**
   * It is not known whether a node accepts the pod: the time ended, or a policy could not decide.
   *
   * @param pod the pod
   * @param node the name of the node, or of the gang that the pod is placed with
   * @param reason the reason why it is not known
   */
  record Undecided(PendingPod pod, String node, String reason) implements PodOutcome {

    /** {@return for readers, the pod, the checked node, and why the outcome is not known} */
    @Override
    public String toString() {
      return pod.name() + " on " + node + ": " + new AllocationOutcome.Undecided(reason);
    }
  }

  /**
   * {@return the value of the function for this outcome} On Java 21 and later a pattern-matching
   * switch has the same effect.
   *
   * @param <T> the type of the value
   * @param placed used when a node accepts the pod
   * @param unplaceable used when no node accepts it
   * @param gangUnplaceable used when there is no room for all pods of its gang
   * @param rejected used when the input is at fault
   * @param undecided used when the search was stopped
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
