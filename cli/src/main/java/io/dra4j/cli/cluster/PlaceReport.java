package io.dra4j.cli.cluster;

import io.dra4j.allocation.ClusterExplanation;
import io.dra4j.common.Budget;
import io.dra4j.common.ExplanationBug;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.Gang;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.scheduling.planning.JobPlacement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The result of {@code dra4j place}, for all output formats.
 *
 * @param jobs the jobs, in the order of their first pods
 * @param outcome the outcome of the pods and the claims
 * @param reasons the reasons of the pods that are on no node, by pod
 * @param hasOthers whether there are pods that could not be placed and are in no job
 * @param gangs the names of the jobs that were to be planned as gangs
 */
record PlaceReport(
    List<JobPlacement> jobs,
    ClusterOutcome outcome,
    Map<PendingPod, String> reasons,
    boolean hasOthers,
    Set<String> gangs) {

  /**
   * The limit of different reasons that are determined for all nodes; others are only summarized.
   */
  private static final int MAX_EXPLAINED = 16;

  /** The time limit for all searches for reasons. */
  private static final Duration TIME_FOR_REASONS = Duration.ofSeconds(10);

  /**
   * Creates the report from the outcome of the pods.
   *
   * @param queue the queue of the pods
   * @param isPlanned whether each gang was to be planned; groups of groups have no plan of their
   *     own
   */
  static PlaceReport of(ClusterOutcome outcome, PodQueue queue, boolean isPlanned) {
    List<Gang> gangs = queue.gangs();
    Set<String> planned = new HashSet<>();
    for (Gang gang : isPlanned ? gangs : List.<Gang>of()) {
      if (!gang.name().startsWith("CompositePodGroup ")) {
        planned.add(gang.name());
      }
    }
    return new PlaceReport(
        JobPlacement.of(outcome, gangs),
        outcome,
        reasonsOf(outcome),
        !queue.problems().isEmpty(),
        planned);
  }

  /** Returns whether the pods of a gang are placed, but without a plan for all of them. */
  boolean hasNoPlan(JobPlacement job) {
    return gangs.contains(job.name())
        && !outcome.gangs().containsKey(job.name())
        && job.pods().stream()
            .anyMatch(pod -> pod instanceof PodOutcome.Placed it && !it.allocations().isEmpty());
  }

  /** Returns the number of pods on nodes. */
  int placed() {
    return jobs.stream().mapToInt(JobPlacement::placed).sum();
  }

  /** Returns the answer in one line. */
  String answer() {
    int pods = outcome.pods().size();
    return pods == 0
        ? hasOthers
            ? "nothing placed: all pods with claims are refused, and no claims are pending"
            : "nothing to place: no pods with claims, and no pending claims"
        : ClusterReport.answer(placed(), pods);
  }

  /** Returns the devices of a pod's claims in their order, including claims allocated before. */
  List<DeviceRequestAllocationResult> devicesOf(PendingPod pod) {
    return pod.claims().stream().flatMap(key -> devicesOf(key).stream()).toList();
  }

  /** Returns the devices of a claim of the run. */
  List<DeviceRequestAllocationResult> devicesOf(ClaimKey key) {
    ResourceClaim claim = outcome.claims().get(key);
    return claim == null || claim.allocation() == null ? List.of() : claim.allocation().results();
  }

  /** Returns whether device plugins of its node provide the extended resources of a placed pod. */
  boolean hasDevicePlugin(PendingPod pod) {
    return !outcome.claims().keySet().containsAll(pod.claims());
  }

  /** The requirements of a pod. Pods with equal requirements have the same reasons. */
  private record Wish(PodSpec spec, List<ResourceClaimSpec> claims) {}

  private static Map<PendingPod, String> reasonsOf(ClusterOutcome outcome) {
    Map<Object, String> first = new HashMap<>(); // the pod whose reason is printed
    IdentityHashMap<PendingPod, String> reasons = new IdentityHashMap<>();
    Budget budget = Budget.of(TIME_FOR_REASONS);
    for (PodOutcome pod : outcome.pods()) {
      if (pod instanceof PodOutcome.Placed) {
        continue;
      }
      String known = first.putIfAbsent(keyOf(pod, outcome), pod.pod().name());
      reasons.put(
          pod.pod(),
          known == null ? reasonOf(pod, first.size() <= MAX_EXPLAINED, budget) : "as " + known);
    }
    return reasons;
  }

  private static Object keyOf(PodOutcome pod, ClusterOutcome outcome) {
    if (pod instanceof PodOutcome.GangUnplaceable gang) {
      return gang.gang();
    } else if (pod instanceof PodOutcome.Undecided undecided) {
      return List.of(undecided.node(), undecided.reason()); // the same for all pods of a gang
    } else if (!(pod instanceof PodOutcome.Unplaceable)) {
      return pod.pod().name();
    }
    List<ResourceClaimSpec> claims = new ArrayList<>();
    for (ClaimKey key : pod.pod().claims()) {
      claims.add(Objects.requireNonNull(outcome.claims().get(key), "claim of the run").spec());
    }
    return new Wish(pod.pod().spec(), claims);
  }

  /** Returns the reason why a pod is on no node, determined for all nodes. */
  static String reasonOf(PodOutcome pod) {
    return reasonOf(pod, true, Budget.of(TIME_FOR_REASONS));
  }

  /**
   * Returns the reason why a pod is on no node. A bug here loses only the reason, not the answer.
   */
  private static String reasonOf(PodOutcome pod, boolean inFull, Budget budget) {
    try {
      if (pod instanceof PodOutcome.Unplaceable unplaceable) {
        if (!inFull || budget.isOver()) {
          return "does not fit: " + unplaceable.refusals();
        }
        ClusterExplanation devices = unplaceable.refusals().explain(budget);
        return "does not fit: " + unplaceable.refusals().summary(devices);
      }
      return String.join("; ", PodReasons.of(pod));
    } catch (RuntimeException e) {
      return "is on no node; " + ExplanationBug.sentence(e);
    }
  }
}
