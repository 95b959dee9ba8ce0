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
 * What {@code dra4j place} found out, for all ways to write it.
 *
 * @param jobs the jobs, in the order of their first pods
 * @param outcome the outcome of the pods and the claims
 * @param reasons why a pod is on no node, by the pods that are on none
 * @param gangs the names of the jobs that were to be planned as gangs
 */
record PlaceReport(
    List<JobPlacement> jobs,
    ClusterOutcome outcome,
    Map<PendingPod, String> reasons,
    Set<String> gangs) {

  /** So many different reasons are worked out for all nodes; others are counted. */
  private static final int MAX_EXPLAINED = 16;

  /** How long reasons are looked for in all. */
  private static final Duration TIME_FOR_REASONS = Duration.ofSeconds(10);

  /**
   * Gathers the outcome of the pods.
   *
   * @param gangs the pods that belong together
   * @param isPlanned whether each gang was to be planned; groups of groups have no plan of their
   *     own
   */
  static PlaceReport of(ClusterOutcome outcome, List<Gang> gangs, boolean isPlanned) {
    Set<String> planned = new HashSet<>();
    for (Gang gang : isPlanned ? gangs : List.<Gang>of()) {
      if (!gang.name().startsWith("CompositePodGroup ")) {
        planned.add(gang.name());
      }
    }
    return new PlaceReport(JobPlacement.of(outcome, gangs), outcome, reasonsOf(outcome), planned);
  }

  /** Whether the pods of a gang are placed, but by no plan for all of them. */
  boolean hasNoPlan(JobPlacement job) {
    return gangs.contains(job.name())
        && !outcome.gangs().containsKey(job.name())
        && job.pods().stream()
            .anyMatch(pod -> pod instanceof PodOutcome.Placed it && !it.allocations().isEmpty());
  }

  /** How many pods are on nodes. */
  int placed() {
    return jobs.stream().mapToInt(JobPlacement::placed).sum();
  }

  /** The answer in one line. */
  String answer() {
    int pods = outcome.pods().size();
    return pods == 0
        ? "nothing to place: no pods with claims, and no pending claims"
        : ClusterReport.answer(placed(), pods);
  }

  /** What a pod's claims got, those of before included, in the order of its claims. */
  List<DeviceRequestAllocationResult> devicesOf(PendingPod pod) {
    return pod.claims().stream().flatMap(key -> devicesOf(key).stream()).toList();
  }

  /** What a claim of the run got. */
  List<DeviceRequestAllocationResult> devicesOf(ClaimKey key) {
    ResourceClaim claim = Objects.requireNonNull(outcome.claims().get(key), "a claim of the run");
    return claim.allocation() == null ? List.of() : claim.allocation().results();
  }

  /** Pods that may run on the same nodes and want the same are refused for the same. */
  private record Wish(PodSpec spec, List<ResourceClaimSpec> claims) {}

  private static Map<PendingPod, String> reasonsOf(ClusterOutcome outcome) {
    Map<Object, String> first = new HashMap<>(); // the pod that has the reason
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
      return List.of(undecided.node(), undecided.reason()); // of a gang, all the same
    } else if (!(pod instanceof PodOutcome.Unplaceable)) {
      return pod.pod().name();
    }
    List<ResourceClaimSpec> claims = new ArrayList<>();
    for (ClaimKey key : pod.pod().claims()) {
      claims.add(Objects.requireNonNull(outcome.claims().get(key), "a claim of the run").spec());
    }
    return new Wish(pod.pod().spec(), claims);
  }

  /** Why a pod is on no node, worked out for all nodes. */
  static String reasonOf(PodOutcome pod) {
    return reasonOf(pod, true, Budget.of(TIME_FOR_REASONS));
  }

  /** A bug costs the reason, not the answer. */
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
