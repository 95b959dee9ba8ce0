package io.dra4j.scheduling.defragmentation;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.PendingPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A running pod that may be moved: stopped, and started again with other devices, on the same node
 * or on another one. Pods that share a claim are moved together, as one movable pod.
 *
 * @param name the name of the pod in messages
 * @param claims the claims that it uses, all of them with an allocation
 * @param nodes returns whether it may run on a node
 * @param cost the cost of moving it; 0 or more, and finite, in any unit
 * @param pods the pods of a queue that move, for the filters that depend on other pods; empty if
 *     they are not known
 */
public record MovablePod(
    String name,
    List<ResourceClaim> claims,
    Predicate<Node> nodes,
    double cost,
    List<PendingPod> pods) {

  /**
   * Checks the claims and the cost. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a claim has no allocation, or the cost is negative,
   *     infinite or not a number
   */
  public MovablePod {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(claims, "claims");
    Objects.requireNonNull(nodes, "nodes");
    if (!(cost >= 0) || Double.isInfinite(cost)) {
      throw new IllegalArgumentException(
          "MovablePod.cost: expected 0 or more and finite, found " + cost);
    }
    for (ResourceClaim claim : claims) {
      Objects.requireNonNull(claim, "claim");
      if (claim.allocation() == null) {
        throw new IllegalArgumentException(
            "MovablePod.claims: expected allocated claims, found the pending "
                + claim.displayName());
      }
    }
    claims = List.copyOf(claims);
    pods = List.copyOf(Objects.requireNonNull(pods, "pods"));
  }

  /**
   * Creates a pod that is not tested with filters that depend on other pods.
   *
   * @param name the name of the pod in messages
   * @param claims the claims that it uses, all of them with an allocation
   * @param nodes returns whether it may run on a node
   * @param cost the cost of moving it; 0 or more, and finite, in any unit
   * @throws IllegalArgumentException if a claim has no allocation, or the cost is negative,
   *     infinite or not a number
   */
  public MovablePod(String name, List<ResourceClaim> claims, Predicate<Node> nodes, double cost) {
    this(name, claims, nodes, cost, List.of());
  }

  /** An immutable copy of pods that may be moved, none of them null. */
  static List<MovablePod> listOf(List<MovablePod> movable) {
    Objects.requireNonNull(movable, "movable");
    for (MovablePod pod : movable) {
      Objects.requireNonNull(pod, "pod");
    }
    return List.copyOf(movable);
  }

  /**
   * {@return the pods that ran before a run, in its order, then the claims} Their claims were all
   * allocated. Pods that share claims are one movable pod, and so is a claim that no pod uses.
   *
   * @param outcome the outcome of the run
   * @param cost returns the cost of moving a pod, by its name
   */
  public static List<MovablePod> running(ClusterOutcome outcome, ToDoubleFunction<String> cost) {
    try {
      return running(outcome, cost, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new IllegalStateException("a budget without limit is used up", e);
    }
  }

  /**
   * {@return the pods that ran before a run, like {@link #running(ClusterOutcome,
   * ToDoubleFunction)}, within a budget} Takes time in proportion to the claims and the pods of the
   * run.
   *
   * @param outcome the outcome of the run
   * @param cost returns the cost of moving a pod, by its name
   * @param budget the time of the caller
   * @throws BudgetExceededException if the budget is used up before all of them are found
   */
  public static List<MovablePod> running(
      ClusterOutcome outcome, ToDoubleFunction<String> cost, Budget budget)
      throws BudgetExceededException {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(cost, "cost");
    Objects.requireNonNull(budget, "budget");
    SharedClaims shared = SharedClaims.of(outcome.pods(), budget);
    List<MovablePod> movable = new ArrayList<>();
    for (ClaimKey first : outcome.claims().keySet()) {
      SharedClaims.Group group = shared.next(first);
      if (group == null) {
        continue;
      }
      List<ResourceClaim> claims =
          group.claims().stream()
              .flatMap(each -> Stream.ofNullable(outcome.claims().get(each)))
              .filter(claim -> claim.allocation() != null)
              .toList();
      if (group.ran() && claims.size() == group.claims().size()) {
        movable.add(of(first, claims, group.pods(), cost));
      }
    }
    return List.copyOf(movable);
  }

  private static MovablePod of(
      ClaimKey key,
      List<ResourceClaim> claims,
      List<PendingPod> pods,
      ToDoubleFunction<String> cost) {
    List<String> names =
        pods.isEmpty() ? List.of(key.toString()) : pods.stream().map(PendingPod::name).toList();
    List<Predicate<Node>> nodes =
        pods.stream()
            .map(pod -> ofSuccessor(pod.spec()))
            .distinct()
            .map(spec -> new PendingPod("", spec, List.of()).nodes())
            .toList();
    return new MovablePod(
        String.join(" and ", names),
        claims,
        node -> nodes.stream().allMatch(each -> each.test(node)),
        names.stream().mapToDouble(cost).sum(),
        pods);
  }

  /** The part of the specification that determines where the successor of a stopped pod may run. */
  private static PodSpec ofSuccessor(PodSpec spec) {
    return PodSpec.builder()
        .nodeSelector(spec.nodeSelector())
        .tolerations(spec.tolerations())
        .requiredNodeAffinity(spec.requiredNodeAffinity())
        .build();
  }
}
