package io.dra4j.scheduling.planning;

import io.dra4j.placement.PlacementScore;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.Gang;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The outcome of a whole job: of all pods of a StatefulSet, a Job, a PodGroup or a
 * CompositePodGroup, or of a single pod without any of these.
 *
 * @param name the name of the job in messages: its kind, then {@code namespace/name}; for a single
 *     pod {@code Pod namespace/name}
 * @param pods the outcome of each of its pods, in the order in which they were placed
 * @param gigabytesPerSecond the predicted total bandwidth of the pairs of GPUs and NICs of all
 *     placed pods, in one direction; 0 if it is not known
 * @param upperBoundGigabytesPerSecond the bandwidth that so many devices of these servers could
 *     have
 * @param slowestGigabytesPerSecond the least bandwidth of a pod, among pods whose bandwidth is
 *     known
 * @param rails whether the pods have equal rails
 */
public record JobPlacement(
    String name,
    List<PodOutcome> pods,
    double gigabytesPerSecond,
    double upperBoundGigabytesPerSecond,
    double slowestGigabytesPerSecond,
    RailAgreement rails) {

  /** Copies the list. {@inheritDoc} */
  public JobPlacement {
    pods = List.copyOf(pods);
  }

  /**
   * {@return the jobs of the pods of a run, in the order of their first pods}
   *
   * @param outcome the outcome of the run
   * @param gangs the pods that belong together, from {@code PodQueue.gangs()}
   */
  public static List<JobPlacement> of(ClusterOutcome outcome, List<Gang> gangs) {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(gangs, "gangs");
    IdentityHashMap<PendingPod, String> names = new IdentityHashMap<>();
    gangs.forEach(gang -> gang.pods().forEach(pod -> names.put(pod, gang.name())));
    Map<String, List<PodOutcome>> jobs = new LinkedHashMap<>();
    for (PodOutcome pod : outcome.pods()) {
      String name = names.getOrDefault(pod.pod(), "Pod " + pod.pod().name());
      jobs.computeIfAbsent(name, any -> new ArrayList<>()).add(pod);
    }
    List<JobPlacement> placements = new ArrayList<>();
    jobs.forEach((name, pods) -> placements.add(of(name, pods)));
    return placements;
  }

  private static JobPlacement of(String name, List<PodOutcome> pods) {
    List<Placed> placed = new ArrayList<>();
    double sum = 0;
    double bound = 0;
    double slowest = Double.MAX_VALUE;
    for (PodOutcome pod : pods) {
      if (pod instanceof Placed one) {
        placed.add(one);
        if (one.score().orElse(null) instanceof PlacementScore score
            && score.gigabytesPerSecond() > 0) {
          sum += score.gigabytesPerSecond();
          bound += score.upperBoundGigabytesPerSecond();
          slowest = Math.min(slowest, score.gigabytesPerSecond());
        }
      }
    }
    return new JobPlacement(
        name, pods, sum, bound, sum > 0 ? slowest : 0, RailAgreement.of(placed));
  }

  /** {@return the number of pods that are on nodes} */
  public int placed() {
    return (int) pods.stream().filter(Placed.class::isInstance).count();
  }

  /** {@return the number of nodes with placed pods of the job} */
  public int nodes() {
    return (int)
        pods.stream()
            .filter(Placed.class::isInstance)
            .map(pod -> ((Placed) pod).node())
            .distinct()
            .count();
  }
}
